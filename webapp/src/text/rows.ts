/**
 * Rows of the virtual list: groups of whole segments up to about 1,000 characters. Every code unit of the document belongs to exactly one
 * block of exactly one row. A segment longer than a row, or a document without any boundary, is split at newlines, sentences, spaces,
 * graphemes.
 */
import { snapDown } from './graphemes';
import { isLowSurrogate } from './offsets';

export const ROW_TARGET = 1000;

export interface SegmentRange {
  readonly start: number;
  readonly end: number;
}

/** One segment (sentence) with the white space after it, or a part of an overlong one. */
export interface Block {
  readonly start: number;
  readonly end: number;
  /** End of the segment itself, without the following white space. */
  readonly textEnd: number;
  /** 1-based number of the segment; undefined for text outside any segment and for later parts of a split one. */
  readonly number: number | undefined;
  /** 0-based index of the segment, shared by its parts; -1 outside any segment. */
  readonly segment: number;
}

export interface Row {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly blocks: readonly Block[];
}

/** Rows of a text; `segments` may be unsorted, overlapping or empty: only valid, non-overlapping ones are used. */
export function buildRows(text: string, segments: readonly SegmentRange[], target = ROW_TARGET): Row[] {
  return groupRows(buildBlocks(text, segments.length > 0 ? segments : fallbackSegments(text), target), target);
}

/** Rows of up to about `target` characters; `together`: whether a block must stay in the row of the previous one. */
export function groupRows(
  blocks: readonly Block[],
  target = ROW_TARGET,
  together: (block: Block, before: Block) => boolean = () => false,
): Row[] {
  const rows: Row[] = [];
  let group: Block[] = [];
  let size = 0;
  const flush = (): void => {
    const first = group[0];
    const last = group.at(-1);
    if (first !== undefined && last !== undefined) {
      rows.push({ index: rows.length, start: first.start, end: last.end, blocks: group });
    }
    group = [];
    size = 0;
  };
  for (const block of blocks) {
    const length = block.end - block.start;
    const before = group.at(-1);
    if (before !== undefined && size + length > target && !together(block, before)) flush();
    group.push(block);
    size += length;
  }
  flush();
  return rows;
}

function buildBlocks(text: string, segments: readonly SegmentRange[], target: number): Block[] {
  const sane = saneSegments(text, segments);
  const blocks: Block[] = [];
  const first = sane[0];
  if (first === undefined)
    return cutBlock(text, { start: 0, end: text.length, textEnd: text.length, number: undefined, segment: -1 }, target);
  if (first.start > 0)
    blocks.push(...cutBlock(text, { start: 0, end: first.start, textEnd: first.start, number: undefined, segment: -1 }, target));
  sane.forEach((segment, index) => {
    const end = sane[index + 1]?.start ?? text.length;
    blocks.push(...cutBlock(text, { start: segment.start, end, textEnd: segment.end, number: index + 1, segment: index }, target));
  });
  return blocks;
}

function saneSegments(text: string, segments: readonly SegmentRange[]): SegmentRange[] {
  const sorted = segments
    .filter(({ start, end }) => start >= 0 && start < end && end <= text.length)
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const kept: SegmentRange[] = [];
  let reached = 0;
  for (const { start, end } of sorted) {
    if (start < reached || isLowSurrogate(text.charCodeAt(start))) continue;
    kept.push({ start, end });
    reached = end;
  }
  return kept;
}

/** Parts of at most `target` characters, split at the best position in the last half of each. */
export function cutBlock<T extends Block>(text: string, block: T, target: number): T[] {
  if (block.start >= block.end) return [];
  const pieces: T[] = [];
  let start = block.start;
  while (block.end - start > target) {
    const cut = bestCut(text, start, start + target);
    pieces.push(subBlock(block, start, cut));
    start = cut;
  }
  pieces.push(subBlock(block, start, block.end));
  return pieces;
}

function subBlock<T extends Block>(block: T, start: number, end: number): T {
  const textEnd = Math.min(Math.max(block.textEnd, start), end);
  return { ...block, start, end, textEnd, number: start === block.start ? block.number : undefined };
}

function bestCut(text: string, start: number, limit: number): number {
  const half = start + Math.ceil((limit - start) / 2);
  for (const pattern of [/\n/u, /[.!?。！？؟।]/u, /\s/u]) {
    for (let at = limit - 1; at >= half; at -= 1) {
      const after = text.charAt(at + 1);
      const splitsCluster = text.charAt(at) === '\r' && after === '\n';
      if (pattern.test(text.charAt(at)) && !splitsCluster && snapDown(text, at + 1) === at + 1) return at + 1;
    }
  }
  const snapped = snapDown(text, limit);
  return snapped > start ? snapped : limit;
}

/** Lines, or sentences by locale-neutral rules where a line is long. */
export function fallbackSegments(text: string, target = ROW_TARGET): SegmentRange[] {
  const found: SegmentRange[] = [];
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  for (const line of text.matchAll(/[^\r\n]+/gu)) {
    if (line[0].trim() === '') continue;
    if (line[0].length <= target) {
      found.push({ start: line.index, end: line.index + line[0].length });
      continue;
    }
    for (const { segment, index } of sentences.segment(line[0])) {
      const end = line.index + index + segment.trimEnd().length;
      if (end > line.index + index) found.push({ start: line.index + index, end });
    }
  }
  return found;
}

/** Index of the row that contains `offset` (the last row at the end of the text); -1 without rows. */
export function rowIndexAt(rows: readonly Row[], offset: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.min(low, rows.length - 1);
}
