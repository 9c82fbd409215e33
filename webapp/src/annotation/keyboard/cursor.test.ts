// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snapDown, snapUp } from '@/text/graphemes';
import { buildRows } from '@/text/rows';
import { sentencesOf, spansAround, spansAt, stepCursor, nextSpanFromCursor } from './cursor';
import type { CursorUnit } from './cursor';
import type { TextRange } from '@/annotation/model';
import { stepEdge } from './resize-step';
import { span } from '@/annotation/testing/fixtures';

const TEXT = 'Marie Curie, née Skłodowska 👩🏿‍🔬, won. She moved to Paris.';
const SENTENCES = [
  { start: 0, end: TEXT.indexOf(' She') },
  { start: TEXT.indexOf('She'), end: TEXT.length },
];
const at = (part: string): TextRange => ({ start: TEXT.indexOf(part), end: TEXT.indexOf(part) + part.length });
const slice = (range: TextRange | undefined) => range && TEXT.slice(range.start, range.end);
const step = (caret: TextRange | undefined, unit: CursorUnit, forward: boolean, anchor?: TextRange) =>
  slice(stepCursor(TEXT, { caret, anchor, sentences: SENTENCES }, { unit, forward }));

describe('stepCursor', () => {
  it.each<[string, string | undefined, CursorUnit, boolean, string]>([
    ['starts at the first word', undefined, 'word', true, 'Marie'],
    ['goes on by word', 'Marie', 'word', true, 'Curie'],
    ['takes punctuation as a word of its own', 'Curie', 'word', true, ','],
    ['goes back by word', 'Curie', 'word', false, 'Marie'],
    ['goes back over a full stop', '.', 'word', false, 'won'],
    ['narrows a word to its first sign', 'Curie', 'grapheme', true, 'C'],
    ['narrows a word to its last sign', 'née', 'grapheme', false, 'e'],
    ['skips white space sign by sign', 'a', 'grapheme', true, 'r'],
    ['takes an emoji with its joiners as one sign', '👩🏿‍🔬', 'grapheme', true, ','],
    ['goes to the next sentence', 'Curie', 'sentence', true, 'She'],
    ['goes to the start of its sentence first', 'moved', 'sentence', false, 'She'],
    ['then to the one before', 'She', 'sentence', false, 'Marie'],
    ['goes to the end of the sentence', 'Curie', 'sentenceEnd', true, '.'],
    ['goes to the start of the sentence', 'moved', 'sentenceEnd', false, 'She'],
    ['goes to the start of the text', 'moved', 'document', false, 'Marie'],
  ])('%s', (_name, from, unit, forward, expected) => {
    expect(step(from === undefined ? undefined : at(from), unit, forward)).toBe(expected);
  });

  it('goes to the very end, and does not move in a blank text', () => {
    expect(stepCursor(TEXT, { caret: undefined, anchor: undefined, sentences: [] }, { unit: 'document', forward: true })?.end).toBe(
      TEXT.length,
    );
    expect(stepCursor(' \n', { caret: undefined, anchor: undefined, sentences: [] }, { unit: 'word', forward: true })).toBeUndefined();
  });

  it('grows and shrinks a selection by one character at its head', () => {
    expect(step(at('Curie'), 'grapheme', true, at('Marie'))).toBe(',');
    expect(step(at('Curie'), 'grapheme', false, at('Marie'))).toBe('i');
    expect(step(at('Marie'), 'grapheme', true, at('Curie'))).toBe('a');
    expect(step(at('née'), 'grapheme', false, at('Skłodowska'))).toBe(',');
  });

  it('reaches every word and ends, in both directions, in any text', () => {
    const text = fc.stringMatching(/^[a-z .,😀é\u0301عב\n]{1,40}$/u).filter((value) => /\p{L}/u.test(value));
    fc.assert(
      fc.property(text, fc.constantFrom<CursorUnit>('word', 'grapheme', 'sentence'), fc.boolean(), (value, unit, forward) => {
        const sentences = sentencesOf(buildRows(value, []));
        let caret = stepCursor(value, { caret: undefined, anchor: undefined, sentences }, { unit: 'document', forward: !forward });
        for (let n = 0; n < value.length + 3; n += 1) {
          const next = stepCursor(value, { caret, anchor: undefined, sentences }, { unit, forward });
          if (next === undefined || caret === undefined) throw new Error('lost');
          expect(value.slice(next.start, next.end).trim()).not.toBe('');
          expect([snapDown(value, next.start), snapUp(value, next.end)]).toEqual([next.start, next.end]);
          if (unit === 'word') expect(forward ? next.start >= caret.start : next.start <= caret.start).toBe(true);
          caret = next;
        }
        const again = stepCursor(value, { caret, anchor: undefined, sentences }, { unit, forward });
        expect(again).toEqual(caret);
      }),
      { numRuns: 200 },
    );
  });
});

