// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildLaidOutRows, layOutBlocks, type LaidOutBlock, type LayoutMark } from './layout';

const mark = (kind: LayoutMark['kind'], text: string, words: string, more: Partial<LayoutMark> = {}): LayoutMark => {
  const start = text.indexOf(words);
  return { kind, start, end: start + words.length, ...more };
};

const shown = (text: string, blocks: readonly LaidOutBlock[]) =>
  blocks.map(({ start, textEnd, look }) => [text.slice(start, textEnd), look.kind, look.level || look.lists || look.quotes]);

describe('laid out blocks', () => {
  it('are headings, items, quotes and code; text between blocks belongs to the previous one', () => {
    const text = '# T\n\none\n\n  two\n  three\n\n> said\n\n\tcode\n\tmore\n';
    const layout = [
      mark('heading', text, '# T', { level: 2 }),
      mark('paragraph', text, 'one'),
      mark('list', text, 'two\n  three'),
      mark('item', text, 'two'),
      mark('item', text, 'three'),
      mark('quote', text, '> said'),
      mark('preformatted', text, '\tcode\n\tmore'),
    ].sort((a, b) => a.start - b.start || b.end - a.end);
    const blocks = layOutBlocks(text, layout);
    expect(shown(text, blocks)).toEqual([
      ['# T', 'heading', 2],
      ['one', 'paragraph', 0],
      ['two', 'paragraph', 1],
      ['three', 'paragraph', 1],
      ['> said', 'paragraph', 1],
      ['\tcode\n\tmore', 'preformatted', 0],
    ]);
    expect(blocks.map(({ look }) => look.bullet)).toEqual(['', '', '•', '•', '', '']);
  });

  it('have cells, including empty ones, and keep a table row in one row of the screen', () => {
    const text = 'a\tb\tc\nd\t\tf';
    const cell = (start: number, end: number, header = false): LayoutMark => ({ kind: 'cell', start, end, header });
    const layout: LayoutMark[] = [
      { kind: 'table', start: 0, end: 10 },
      { kind: 'row', start: 0, end: 5 },
      ...[cell(0, 1, true), cell(2, 3, true), cell(4, 5, true)],
      { kind: 'row', start: 6, end: 10 },
      ...[cell(6, 7), cell(8, 8), cell(9, 10)],
    ];
    const blocks = layOutBlocks(text, layout);
    expect(blocks.map(({ start, textEnd, look }) => [text.slice(start, textEnd), look.cell?.column, look.cell?.header])).toEqual([
      ['a', 0, true],
      ['b', 1, true],
      ['c', 2, true],
      ['d', 0, false],
      ['f', 2, false],
    ]);
    expect(blocks[3]?.look.cell?.row.cells).toHaveLength(3);
    expect(blocks[0]?.look.cell?.row.table.columns).toBe(3);
    expect(buildLaidOutRows(text, layout, 3).map((row) => row.blocks.length)).toEqual([3, 2]);
  });

  it('numbers items of ordered lists whose numbers are not in the text, and leaves those with their own sign alone', () => {
    const text = 'one\ntwo\n- three';
    const layout: LayoutMark[] = [
      { kind: 'list', start: 0, end: 7, ordered: true },
      { kind: 'item', start: 0, end: 3 },
      { kind: 'item', start: 4, end: 7 },
      { kind: 'list', start: 8, end: 15 },
      { kind: 'item', start: 8, end: 15 },
      { kind: 'syntax', start: 8, end: 9 },
    ];
    expect(layOutBlocks(text, layout).map(({ look }) => look.bullet)).toEqual(['1.', '2.', '']);
  });

  it('clips emphasis to its blocks and keeps images at their offset', () => {
    const text = 'one two\n\nthree';
    const layout: LayoutMark[] = [
      { kind: 'paragraph', start: 0, end: 7 },
      { kind: 'strong', start: 4, end: 12 },
      { kind: 'image', start: 7, end: 7, alt: 'map' },
      { kind: 'paragraph', start: 9, end: 14 },
    ];
    expect(layOutBlocks(text, layout).map(({ look }) => look.inline.map(({ kind, start, end }) => [kind, start, end]))).toEqual([
      [
        ['strong', 4, 7],
        ['image', 7, 7],
      ],
      [['strong', 9, 12]],
    ]);
  });

  it('S-011: covers every character exactly once, whatever the layout', () => {
    const kinds = ['heading', 'paragraph', 'quote', 'preformatted', 'list', 'item', 'table', 'row', 'cell', 'strong', 'image'] as const;
    const pieces = fc.array(fc.constantFrom('a', '😀', '\n', '\r\n', '\t', ' ', 'שלום', 'e\u0301', '- '), { minLength: 1, maxLength: 60 });
    const marks = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(60), fc.nat(60)), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, marks, (parts, drawn) => {
        const text = parts.join('');
        const layout = drawn
          .map(([kind, a, b]) => ({ kind, start: Math.min(a, b, text.length), end: Math.min(Math.max(a, b), text.length) }))
          .sort((a, b) => a.start - b.start || b.end - a.end);
        const rows = buildLaidOutRows(text, layout, 10);
        const blocks = rows.flatMap((row) => row.blocks);
        expect(blocks.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
        expect(rows.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
        for (const { end, textEnd } of blocks) expect(text.slice(textEnd, end).trim()).toBe('');
      }),
    );
  });
});
