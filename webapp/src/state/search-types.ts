/** Search types; addresses and requests use the same values. */

export type SearchType = 'text' | 'vector' | 'hybrid';

/** C-062; empty: all segments. */
export type DatasetSelector = '' | '$inDataset' | '$outDataset';