describe('sentencesOf', () => {
  it('joins the parts of an overlong segment', () => {
    const text = `${'word '.repeat(500)}end. Next one.`;
    const end = text.indexOf(' Next');
    const rows = buildRows(text, [
      { start: 0, end },
      { start: end + 1, end: text.length },
    ]);
    expect(rows.length).toBeGreaterThan(1);
    expect(sentencesOf(rows).map(({ start, end: last }) => [start, last])).toEqual([
      [0, end],
      [end + 1, text.length],
    ]);
    expect(sentencesOf(rows)).toBe(sentencesOf(rows));
  });
});

describe('spans at the cursor', () => {
  const ordered = [
    span('whole', 0, 30),
    span('first', 0, 10),
    span('cross', 5, 20),
    span('late', 12, 18, 'person', { status: 'suggested' }),
  ];

  it('cycles through nested and crossing ones, smallest first', () => {
    expect(spansAt(ordered, { start: 6, end: 9 })).toEqual(['first', 'cross', 'whole']);
    expect(spansAt(ordered, { start: 30, end: 33 })).toEqual([]);
    expect(spansAround(ordered, ordered[3])).toEqual(['late', 'cross', 'whole']);
  });

  it('steps in reading order from the focus or the cursor, to suggestions only on request', () => {
    const suggested = (one: { status: string }) => one.status === 'suggested';
    expect(nextSpanFromCursor(ordered, 'first', undefined, true)?.id).toBe('cross');
    expect(nextSpanFromCursor(ordered, undefined, { start: 6, end: 9 }, true)?.id).toBe('late');
    expect(nextSpanFromCursor(ordered, undefined, { start: 6, end: 9 }, false)?.id).toBe('cross');
    expect(nextSpanFromCursor(ordered, 'whole', undefined, true, suggested)?.id).toBe('late');
    expect(nextSpanFromCursor(ordered, 'late', undefined, true, suggested)).toBeUndefined();
    expect(nextSpanFromCursor(ordered, 'whole', undefined, false)).toBeUndefined();
  });
});

describe('stepEdge', () => {
  const moved = (part: string, ...args: ['start' | 'end', 'word' | 'grapheme', boolean]) => slice(stepEdge(TEXT, at(part), ...args));

  it('moves one end by word or character and keeps the other', () => {
    expect(moved('Marie', 'end', 'word', true)).toBe('Marie Curie');
    expect(moved('Marie Curie', 'end', 'word', false)).toBe('Marie');
    expect(moved('Marie', 'end', 'word', false)).toBe('Marie');
    expect(moved('Curie', 'start', 'word', false)).toBe('Marie Curie');
    expect(moved('Marie Curie', 'start', 'word', true)).toBe('Curie');
    expect(moved('Skłodow', 'end', 'word', true)).toBe('Skłodowska');
    expect(moved('dowska', 'start', 'word', false)).toBe('Skłodowska');
    expect(moved('Marie', 'end', 'grapheme', true)).toBe('Marie C');
    expect(moved('Marie C', 'end', 'grapheme', false)).toBe('Marie');
    expect(moved('e Curie', 'start', 'grapheme', true)).toBe('Curie');
    expect(moved('Skłodowska', 'end', 'grapheme', true)).toBe('Skłodowska 👩🏿‍🔬');
  });

  it('for any steps keeps a character between the ends, the other end in place, and no end inside a character', () => {
    const text = fc.stringMatching(/^[a-z ,.😀é\u0301]{2,30}$/u).filter((value) => /[a-z]/u.test(value));
    const steps = fc.array(
      fc.tuple(fc.constantFrom('start' as const, 'end' as const), fc.constantFrom('word' as const, 'grapheme' as const), fc.boolean()),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(text, steps, (value, moves) => {
        let range = stepCursor(value, { caret: undefined, anchor: undefined, sentences: [] }, { unit: 'document', forward: true });
        if (range === undefined) return;
        for (const [edge, unit, forward] of moves) {
          const next: TextRange = stepEdge(value, range, edge, unit, forward);
          if (edge === 'end') expect(next.start).toBe(range.start);
          else expect(next.end).toBe(range.end);
          expect(value.slice(next.start, next.end).trim()).not.toBe('');
          expect([snapDown(value, next.start), snapUp(value, next.end)]).toEqual([next.start, next.end]);
          range = next;
        }
      }),
    );
  });
});
