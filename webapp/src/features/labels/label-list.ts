/** A pasted list of labels: one a line, `name, colour, key, guideline`. Pure. */
import { isHex } from '@/theme/colour';
import { foldCaseAndAccents } from '@/text/fold-accents';

/** Longest list that the server takes at once. */
export const MOST_LISTED_LABELS = 300;

export type ListProblem = 'name' | 'colour' | 'key' | 'keyTaken' | 'twice';

export interface ListedLabel {
  /** From 1. */
  readonly line: number;
  readonly label: string;
  readonly color: string;
  readonly key: string;
  readonly guideline: string;
  /** The project has a label of this text: it stays as it is. */
  readonly known: boolean;
  readonly problem?: ListProblem | undefined;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cells of a line, separated by tabs as from a table, else by semicolons or commas; quotes protect separators, as in CSV. */
export function splitListLine(line: string): string[] {
  const separator = line.includes('\t') ? '\t' : /^(?:"[^"]*"|[^",;])*;/u.test(line) ? ';' : ',';
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (const sign of line) {
    if (sign === '"') quoted = !quoted;
    else if (sign === separator && !quoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += sign;
  }
  cells.push(cell.trim());
  // What follows the key is the guideline, which may contain separators.
  const mark = separator === '\t' ? ' ' : `${separator} `;
  return cells.length <= 4 ? cells : [...cells.slice(0, 3), cells.slice(3).join(mark)];
}

interface Seen {
  readonly names: Set<string>;
  readonly keys: Set<string>;
}

function problemOf({ label, color, key }: Pick<ListedLabel, 'label' | 'color' | 'key'>, seen: Seen): ListProblem | undefined {
  if (label === '' || label.length > 255) return 'name';
  if (color !== '' && !isHex(color)) return 'colour';
  if (key !== '' && [...graphemes.segment(key)].length !== 1) return 'key';
  if (seen.names.has(foldCaseAndAccents(label))) return 'twice';
  return key !== '' && seen.keys.has(key.toLowerCase()) ? 'keyTaken' : undefined;
}

/** @param takenKeys keys that other labels were given. */
export function parseLabelList(text: string, knownLabels: readonly string[], takenKeys: readonly string[] = []): ListedLabel[] {
  const known = new Set(knownLabels.map(foldCaseAndAccents));
  const seen: Seen = { names: new Set(), keys: new Set(takenKeys.map((key) => key.toLowerCase())) };
  return text.split(/\r\n|\r|\n/u).flatMap((words, index) => {
    if (words.trim() === '') return [];
    const [label = '', color = '', key = '', guideline = ''] = splitListLine(words);
    const problem = problemOf({ label, color, key }, seen);
    seen.names.add(foldCaseAndAccents(label));
    if (key !== '') seen.keys.add(key.toLowerCase());
    return [{ line: index + 1, label, color, key, guideline, known: known.has(foldCaseAndAccents(label)), problem }];
  });
}

/** The colours drawn in the preview: given ones, else the least used ones, as the server chooses. */
export function previewColours(
  listed: readonly ListedLabel[],
  used: readonly string[],
  next: (used: readonly string[]) => string,
): string[] {
  const all = [...used];
  return listed.map(({ color, known }) => {
    if (known) return '';
    const shown = color === '' ? next(all) : color;
    all.push(shown);
    return shown;
  });
}
