import type { AnsweredSearch, AnswerPassage } from '@/api/resources/answers';

/** The passages of an answer; without one, the segments found. */
export function passagesOf({ answerDetails, hits }: AnsweredSearch): readonly AnswerPassage[] {
  if (answerDetails !== undefined) return answerDetails.passages;
  return hits.map(({ _id, score = 0, segment }, index) => ({
    number: index + 1,
    segmentId: _id,
    documentIdentifier: segment.documentIdentifier,
    documentTitle: segment.documentTitle ?? '',
    start: segment.start,
    end: segment.end,
    text: segment.text,
    score,
  }));
}
