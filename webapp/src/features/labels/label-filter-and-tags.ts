/** Rules of the labels screen. Pure. */
import type { Label } from '@/api/resources/labels';
import { foldCaseAndAccents } from '@/text/fold-accents';
import { proposeTag } from '@/text/short-name';

/** The filter box appears above this number of labels (C-028). */
export const FILTER_ABOVE = 5;

/** Labels whose text, name, identifier or guideline contains the query, ignoring case and accents. */
export function filterLabels(labels: readonly Label[], query: string): readonly Label[] {
  const wanted = foldCaseAndAccents(query.trim());
  if (wanted === '') return labels;
  return labels.filter(({ label, name, identifier = '', guideline = '' }) =>
    [label, name, identifier, guideline].some((text) => foldCaseAndAccents(text).includes(wanted)),
  );
}

/** The tag of each label, as drawn on the annotation surface. */
export function labelTags(labels: readonly Label[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    labels.map((label) => {
      const tag = proposeTag(label.label, taken);
      taken.add(tag);
      return [label.name, tag];
    }),
  );
}
