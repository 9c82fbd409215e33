/**
 * Grapheme boundaries: a selection never splits a surrogate pair, a ZWJ emoji, a flag or a letter from its combining marks. Only a window
 * around the offset is segmented, so the cost does not depend on the length of the document.
 */
import { isLowSurrogate } from './offsets';

const WINDOW = 128;
const MAX_WINDOW = 8192;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Characters after which a cluster always ends (GB4): segmentation can start there. */
const SAFE_START = /[\n\r\t]/u;
/** An ASCII letter, digit or space followed by another one is always a boundary between two clusters. */
const PLAIN = /[ A-Za-z0-9]/u;

/** First index of a window from which segmentation gives the same boundaries as from the start of the text. */
function windowStart(text: string, offset: number): number {
  const floor = Math.max(0, offset - MAX_WINDOW);
  for (let at = Math.max(0, offset - 2); at > floor; at -= 1) {
    const here = text.charAt(at);
    const before = text.charAt(at - 1);
    // Not between CR and LF: that pair is one cluster.
    if (SAFE_START.test(before) && here !== '\n') return at;
    if (PLAIN.test(before) && PLAIN.test(here)) return at;
  }
  return floor > 0 && isLowSurrogate(text.charCodeAt(floor)) ? floor - 1 : floor;
}

/** The cluster that contains `offset`: [start, end). At the end of the text, an empty cluster. */
export function graphemeAt(text: string, offset: number): { start: number; end: number } {
  if (offset >= text.length) return { start: text.length, end: text.length };
  const at = Math.max(0, offset);
  const from = windowStart(text, at);
  for (let size = WINDOW; ; size *= 4) {
    const to = Math.min(text.length, at + size);
    const cluster = segmenter.segment(text.slice(from, to)).containing(at - from);
    const start = from + (cluster?.index ?? 0);
    const end = start + (cluster?.segment.length ?? 1);
    // A cluster touching the edge of the window may continue past it.
    if (end < to || to === text.length) return { start, end };
  }
}

/** Largest boundary <= offset. */
export function snapDown(text: string, offset: number): number {
  return graphemeAt(text, clampTo(text, offset)).start;
}

/** Smallest boundary >= offset. */
export function snapUp(text: string, offset: number): number {
  const at = clampTo(text, offset);
  const cluster = graphemeAt(text, at);
  return cluster.start === at ? at : cluster.end;
}

/** Widens [start, end) so that both ends are grapheme boundaries; order of the ends does not matter. */
export function snapRange(text: string, start: number, end: number): { start: number; end: number } {
  const low = Math.min(start, end);
  const high = Math.max(start, end);
  return { start: snapDown(text, low), end: snapUp(text, high) };
}

/** Start of the cluster before the boundary `offset` (0 at the start of the text). */
export function previousGrapheme(text: string, offset: number): number {
  return offset <= 0 ? 0 : graphemeAt(text, Math.min(offset, text.length) - 1).start;
}

/** End of the cluster that starts at or contains `offset`. */
export function nextGrapheme(text: string, offset: number): number {
  return graphemeAt(text, clampTo(text, offset)).end;
}

function clampTo(text: string, offset: number): number {
  return Math.min(Math.max(Math.trunc(offset), 0), text.length);
}
