/** Rules of the labels screen. Pure. */
import type { Label } from '@/api/resources/labels';
import { foldCaseAndAccents } from '@/text/fold-accents';

/** The filter box appears above this number of labels (C-028). */
export const FILTER_ABOVE = 5;

/** Labels whose text, name, short name, identifier or guideline contains the query, ignoring case and accents. */
export function filterLabels(labels: readonly Label[], query: string): readonly Label[] {
  const wanted = foldCaseAndAccents(query.trim());
  if (wanted === '') return labels;
  return labels.filter(({ label, name, shortName = '', identifier = '', guideline = '' }) =>
    [label, name, shortName ?? '', identifier, guideline].some((text) => foldCaseAndAccents(text).includes(wanted)),
  );
}
