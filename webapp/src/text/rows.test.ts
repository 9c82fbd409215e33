// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snapDown } from './graphemes';
import { buildRows, fallbackSegments, rowIndexAt } from './rows';

const SAMPLES = [
  'A short sentence. ',
  'Une phrase plus longue que la première ! ',
  '\r\n',
  '\n\n',
  'x'.repeat(300),
  '😀👨‍👩‍👧',
  'مرحبا بالعالم. ',
  '中文句子。',
  '\t',
  'e\u0301',
];
const hardText = fc.array(fc.constantFrom(...SAMPLES), { maxLength: 80 }).map((pieces) => pieces.join(''));
const segments = fc.array(
  fc.tuple(fc.nat(3000), fc.nat(600)).map(([start, length]) => ({ start, end: start + length })),
  { maxLength: 20 },
);

describe('buildRows', () => {
  it('puts every code unit in exactly one block of one row, whatever the segments', () => {
    fc.assert(
      fc.property(hardText, segments, (text, given) => {
        const rows = buildRows(text, given);
        const blocks = rows.flatMap((row) => row.blocks);
        expect(blocks.map((block) => text.slice(block.start, block.end)).join('')).toBe(text);
        expect(rows.map((row) => text.slice(row.start, row.end)).join('')).toBe(text);
        expect(blocks.every((block) => block.start < block.end && block.textEnd >= block.start && block.textEnd <= block.end)).toBe(true);
      }),
    );
  });

  it('never creates a giant row, even without newlines, spaces or segments', () => {
    fc.assert(
      fc.property(hardText, (text) => {
        for (const row of buildRows(text.repeat(3), [])) expect(row.end - row.start).toBeLessThanOrEqual(1000);
      }),
    );
    const rows = buildRows('a'.repeat(100_000), []);
    expect(rows).toHaveLength(100);
    const emoji = '👨‍👩‍👧‍👦'.repeat(1000);
    for (const row of buildRows(emoji, [])) expect(snapDown(emoji, row.start)).toBe(row.start);
  });

  it('keeps sentences whole and numbers them', () => {
    const text = 'One. Two.\nThree.';
    const [row] = buildRows(text, [
      { start: 0, end: 4 },
      { start: 5, end: 9 },
      { start: 10, end: 16 },
    ]);
    expect(row?.blocks.map(({ start, textEnd, end, number }) => [start, textEnd, end, number])).toEqual([
      [0, 4, 5, 1],
      [5, 9, 10, 2],
      [10, 16, 16, 3],
    ]);
  });

  it('splits a long segment at a space and numbers only its first part', () => {
    const text = 'word '.repeat(500);
    const rows = buildRows(text, [{ start: 0, end: text.length }]);
    const blocks = rows.flatMap((row) => row.blocks);
    expect(blocks.map((block) => block.number)).toEqual([1, undefined, undefined]);
    expect(blocks.every((block) => text.slice(block.start, block.end).endsWith(' '))).toBe(true);
  });

  it('never separates CR from LF', () => {
    const text = 'a'.repeat(999) + '\r\n' + 'b'.repeat(10);
    for (const row of buildRows(text, [{ start: 0, end: text.length }])) expect(text.charAt(row.start)).not.toBe('\n');
  });

  it('has no row for an empty document', () => {
    expect(buildRows('', [])).toEqual([]);
    expect(rowIndexAt([], 3)).toBe(-1);
  });

  it('finds the row of an offset', () => {
    const rows = buildRows('x'.repeat(2500), []);
    expect([0, 999, 1000, 2499, 2500, 9999].map((offset) => rowIndexAt(rows, offset))).toEqual([0, 0, 1, 2, 2, 2]);
  });
});

describe('fallbackSegments', () => {
  it('uses lines, and sentences in long lines', () => {
    expect(fallbackSegments('One.\r\n\r\nTwo.\n')).toEqual([
      { start: 0, end: 4 },
      { start: 8, end: 12 },
    ]);
    expect(fallbackSegments('First one. Second one.', 12)).toEqual([
      { start: 0, end: 10 },
      { start: 11, end: 22 },
    ]);
  });
});
