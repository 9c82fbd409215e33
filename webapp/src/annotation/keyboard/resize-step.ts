/** Moves an edge of a span by keys, by word or by character. Pure; offsets are UTF-16. */
import { nextGrapheme, previousGrapheme, snapDown, snapUp } from '@/text/graphemes';
import type { Edge } from '@/text/resize-range';
import { tokenAfter, tokenAt, tokenBefore } from '@/text/tokens';
import type { TextRange } from '@/annotation/model';

const BLANK = /^\s*$/u;

/**
 * The range with one edge moved by a step. The other edge stays exactly where it is; at least one character remains between them, and
 * neither edge lands on white space. Returns the same range where no step is possible.
 */
export function stepEdge(text: string, range: TextRange, edge: Edge, unit: 'word' | 'grapheme', forward: boolean): TextRange {
  const place = edge === 'end' ? nextEndOffset(text, range, unit, forward) : nextStartOffset(text, range, unit, forward);
  if (place === undefined) return range;
  const next = edge === 'end' ? { start: range.start, end: snapUp(text, place) } : { start: snapDown(text, place), end: range.end };
  return next.start < next.end && !BLANK.test(text.slice(next.start, next.end)) ? next : range;
}

type Unit = 'word' | 'grapheme';

function nextEndOffset(text: string, range: TextRange, unit: Unit, forward: boolean): number | undefined {
  if (unit === 'word') return forward ? nextWordEnd(text, range) : offsetIfInsideRange(range, tokenBefore(text, range.end - 1)?.end);
  if (!forward) return offsetIfInsideRange(range, skipBlank(text, previousGrapheme(text, range.end), false));
  const place = skipBlank(text, range.end, true);
  return place < text.length ? nextGrapheme(text, place) : undefined;
}

function nextStartOffset(text: string, range: TextRange, unit: Unit, forward: boolean): number | undefined {
  if (unit === 'word')
    return forward ? offsetIfInsideRange(range, tokenAfter(text, range.start + 1)?.start) : previousWordStart(text, range);
  if (forward) return offsetIfInsideRange(range, skipBlank(text, nextGrapheme(text, range.start), true));
  const place = skipBlank(text, range.start, false);
  return place > 0 ? previousGrapheme(text, place) : undefined;
}

/** The end of the word that contains the end of the range, else of the next word. */
function nextWordEnd(text: string, { start, end }: TextRange): number | undefined {
  const cut = tokenAt(text, end - 1);
  return cut !== undefined && cut.end > end && cut.start < end && end > start ? cut.end : tokenAfter(text, end)?.end;
}

function previousWordStart(text: string, { start }: TextRange): number | undefined {
  const cut = tokenAt(text, start);
  return cut !== undefined && cut.start < start && cut.end > start ? cut.start : tokenBefore(text, start)?.start;
}

/** Skips white space, forwards or backwards. */
function skipBlank(text: string, offset: number, forward: boolean): number {
  let at = offset;
  for (;;) {
    const next = forward ? nextGrapheme(text, at) : previousGrapheme(text, at);
    if (next === at || !BLANK.test(text.slice(Math.min(at, next), Math.max(at, next)))) return at;
    at = next;
  }
}

const offsetIfInsideRange = ({ start, end }: TextRange, place: number | undefined) =>
  place !== undefined && place > start && place < end ? place : undefined;
