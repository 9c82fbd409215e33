// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRows } from '@/text/rows';
import { drawRelationArcs, nameWidth, nearestBoxes } from './relation-paths';
import type { Box, RowFrame, RelationEndBoxes } from './relation-paths';
import { cutText, arcFootOffset, reuseUnchangedRelations, MAX_ARC_LANES, relationsBySpan, relationsOfRow } from './relations';
import type { SpanRelation } from './relations';
import { span } from '@/annotation/testing/fixtures';

const relation = (id: string, source: string, target: string, name = 'of'): SpanRelation => ({ id, name, source, target, status: 'saved' });
const TEXT = `${'word '.repeat(150)}. ${'word '.repeat(250)}`;
const ROWS = buildRows(TEXT, [
  { start: 0, end: 751 },
  { start: 752, end: TEXT.length },
]);
const SPANS = [span('a', 0, 4), span('b', 40, 44), span('c', 100, 104), span('far', TEXT.length - 40, TEXT.length - 36)];

function linksOf(relations: readonly SpanRelation[], spans = SPANS, row = ROWS[0]!) {
  const byId = new Map(spans.map((one) => [one.id, one]));
  return relationsOfRow(row, spans, { byId, related: relationsBySpan(relations, byId) }, ({ id }) => `words of ${id}`);
}

describe('relations of a row', () => {
  it('are those whose ends are drawn, each once', () => {
    const found = linksOf([relation('r', 'a', 'b'), relation('lost', 'a', 'gone')]);
    expect(found?.links.map(({ relation: { id }, sourceInRow, targetInRow }) => [id, sourceInRow, targetInRow])).toEqual([
      ['r', true, true],
    ]);
    expect(linksOf([relation('lost', 'a', 'gone')])).toBeUndefined();
  });

  it('have the text and the direction of an end in another row', () => {
    expect(ROWS.length).toBeGreaterThan(1);
    const both = [relation('r', 'a', 'far')];
    expect(linksOf(both)?.links[0]).toMatchObject({ sourceInRow: true, targetInRow: false, elsewhere: 'after', otherText: 'words of far' });
    expect(linksOf(both, SPANS, ROWS.at(-1))?.links[0]).toMatchObject({ sourceInRow: false, targetInRow: true, elsewhere: 'before' });
  });

  it('raise their lines: nested ones by a lane each, at most four', () => {
    const found = linksOf([relation('outer', 'a', 'c'), relation('inner', 'a', 'b'), relation('next', 'b', 'c')]);
    expect([...(found?.rises ?? [])].sort()).toEqual([
      ['a', 2],
      ['b', 1],
      ['c', 2],
    ]);
    const many = linksOf(Array.from({ length: 12 }, (_, n) => relation(`r${String(n)}`, 'a', 'b')));
    expect(new Set(many?.rises.values())).toEqual(new Set([MAX_ARC_LANES]));
  });

  it('keep their identity while nothing changes, so that their row does not render', () => {
    const known = relation('r', 'a', 'b');
    const before = linksOf([known]);
    expect(reuseUnchangedRelations(linksOf([known]), before)).toBe(before);
    const turned = { ...known, source: 'b', target: 'a' };
    const after = reuseUnchangedRelations(linksOf([turned]), before);
    expect(after).not.toBe(before);
    expect(after?.rises).toBe(before?.rises);
  });

  it('end on the nearest fragment; text is cut between characters', () => {
    const fragments = [
      { start: 0, end: 4 },
      { start: 80, end: 84 },
    ];
    expect(arcFootOffset(span('p', 0, 84, 'person', { fragments }), span('c', 100, 104))).toBe(82);
    expect(cutText('👩🏿‍🚒'.repeat(30))).toMatch(/…$/u);
    expect(cutText('a\n b')).toBe('a b');
  });
});

const box = (left: number, right: number, top = 100): Box => ({ left, right, top });
const frame = (more: Partial<RowFrame> = {}): RowFrame => ({ left: 0, right: 800, rtl: false, unit: 1, lanesAt: () => 4, ...more });
const boxes = (
  id: string,
  source: readonly Box[],
  target: readonly Box[],
  more: Partial<RelationEndBoxes['link']> = {},
): RelationEndBoxes => ({
  link: {
    relation: relation(id, `${id}s`, `${id}t`),
    sourceInRow: source.length > 0,
    targetInRow: target.length > 0,
    elsewhere: undefined,
    otherText: '',
    ...more,
  },
  source,
  target,
});
/** Heights of the horizontal parts of a path. */
const levels = (path: string) => [...path.matchAll(/Q\S+ \S+ \S+ (-?[\d.]+)H/gu)].map((match) => Number(match[1]));

