/**
 * Movement of the cursor by character, word, sentence and to the ends. Pure; offsets are UTF-16. The cursor is a range: usually the word it
 * is on.
 */
import { countBefore } from '@/text/intervals';
import { graphemeAt, nextGrapheme, previousGrapheme } from '@/text/graphemes';
import type { Row } from '@/text/rows';
import { tokenAfter, tokenAt, tokenBefore } from '@/text/tokens';
import { extentOverlapsRange } from '@/annotation/fragments';
import type { Span, TextRange } from '@/annotation/model';

export type CursorUnit = 'grapheme' | 'word' | 'sentence' | 'sentenceEnd' | 'document';

export interface CursorStep {
  readonly unit: CursorUnit;
  /** Forward in reading order, whatever side of the screen that is. */
  readonly forward: boolean;
}

export interface Cursor {
  readonly caret: TextRange | undefined;
  /** Where a selection began; undefined: the cursor only moves. */
  readonly anchor: TextRange | undefined;
  /** In order, without overlap; empty: the text is one sentence. */
  readonly sentences: readonly TextRange[];
}

/** The range after a step; the same range at the ends of the text; undefined in a blank text. */
export function stepCursor(text: string, cursor: Cursor, { unit, forward }: CursorStep): TextRange | undefined {
  if (unit === 'document') return forward ? tokenBefore(text, text.length) : tokenAfter(text, 0);
  const { caret } = cursor;
  if (caret === undefined) return tokenAt(text, 0);
  if (unit === 'word') return (forward ? tokenAfter(text, caret.end) : tokenBefore(text, caret.start)) ?? caret;
  if (unit === 'grapheme') return stepGrapheme(text, caret, cursor.anchor, forward);
  if (unit === 'sentence') return stepSentence(text, caret, cursor.sentences, forward);
  const { start, end } = sentenceAround(text, cursor.sentences, caret.start);
  const found = forward ? tokenBefore(text, end) : tokenAfter(text, start);
  return found !== undefined && found.end > start && found.start < end ? found : caret;
}

/** Segments of the rows, in order; the parts of a split segment are joined. Text outside any segment counts as a sentence too. */
const known = new WeakMap<readonly Row[], readonly TextRange[]>();

export function sentencesOf(rows: readonly Row[]): readonly TextRange[] {
  const cached = known.get(rows);
  if (cached !== undefined) return cached;
  const found: { start: number; end: number; segment: number }[] = [];
  for (const { start, textEnd, segment } of rows.flatMap(({ blocks }) => blocks)) {
    const last = found.at(-1);
    if (last !== undefined && segment >= 0 && last.segment === segment) last.end = textEnd;
    else found.push({ start, end: textEnd, segment });
  }
  known.set(rows, found);
  return found;
}

/** The sentence that contains the offset, or the one before it. */
export function sentenceAround(text: string, sentences: readonly TextRange[], offset: number): TextRange {
  return sentences[countBefore(sentences, offset + 1) - 1] ?? sentences[0] ?? { start: 0, end: text.length };
}

function stepSentence(text: string, caret: TextRange, sentences: readonly TextRange[], forward: boolean): TextRange {
  const at = Math.max(0, countBefore(sentences, caret.start + 1) - 1);
  if (forward) {
    const next = sentences[at + 1];
    return (next === undefined ? tokenBefore(text, text.length) : tokenAfter(text, next.start)) ?? caret;
  }
  const first = tokenAfter(text, sentences[at]?.start ?? 0) ?? caret;
  if (first.start < caret.start) return first;
  const previous = sentences[at - 1];
  return (previous && tokenAfter(text, previous.start)) ?? caret;
}

const BLANK = /^\s*$/u;

/** The next character that is not white space; undefined at the end. */
function visibleGraphemeAfter(text: string, offset: number): TextRange | undefined {
  for (let at = offset; at < text.length; at = nextGrapheme(text, at)) {
    const sign = graphemeAt(text, at);
    if (!BLANK.test(text.slice(sign.start, sign.end))) return sign;
  }
  return undefined;
}

function visibleGraphemeBefore(text: string, offset: number): TextRange | undefined {
  for (let end = offset; end > 0;) {
    const start = previousGrapheme(text, end);
    if (!BLANK.test(text.slice(start, end))) return { start, end };
    end = start;
  }
  return undefined;
}

/** From a word the cursor first narrows to its first or last character; a selection grows and shrinks at its head. */
function stepGrapheme(text: string, caret: TextRange, anchor: TextRange | undefined, forward: boolean): TextRange {
  const single = nextGrapheme(text, caret.start) >= caret.end;
  if (anchor === undefined) {
    if (!single) return (forward ? visibleGraphemeAfter(text, caret.start) : visibleGraphemeBefore(text, caret.end)) ?? caret;
    return (forward ? visibleGraphemeAfter(text, caret.end) : visibleGraphemeBefore(text, caret.start)) ?? caret;
  }
  if (forward) {
    // A head before its anchor loses its first character.
    const from = caret.start < anchor.start && !single ? nextGrapheme(text, caret.start) : caret.end;
    return visibleGraphemeAfter(text, from) ?? caret;
  }
  const from = caret.end > anchor.end && !single ? previousGrapheme(text, caret.end) : caret.start;
  return visibleGraphemeBefore(text, from) ?? caret;
}

/** Ids of the spans that touch the cursor, nested and crossing ones, smallest first: the order in which the space bar cycles. */
export function spansAt(ordered: readonly Span[], place: TextRange): string[] {
  return ordered
    .filter((span) => extentOverlapsRange(span, place))
    .sort((a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

/** Ids of the spans around a span, starting with itself, then outwards. */
export function spansAround(ordered: readonly Span[], span: Span | undefined): string[] {
  if (span === undefined) return [];
  return ordered
    .filter((other) => other.start <= span.start && other.end >= span.end)
    .sort((a, b) => a.end - a.start - (b.end - b.start) || (a.id === span.id ? -1 : b.id === span.id ? 1 : 0))
    .map(({ id }) => id);
}

/** The next span in reading order after the focused one, or after the cursor. */
export function nextSpanFromCursor(
  ordered: readonly Span[],
  focusedId: string | undefined,
  caret: TextRange | undefined,
  forward: boolean,
  wanted: (span: Span) => boolean = () => true,
): Span | undefined {
  const current = ordered.findIndex((span) => span.id === focusedId);
  const at = current >= 0 ? current : countBefore(ordered, caret?.start ?? 0) - (forward ? 1 : 0);
  return forward ? ordered.slice(at + 1).find(wanted) : ordered.slice(0, Math.max(0, at)).findLast(wanted);
}
