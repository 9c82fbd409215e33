/** Rules of the labels screen without a screen. */
import type { Label } from '@/api/resources/labels';
import { foldCaseAndAccents } from '@/text/fold-accents';
import { proposeTag } from '@/text/short-name';

/** The filter box appears above this number of labels (C-028). */
export const FILTER_ABOVE = 5;

/** Labels whose words, name, identifier or guideline hold what is typed, without regard to case or accents. */
export function filterLabels(labels: readonly Label[], query: string): readonly Label[] {
  const wanted = foldCaseAndAccents(query.trim());
  if (wanted === '') return labels;
  return labels.filter(({ label, name, identifier = '', guideline = '' }) =>
    [label, name, identifier, guideline].some((text) => foldCaseAndAccents(text).includes(wanted)),
  );
}

/** The tag of each label, as it is drawn while annotating. */
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
