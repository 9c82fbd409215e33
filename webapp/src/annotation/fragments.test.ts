// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignSpanLanes, splitRuns } from '@/text/span-runs';
import { laneCountOfRun, runStyle } from '@/annotation/drawing/run-drawing';
import {
  mergeIntoExtent,
  fragmentIndexAt,
  fragmentsOf,
  sameExtent,
  textOfExtent,
  extentOverlapsRange,
  withoutFragment,
  withFragment,
  extentWithFragmentReplaced,
} from './fragments';
import { APPEARANCE, span } from '@/annotation/testing/fixtures';
import { DocumentSerializer } from './document-serializer';

const ranges = fc.array(
  fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 12 })).map(([start, length]) => ({ start, end: start + length })),
  { minLength: 1, maxLength: 8 },
);

describe('fragments of a span', () => {
  it('are in order, apart from each other, and cover exactly the input', () => {
    fc.assert(
      fc.property(ranges, (given) => {
        const extent = mergeIntoExtent(given)!;
        const fragments = fragmentsOf(extent);
        fragments.slice(1).forEach(({ start }, at) => expect(start).toBeGreaterThan(fragments[at]!.end));
        expect([fragments[0]!.start, fragments.at(-1)!.end]).toEqual([extent.start, extent.end]);
        for (let offset = 0; offset < 80; offset += 1) {
          const inside = given.some(({ start, end }) => offset >= start && offset < end);
          expect(fragmentIndexAt(extent, offset) >= 0).toBe(inside);
          expect(extentOverlapsRange(extent, { start: offset, end: offset + 1 })).toBe(inside);
        }
      }),
    );
  });

  it('are added, merged where they touch, and removed; the last one stays', () => {
    const one = { start: 0, end: 6 };
    const two = withFragment(one, { start: 19, end: 25 });
    expect(two).toEqual({ start: 0, end: 25, fragments: [one, { start: 19, end: 25 }] });
    expect(sameExtent(withFragment(two, { start: 6, end: 19 }), { start: 0, end: 25 })).toBe(true);
    expect(withoutFragment(two, 0)).toEqual({ start: 19, end: 25, fragments: undefined });
    expect(withoutFragment(one, 0)).toBe(one);
    expect(extentWithFragmentReplaced(two, 1, { start: 20, end: 25 }).fragments).toEqual([one, { start: 20, end: 25 }]);
    expect(textOfExtent('breast and ovarian cancer', two)).toBe('breast … cancer');
  });

  it('are drawn as one: the same lane, a line between them, nothing marked there', () => {
    const both = span('both', 0, 20, 'person', {
      fragments: [
        { start: 0, end: 6 },
        { start: 14, end: 20 },
      ],
    });
    const inner = span('inner', 8, 12, 'location');
    const runs = splitRuns(0, 24, assignSpanLanes([both, inner]));
    expect(runs.map(({ start, covers, gapOf }) => [start, covers.map((one) => one.span.id), gapOf.map((one) => one.span.id)])).toEqual([
      [0, ['both'], []],
      [6, [], ['both']],
      [8, ['inner'], ['both']],
      [12, [], ['both']],
      [14, ['both'], []],
      [20, [], []],
    ]);
    expect(
      runs.flatMap(({ covers }) => covers).map((one) => [one.span.id, one.first, one.last, one.fragmentFirst, one.fragmentLast]),
    ).toEqual([
      ['both', true, false, true, true],
      ['inner', true, true, true, true],
      ['both', false, true, true, true],
    ]);
    expect(laneCountOfRun(runs[2]!)).toBe(2);
    const layers = { linked: [], hit: false, selected: false, selectionStart: false, selectionEnd: false, caret: false };
    expect(runStyle(runs[1]!, layers, APPEARANCE, false).backgroundImage).toContain('repeating-linear-gradient(90deg, teal 0 3px');
    expect(runStyle(runs[1]!, layers, APPEARANCE, false).backgroundImage).not.toContain('azure');
  });

  it('are converted to code points and back', () => {
    const text = '😀 breast and 😀 ovarian cancer';
    const wire = new DocumentSerializer(text, 100);
    const at = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length });
    const extent = mergeIntoExtent([at('breast'), at('cancer')])!;
    const sent = wire.apiExtent(extent);
    expect(sent).toEqual({
      start: 102,
      end: 129,
      fragments: [
        [102, 108],
        [123, 129],
      ],
    });
    const read = wire.span({ ...sent, identifier: '1', labelName: 'disease' });
    expect(sameExtent(read, extent)).toBe(true);
    expect(textOfExtent(text, read)).toBe('breast … cancer');
    expect(wire.apiExtent(at('ovarian'))).toEqual({ start: 115, end: 122 });
  });
});
