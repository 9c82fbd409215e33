/** Tokens for the keyboard caret: words by Intl.Segmenter, punctuation marks as separate tokens, white space skipped. */
import type { TextRange } from './extend-selection';

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const WINDOW = 400;
const SPACE = /\s/u;

/** A window around `offset` that starts and ends at white space if possible, so that no word is split. */
function windowAround(text: string, offset: number, reach: number): TextRange {
  let start = Math.max(0, offset - reach);
  while (start > 0 && offset - start < reach * 4 && !SPACE.test(text.charAt(start - 1))) start -= 1;
  let end = Math.min(text.length, offset + reach);
  while (end < text.length && end - offset < reach * 4 && !SPACE.test(text.charAt(end))) end += 1;
  return { start, end };
}

function tokensBetween(text: string, start: number, end: number): TextRange[] {
  const found: TextRange[] = [];
  for (const { segment, index } of wordSegmenter.segment(text.slice(start, end))) {
    if (segment.trim() !== '') found.push({ start: start + index, end: start + index + segment.length });
  }
  return found;
}

/** The token that contains `offset`, or the next one, or the last one of the text; undefined in a blank text. */
export function tokenAt(text: string, offset: number): TextRange | undefined {
  return findToken(text, offset, (tokens) => tokens.find((token) => token.end > offset), true) ?? tokenBefore(text, text.length);
}

/** The first token that starts at or after `offset`. */
export function tokenAfter(text: string, offset: number): TextRange | undefined {
  return findToken(text, offset, (tokens) => tokens.find((token) => token.start >= offset), true);
}

/** The last token that ends at or before `offset`. */
export function tokenBefore(text: string, offset: number): TextRange | undefined {
  return findToken(text, offset, (tokens) => tokens.findLast((token) => token.end <= offset), false);
}

function findToken(
  text: string,
  offset: number,
  pick: (tokens: TextRange[]) => TextRange | undefined,
  forward: boolean,
): TextRange | undefined {
  for (let reach = WINDOW; ; reach *= 8) {
    const { start, end } = windowAround(text, offset, reach);
    const found = pick(tokensBetween(text, start, end));
    // A token at the edge of the window may be incomplete: search again in a wider one.
    const cut = found !== undefined && ((found.end === end && end < text.length) || (found.start === start && start > 0));
    if (found !== undefined && !cut) return found;
    if (forward ? end >= text.length && !cut : start <= 0 && !cut) return found;
    if (start <= 0 && end >= text.length) return found;
  }
}
