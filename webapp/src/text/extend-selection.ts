/**
 * Extension of a selection (C-066): none, to space, to space or punctuation (default). Character classes are Unicode classes; offsets are
 * UTF-16. Languages written without spaces, and Arabic with its clitics, start with none.
 */
import { nextGrapheme, previousGrapheme, snapRange } from './graphemes';

export type SelectionExtension = 'none' | 'space' | 'space-or-punctuation';
export const EXTENSIONS: readonly SelectionExtension[] = ['none', 'space', 'space-or-punctuation'];

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** White space, controls and zero-width separators. ZWJ and ZWNJ belong to words. */
const SPACE = /^[\p{White_Space}\p{Cc}\u200B\u2060\uFEFF]/u;
const PUNCTUATION = /^[\p{P}\p{S}]/u;
/** Emoji are symbols (So) used like words: selections extend over them as over letters. */
const PICTOGRAPH = /^\p{Extended_Pictographic}/u;
/** Joins two parts of one word or number when it stands between letters or digits: don't, l'eau, 3.14, well-known. */
const INNER = /^['\u2019\u00B7.,:\-\u2010\u2011_]/u;
const LETTER_OR_DIGIT = /^[\p{L}\p{M}\p{N}]/u;

/** The initial mode of a project: none for zh and ar, else to space or punctuation. */
export function defaultExtension(language: string | undefined): SelectionExtension {
  const primary = (language ?? '').toLowerCase().split(/[-_]/u)[0];
  return primary === 'zh' || primary === 'ar' ? 'none' : 'space-or-punctuation';
}

function isSpace(cluster: string): boolean {
  return SPACE.test(cluster);
}

function isPunctuation(cluster: string): boolean {
  return PUNCTUATION.test(cluster) && !PICTOGRAPH.test(cluster);
}

/** Whether an extension stops at the cluster [start, end). */
function stopsExtension(text: string, start: number, end: number, mode: SelectionExtension): boolean {
  const cluster = text.slice(start, end);
  if (isSpace(cluster)) return true;
  if (mode === 'space' || !isPunctuation(cluster)) return false;
  return !isInnerPunctuation(text, start, end, cluster);
}

function isInnerPunctuation(text: string, start: number, end: number, cluster: string): boolean {
  if (!INNER.test(cluster)) return false;
  const before = text.slice(previousGrapheme(text, start), start);
  const after = text.slice(end, nextGrapheme(text, end));
  if (/^[.,:]/u.test(cluster)) return /^\p{N}/u.test(before) && /^\p{N}/u.test(after);
  return LETTER_OR_DIGIT.test(before) && LETTER_OR_DIGIT.test(after);
}

/** [start, end) without leading and trailing white space; undefined when nothing else is left. */
export function trimRange(text: string, range: TextRange): TextRange | undefined {
  let { start, end } = range;
  while (start < end) {
    const next = nextGrapheme(text, start);
    if (!isSpace(text.slice(start, next))) break;
    start = next;
  }
  while (end > start) {
    const previous = previousGrapheme(text, end);
    if (!isSpace(text.slice(previous, end))) break;
    end = previous;
  }
  return start < end ? { start, end } : undefined;
}

/**
 * The range to annotate for a raw selection: always on grapheme boundaries, then trimmed and extended outwards by the mode. Mode none keeps
 * the selection, including spaces. Undefined when there is nothing to annotate.
 */
export function extendSelection(text: string, raw: TextRange, mode: SelectionExtension): TextRange | undefined {
  const snapped = snapRange(text, raw.start, raw.end);
  if (snapped.start >= snapped.end) return undefined;
  if (mode === 'none') return trimRange(text, snapped) === undefined ? undefined : snapped;
  const trimmed = trimRange(text, snapped);
  if (trimmed === undefined) return undefined;
  return { start: extendStart(text, trimmed.start, mode), end: extendEnd(text, trimmed.end, mode) };
}

function extendStart(text: string, from: number, mode: SelectionExtension): number {
  // A selection that starts with punctuation is intended: it is not extended past it.
  if (stopsExtension(text, from, nextGrapheme(text, from), mode)) return from;
  let start = from;
  while (start > 0) {
    const previous = previousGrapheme(text, start);
    if (stopsExtension(text, previous, start, mode)) break;
    start = previous;
  }
  return start;
}

function extendEnd(text: string, from: number, mode: SelectionExtension): number {
  if (stopsExtension(text, previousGrapheme(text, from), from, mode)) return from;
  let end = from;
  while (end < text.length) {
    const next = nextGrapheme(text, end);
    if (stopsExtension(text, end, next, mode)) break;
    end = next;
  }
  return end;
}
