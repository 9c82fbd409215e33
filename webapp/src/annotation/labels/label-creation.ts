/** How a picker offers to create a label that is not there yet. */
import { foldCaseAndAccents } from '@/text/fold-accents';
import type { LabelAppearance } from '@/annotation/drawing/label-style';

export interface LabelCreation {
  /** Creates the label and returns its name; rejects with an Error whose message is shown. Absent: the user may not. */
  readonly create?: ((label: string) => Promise<string>) | undefined;
  /** Why the user cannot create labels, and who can. */
  readonly refused?: string | undefined;
}

/** C-043: longest text of a label. */
export const LONGEST_LABEL = 255;

/** The text of the label to offer: what was typed, unless a label has that text, name or tag. */
export function labelToCreate(labels: readonly LabelAppearance[], query: string): string | undefined {
  const wanted = query.trim().replace(/\s+/gu, ' ');
  const folded = foldCaseAndAccents(wanted);
  if (folded === '') return undefined;
  const known = labels.some(({ label, name, tag }) => [label, name, tag].some((text) => foldCaseAndAccents(text) === folded));
  return known ? undefined : wanted;
}
