/** Which judgement stands for a passage that was found. Pure; offsets are code points of the document. */
import type { Grade, Judgement, Passage } from '@/api/resources/questions';

/** Characters that both have. */
function overlap(one: Passage, other: Passage): number {
  if (one.documentIdentifier !== other.documentIdentifier) return 0;
  return Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start));
}

const isSamePassage = (one: Passage, other: Passage) =>
  one.documentIdentifier === other.documentIdentifier && one.start === other.start && one.end === other.end;

/**
 * The judgement of exactly this passage, else the one that shares most with it, if that is more than half of the shorter of both: segments
 * that were cut anew keep their judgements.
 */
export function judgementOf(judgements: readonly Judgement[], passage: Passage): Judgement | undefined {
  const same = judgements.find((one) => isSamePassage(one, passage));
  if (same !== undefined) return same;
  const shared = (one: Judgement) => overlap(one, passage);
  const most = judgements.reduce<Judgement | undefined>(
    (best, one) => (shared(one) > (best === undefined ? 0 : shared(best)) ? one : best),
    undefined,
  );
  if (most === undefined) return undefined;
  return 2 * shared(most) > Math.min(most.end - most.start, passage.end - passage.start) ? most : undefined;
}

/** The judgements after a change; without a grade the judgement is cleared. */
export function withJudgement(judgements: readonly Judgement[], passage: Passage, grade: Grade | undefined): readonly Judgement[] {
  if (grade === undefined) return judgements.filter((one) => !isSamePassage(one, passage));
  if (!judgements.some((one) => isSamePassage(one, passage))) return [...judgements, { ...passage, grade }];
  return judgements.map((one) => (isSamePassage(one, passage) ? { ...one, grade } : one));
}

export const countJudged = (judgements: readonly Judgement[]) => ({
  judged: judgements.length,
  relevant: judgements.filter(({ grade }) => grade > 0).length,
});