describe('arcs', () => {
  it('run above the line from middle to middle, with an arrow down at the target', () => {
    const [drawn] = drawRelationArcs([boxes('r', [box(100, 140)], [box(300, 340)])], frame());
    expect(drawn?.paths).toHaveLength(1);
    expect(drawn?.paths[0]).toMatch(/^M120 99V/u);
    expect(drawn?.paths[0]).toMatch(/V99$/u);
    expect(drawn?.arrows[0]).toMatch(/^M320 99/u);
    const [name] = drawn?.names ?? [];
    expect(name).toMatchObject({ text: 'of', jump: undefined });
    expect((name?.left ?? 0) + (name?.width ?? 0) / 2).toBe(220);
    expect((name?.top ?? 0) + 11).toBeLessThan(100);
  });

  it('never overlap the letters nor leave their lanes, for any relations', () => {
    const place = fc.tuple(fc.nat(700), fc.integer({ min: 8, max: 90 })).map(([left, width]) => box(left, left + width));
    fc.assert(
      fc.property(fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 4 }), (pairs, lanes) => {
        const drawn = drawRelationArcs(
          pairs.map(([a, b], at) => boxes(String(at), [a], [b])),
          frame({ lanesAt: () => lanes }),
        );
        expect(drawn).toHaveLength(pairs.length);
        for (const { paths, names, arrows } of drawn) {
          const heights = [...paths, ...arrows].flatMap((path) =>
            [...path.matchAll(/(?:[ V])(-?[\d.]+)(?=[A-Z]|$)/gu)].map((match) => Number(match[1])),
          );
          for (const y of [...heights, ...names.flatMap(({ top }) => [top, top + 11])]) {
            expect(y).toBeLessThanOrEqual(100);
            expect(y).toBeGreaterThanOrEqual(100 - 13 * lanes - 1);
          }
        }
        const taken = drawn.filter(({ crowded }) => !crowded).flatMap(({ names }) => names);
        for (const a of taken)
          for (const b of taken) {
            const apart = a === b || a.top !== b.top || a.left + a.width <= b.left || b.left + b.width <= a.left;
            expect(apart).toBe(true);
          }
      }),
    );
  });

  it('across two lines go to the edges with an arrow onwards; mirrored from right to left', () => {
    const two = boxes('r', [box(100, 140, 100)], [box(300, 340, 180)]);
    const [drawn] = drawRelationArcs([two], frame());
    expect(drawn?.paths.map((path) => /H([\d.]+)$/u.exec(path)?.[1]).sort()).toEqual(['0', '800']);
    expect(drawn?.names.map(({ jump }) => jump)).toEqual(['rt']);
    const [mirrored] = drawRelationArcs([two], frame({ rtl: true }));
    expect(mirrored?.paths[0]).not.toBe(drawn?.paths[0]);
    expect(new Set(drawn?.paths.flatMap(levels)).size).toBe(2);
  });

  it('to another row are a stub with the text of the other end, reversed at the edge', () => {
    const far = { elsewhere: 'after' as const, otherText: 'cancer' };
    const [drawn] = drawRelationArcs([boxes('r', [box(100, 140)], [], far)], frame());
    expect(drawn?.names[0]).toMatchObject({ text: 'of → cancer', jump: 'rt' });
    const [atEdge] = drawRelationArcs([boxes('r', [box(760, 790)], [], far)], frame());
    expect(Number(/H([\d.]+)$/u.exec(atEdge?.paths[0] ?? '')?.[1])).toBeLessThan(775);
    const [target] = drawRelationArcs([boxes('r', [], [box(100, 140)], { elsewhere: 'before', otherText: 'gene' })], frame());
    expect(target?.names[0]).toMatchObject({ text: 'gene → of', jump: 'rs' });
    expect(target?.arrows[0]).toMatch(/^M120 99/u);
  });

  it('are placed next to each other on one span, and at the nearest of its boxes', () => {
    const here = box(100, 200);
    const drawn = drawRelationArcs([boxes('left', [here], [box(0, 20)]), boxes('right', [here], [box(400, 420)])], frame());
    const foot = (id: string) => Number(/^M([\d.]+)/u.exec(drawn.find((one) => one.id === id)?.paths[0] ?? '')?.[1]);
    expect(foot('left')).toBeLessThan(foot('right'));
    expect(nearestBoxes([box(0, 10, 100), box(700, 710, 60)], [box(690, 695, 100)])[0]).toEqual(box(0, 10, 100));
    expect(nameWidth('漢字', 1)).toBeGreaterThan(nameWidth('ab', 1));
  });
});
