import { describe, expect, it, vi } from 'vitest';
import { boxInCorner, freeCorner, freeTop, obstaclesOf, type Box } from './notice-place';

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

describe('the place of notifications on a phone', () => {
  const PHONE = { width: 390, height: 844 };
  const SLIP = { width: 366, height: 52 };
  const BAR = box(0, 788, 390, 56);
  const covers = (top: number, { top: start, bottom }: Box) => top < bottom && top + SLIP.height > start;

  it('is above the bottom bar', () => {
    const top = freeTop(SLIP, PHONE, { dialogs: [BAR], controls: [] });
    expect(top + SLIP.height).toBeLessThanOrEqual(BAR.top);
    expect(top).toBeGreaterThan(700);
  });

  it('is between two controls, where the space is enough for it', () => {
    const controls = [box(0, 740, 200, 44), box(0, 660, 200, 44), box(12, 560, 200, 32)];
    const top = freeTop(SLIP, PHONE, { dialogs: [BAR], controls });
    expect(controls.filter((one) => covers(top, one))).toEqual([]);
    expect(top).toBeGreaterThan(590);
  });

  it('leaves the title of the page and an open dialog free', () => {
    const sheet = box(0, 300, 390, 544);
    const title = box(12, 180, 200, 30);
    const top = freeTop(SLIP, PHONE, { dialogs: [sheet, BAR], controls: [title] });
    expect([sheet, title].filter((one) => covers(top, one))).toEqual([]);
  });

  it('rather covers a control than a part of a dialog', () => {
    const rows = Array.from({ length: 18 }, (_, at) => box(0, at * 46, 390, 44));
    expect(freeTop(SLIP, PHONE, { dialogs: [box(0, 200, 390, 644)], controls: rows })).toBeLessThan(148);
  });

  it('counts headings as controls, and the bottom bar as a dialog', () => {
    document.body.innerHTML = '<h1>Documents</h1><div data-bottom-bar></div><ul id="own"><li><button>Undo</button></li></ul>';
    const rect = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 10, 10));
    const own = document.querySelector('#own') ?? document.body;
    const { dialogs, controls } = obstaclesOf(document, own);
    expect([dialogs.length, controls.length]).toEqual([1, 1]);
    rect.mockRestore();
    document.body.innerHTML = '';
  });
});
