import { describe, expect, it } from 'vitest';
import { isSameQuestion, type Judgement } from '@/api/resources/questions';
import { countJudged, judgementOf, withJudgement } from './judging-rules';

const at = (start: number, end: number, documentIdentifier = 'canal') => ({ documentIdentifier, start, end });
const judged: readonly Judgement[] = [
  { ...at(0, 100), grade: 1 },
  { ...at(100, 140), grade: 0 },
];

describe('the judgement of a passage', () => {
  it('is that of its range', () => {
    expect(judgementOf(judged, at(100, 140))?.grade).toBe(0);
  });

  it('stays when segments are cut anew, for the passage that has most of it', () => {
    expect(judgementOf(judged, at(10, 95))?.grade).toBe(1);
    expect(judgementOf(judged, at(90, 140))?.grade).toBe(0);
    expect(judgementOf(judged, at(0, 140))?.grade).toBe(1);
  });

  it('is missing for passages that share too little, or are in another document', () => {
    expect(judgementOf(judged, at(120, 400))).toBeUndefined();
    expect(judgementOf(judged, at(140, 160))).toBeUndefined();
    expect(judgementOf(judged, at(0, 100, 'river'))).toBeUndefined();
    expect(judgementOf([], at(0, 100))).toBeUndefined();
  });

  it('is added, changed and cleared', () => {
    const more = withJudgement(judged, at(0, 9, 'river'), 3);
    expect(more.map(({ grade }) => grade)).toEqual([1, 0, 3]);
    expect(withJudgement(more, at(100, 140), 2).map(({ grade }) => grade)).toEqual([1, 2, 3]);
    expect(withJudgement(more, at(0, 100), undefined).map(({ grade }) => grade)).toEqual([0, 3]);
    expect(countJudged(more)).toEqual({ judged: 3, relevant: 2 });
  });
});

it('a question is the same whatever its case and white space', () => {
  expect(isSameQuestion('  Who built\nthe canal? ', 'who built the canal?')).toBe(true);
  expect(isSameQuestion('Who built the canal?', 'Who built the canals?')).toBe(false);
});
