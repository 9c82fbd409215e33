import { describe, expect, it } from 'vitest';
import { boxInCorner, freeCorner, type Box } from './notice-place';

const PAGE = { width: 1440, height: 900 };
const CARD = { width: 400, height: 90 };
const box = (left: number, top: number, width: number, height: number): Box => ({ left, top, right: left + width, bottom: top + height });
const NOTHING = { dialogs: [], controls: [] };

describe('the place of notifications', () => {
  it('is the bottom right where nothing is in the way', () => {
    expect(freeCorner(CARD, PAGE, NOTHING)).toBe('bottom-right');
    expect(boxInCorner('bottom-right', CARD, PAGE)).toEqual({ left: 1020, top: 768, right: 1420, bottom: 858 });
  });

  it('leaves a button at the bottom of the right drawer free', () => {
    expect(freeCorner(CARD, PAGE, { ...NOTHING, controls: [box(1300, 820, 100, 32)] })).toBe('bottom-left');
  });

  it('is at the top when both lower corners have buttons', () => {
    const controls = [box(1300, 820, 100, 32), box(60, 800, 200, 26)];
    expect(freeCorner(CARD, PAGE, { ...NOTHING, controls })).toBe('top-right');
  });

  it('rather covers a few buttons than a part of a dialog', () => {
    const page = { width: 800, height: 600 };
    const controls = [box(30, 120, 300, 30)];
    expect(freeCorner(CARD, page, { dialogs: [box(75, 250, 650, 340), box(600, 100, 200, 100)], controls })).toBe('top-left');
  });

  it('stays within a narrow page', () => {
    const { left, right } = boxInCorner('bottom-right', { width: 366, height: 90 }, { width: 390, height: 800 });
    expect([left, right]).toEqual([4, 370]);
  });
});
