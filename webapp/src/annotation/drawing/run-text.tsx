/**
 * Text of a run. Under deep lanes an empty element after the first character of each word makes the line taller downwards; under relation
 * arcs another one makes it taller upwards.
 */
import { Fragment, memo } from 'react';
import type { ReactNode } from 'react';
import { nextGrapheme } from '@/text/graphemes';

/** Scripts whose lines may break between any two characters. */
const BREAKS_ANYWHERE =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{Extended_Pictographic}]/u;
/** A line may break after these characters. */
const BREAK_AFTER = /[\s\-\u200B\u2010\u2013\u2014/?]$/u;

/** Parts of `slice`, each followed by a line spacer. Their concatenation is the slice. */
export function splitForLineSpacers(slice: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let wordStart = true;
  for (let at = 0; at < slice.length;) {
    const next = nextGrapheme(slice, at);
    const sign = slice.slice(at, next);
    const visible = sign.trim() !== '';
    if (visible && (wordStart || BREAKS_ANYWHERE.test(sign))) {
      parts.push(slice.slice(from, next));
      from = next;
    }
    wordStart = !visible || BREAK_AFTER.test(sign);
    at = next;
  }
  if (from < slice.length) parts.push(slice.slice(from));
  return parts;
}

interface RunTextProps {
  readonly slice: string;
  readonly lanes: number;
  /** Number of arc lanes above the line. */
  readonly rise?: number | undefined;
}

export const RunText = memo(function RunText({ slice, lanes, rise = 0 }: RunTextProps): ReactNode {
  if (lanes < 2 && rise === 0) return slice;
  const parts = splitForLineSpacers(slice);
  return parts.map((part, at) => (
    <Fragment key={at}>
      {part}
      {lanes > 1 && part.trim() !== '' && <i className={`ann-grow ann-grow-${String(lanes)}`} />}
      {rise > 0 && part.trim() !== '' && <i className={`ann-rise ann-rise-${String(rise)}`} />}
    </Fragment>
  ));
});
