// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeBoxesIntoLines, positionToolbar, type Rect } from './toolbar-position';

const rect = (left: number, top: number, width: number, height: number): Rect => ({ left, top, right: left + width, bottom: top + height });
const SIZE = { width: 200, height: 36 };
const BOUNDS = rect(0, 0, 800, 600);
const hits = (a: Rect, b: Rect) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
const barAt = ({ left, top }: { left: number; top: number }) => rect(left, top, SIZE.width, SIZE.height);

/** A card with one line and its title above; the next card's title is below. */
const own = rect(0, 100, 300, 20);
const next = rect(0, 180, 300, 20);
const line = rect(0, 126, 500, 34);
const anchor = [rect(40, 130, 60, 20)];

describe('the position of a toolbar on a card', () => {
  it('is right above where nothing needed is covered', () => {
    expect(positionToolbar(SIZE, { anchor, bounds: BOUNDS, needed: [next], textBoxes: [line] })).toEqual({ left: 40, top: 88 });
  });

  it('covers neither the title of the card, nor that of the next one, nor the word', () => {
    const bar = barAt(positionToolbar(SIZE, { anchor, bounds: BOUNDS, needed: [own, next], textBoxes: [line] }));
    for (const box of [own, next, ...anchor]) expect(hits(bar, box)).toBe(false);
  });

  it('stays in the visible area: at the upper edge it is not above', () => {
    const top = [rect(40, 4, 60, 20)];
    const { top: at } = positionToolbar(SIZE, { anchor: top, bounds: BOUNDS, needed: [], textBoxes: [] });
    expect(at).toBeGreaterThanOrEqual(0);
    expect(hits(barAt({ left: 40, top: at }), top[0]!)).toBe(false);
  });

  it('never leaves the card, and covers a title only where every position would', () => {
    const box = fc.record({
      left: fc.integer({ min: 0, max: 700 }),
      top: fc.integer({ min: 0, max: 560 }),
      width: fc.integer({ min: 1, max: 300 }),
    });
    fc.assert(
      fc.property(box, fc.array(box, { maxLength: 5 }), (at, titles) => {
        const needed = titles.map(({ left, top, width }) => rect(left, top, width, 20));
        const place = positionToolbar(SIZE, {
          anchor: [rect(at.left, at.top, Math.min(at.width, 100), 20)],
          bounds: BOUNDS,
          needed,
          textBoxes: [],
        });
        const bar = barAt(place);
        expect(bar.left).toBeGreaterThanOrEqual(BOUNDS.left);
        expect(bar.right).toBeLessThanOrEqual(BOUNDS.right);
        expect(bar.top).toBeGreaterThanOrEqual(BOUNDS.top);
        expect(bar.bottom).toBeLessThanOrEqual(BOUNDS.bottom);
        const free = barAt({ left: bar.left, top: at.top - 42 });
        if (free.top >= 0 && !needed.some((one) => hits(free, one))) expect(needed.some((one) => hits(bar, one))).toBe(false);
      }),
    );
  });

  it('merges words of the same height into one line', () => {
    expect(mergeBoxesIntoLines([rect(0, 0, 10, 20), rect(20, 2, 10, 20), rect(0, 36, 5, 20), rect(9, 9, 0, 9)])).toEqual([
      rect(0, 0, 30, 22),
      rect(0, 36, 5, 20),
    ]);
  });
});
