/** Search types; addresses and requests use the same values. */

export type SearchType = 'text' | 'vector' | 'hybrid';

/** C-062; empty: all segments. */
export type DatasetSelector = '' | '$inDataset' | '$outDataset';

/** A way to search, or the answerer of a way to answer. Empty and absent parts are those in use. */
export interface SearchSettings {
  readonly searchType?: SearchType;
  readonly vectorizer?: string;
  /** Absent: the measured one. */
  readonly vectorWeight?: number | null;
  readonly reranker?: string;
  /** Of a learned reranker: its weights. */
  readonly rerankerParameters?: Readonly<Record<string, unknown>>;
  readonly learned?: boolean;
  readonly plan?: string;
  /** Of answers; empty: the one in use. */
  readonly answerer?: string | null;
}
