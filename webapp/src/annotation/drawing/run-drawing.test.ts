// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignSpanLanes, splitRuns } from '@/text/span-runs';
import { laneCountOfRun, runStyle, tagsOf } from './run-drawing';
import type { RunHighlights } from './run-drawing';
import { formatScore } from '@/annotation/model';
import type { Span } from '@/annotation/model';
import { splitForLineSpacers } from './run-text';
import { APPEARANCE, span } from '@/annotation/testing/fixtures';

const plain: RunHighlights = { linked: [], hit: false, selected: false, selectionStart: false, selectionEnd: false, caret: false };
const tagTexts = { saving: 'saving', notSaved: 'not saved' };
const runOf = (...spans: Span[]) => splitRuns(0, 10, assignSpanLanes(spans)).find((run) => run.covers.length === spans.length)!;
const tags = (...spans: Span[]) => tagsOf(runOf(...spans), APPEARANCE, tagTexts, formatScore).map(({ text, kind }) => [text, kind]);

describe('tags', () => {
  it('show the state as text or line style, never by colour alone', () => {
    expect(tags(span('a', 0, 5))).toEqual([['PER', 'solid']]);
    expect(tags(span('a', 0, 5, 'organisation', { status: 'suggested', score: 0.88 }))).toEqual([['ORG .88', 'outlined']]);
    expect(tags(span('a', 0, 5, 'person', { status: 'saving' }))).toEqual([['PER saving', 'solid']]);
    expect(tags(span('a', 0, 5, 'person', { status: 'failed' }))).toEqual([['PER not saved', 'failed']]);
    expect(tags(span('a', 0, 5, 'person', { status: 'rejected' }))).toEqual([['PER', 'rejected']]);
    expect(tags(span('a', 0, 5, 'person', { change: 'added' }))).toEqual([['+PER', 'solid']]);
  });

  it('are shortened where the next one of their lane is close, and complete otherwise', () => {
    const close = (room: number | undefined, more: Partial<Span> = {}) => {
      const [run] = splitRuns(0, 10, [{ span: span('a', 0, 5, 'organisation', more), lane: 0, room }]);
      return tagsOf(run!, APPEARANCE, tagTexts, formatScore)[0]?.text;
    };
    const suggested = { status: 'suggested', score: 0.88 } as const;
    expect([close(undefined, suggested), close(13, suggested), close(5, suggested), close(3)]).toEqual(['ORG .88', 'ORG .88', 'ORG', 'OR']);
    expect(close(2, { status: 'failed' })).toBe('ORG not saved');
  });

  it('collapse below the fourth lane', () => {
    const many = Array.from({ length: 6 }, (_, n) => span(`s${String(n)}`, 0, 4 + n));
    const run = splitRuns(0, 10, assignSpanLanes(many))[0]!;
    expect(tagsOf(run, APPEARANCE, tagTexts, formatScore).map(({ text }) => text)).toEqual(['PER', 'PER', 'PER', 'PER', '+2']);
    expect(laneCountOfRun(run)).toBe(4);
  });
});

describe('runStyle', () => {
  it('fills by the innermost span and bars each lane below the text', () => {
    const style = runStyle(runOf(span('in', 2, 4), span('out', 0, 8, 'role')), plain, APPEARANCE, false);
    expect(style.backgroundPosition).toContain('calc(20 * var(--ann-u))');
    expect(style.backgroundPosition).toContain('calc(34 * var(--ann-u))');
    expect(style.backgroundImage).toContain('azure');
  });

  it('has no fill for suggested and rejected spans, a stronger one in focus', () => {
    const suggested = runOf(span('a', 0, 5, 'person', { status: 'suggested' }));
    expect(runStyle(suggested, plain, APPEARANCE, false).backgroundImage).not.toContain('azure');
    expect(runStyle(runOf(span('a', 0, 5, 'person', { status: 'rejected' })), plain, APPEARANCE, false).backgroundImage).not.toContain(
      'azure',
    );
    expect(runStyle(runOf(span('a', 0, 5)), { ...plain, focusedId: 'a' }, APPEARANCE, false).backgroundImage).toContain('lightblue');
  });

  it('marks the end of a span that is linked to terms in the background, at the side where its text ends', () => {
    const terms = [{ lexicon: 'places', identifier: 'Q1', name: 'Halden' }];
    const plainStyle = runStyle(runOf(span('a', 0, 5)), plain, APPEARANCE, false);
    const linked = runStyle(runOf(span('a', 0, 5, 'person', { terms })), plain, APPEARANCE, false);
    const rtl = runStyle(runOf(span('a', 0, 5, 'person', { terms })), plain, APPEARANCE, true);
    expect(plainStyle.backgroundImage).not.toContain('radial-gradient');
    expect(linked.backgroundImage).toContain('radial-gradient');
    expect(String(linked.backgroundPosition)).toMatch(/^100% /);
    expect(String(rtl.backgroundPosition)).toMatch(/^0 /);
    // Only properties of the background: nothing that moves text.
    expect(Object.keys(linked)).toEqual(Object.keys(plainStyle));
  });

  it('draws nothing for a run without spans', () => {
    expect(runStyle({ start: 0, end: 3, covers: [], gapOf: [] }, plain, APPEARANCE, false)).toEqual({});
  });
});

describe('splitForLineSpacers', () => {
  it('concatenates to the slice, and never splits a grapheme', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('word', ' ', '中', '👨‍👩‍👧', 'e\u0301', '\r\n', 'ก็', '-'), { maxLength: 30 }), (drawnParts) => {
        const slice = drawnParts.join('');
        const parts = splitForLineSpacers(slice);
        expect(parts.join('')).toBe(slice);
        const edges = new Set([...new Intl.Segmenter().segment(slice)].map(({ index }) => index).concat(slice.length));
        let at = 0;
        for (const part of parts) expect(edges.has((at += part.length))).toBe(true);
      }),
    );
  });
});
