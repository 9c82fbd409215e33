/** The text of an answer as consecutive parts, each with the passages that support it. */
import type { Answer } from '@/api/resources/answers';
import { DocumentSerializer } from '@/annotation/document-serializer';

export interface CitedPassage {
  /** Number of the passage, from 1. */
  readonly passage: number;
  readonly quote: string;
  /** The quotation in its passage, code points. */
  readonly start: number;
  readonly end: number;
  /** The quotation in its document, code points. */
  readonly documentStart: number;
  readonly documentEnd: number;
}

export interface AnswerPart {
  readonly text: string;
  readonly unsupported: boolean;
  /** Citations whose range ends with this part. */
  readonly citations: readonly CitedPassage[];
}

/** Citations as a language model writes them: the marks beside the parts take their place. */
const WRITTEN_CITATION = /[ \t]*\[\d{1,3}\]/gu;

/** Splits at the ends of all cited and unsupported ranges; the texts of the parts together are the text, without written citations. */
export function answerParts({ text, citations, unsupported, passages }: Answer): readonly AnswerPart[] {
  const offsets = new DocumentSerializer(text);
  const utf16 = (start: number, end: number) => offsets.range(start, end);
  const doubtful = unsupported.map(({ start, end }) => utf16(start, end));
  const cited = citations.flatMap((citation) => {
    const passage = passages.find(({ number }) => number === citation.passage);
    if (passage === undefined) return [];
    const { end } = utf16(citation.answerStart, citation.answerEnd);
    const range = { start: citation.start, end: citation.end };
    const inDocument = { documentStart: passage.start + range.start, documentEnd: passage.start + range.end };
    return [{ at: end, cited: { passage: citation.passage, quote: citation.quote, ...range, ...inDocument } }];
  });
  const cuts = [...doubtful.flatMap(({ start, end }) => [start, end]), ...cited.map(({ at }) => at), text.length];
  const ends = [...new Set(cuts)].filter((cut) => cut > 0).sort((one, other) => one - other);
  return ends.map((end, index) => {
    const start = ends[index - 1] ?? 0;
    return {
      text: text.slice(start, end).replace(WRITTEN_CITATION, ''),
      unsupported: doubtful.some((range) => range.start <= start && end <= range.end),
      citations: cited.filter(({ at }) => at === end).map((one) => one.cited),
    };
  });
}

/** The answer with numbered sources, as plain text. */
export function answerWithSources(answer: Answer): string {
  const numbers = [...new Set(answer.citations.map(({ passage }) => passage))].sort((one, other) => one - other);
  const body = answerParts(answer)
    .map((part) => `${part.text}${part.citations.map(({ passage }) => ` [${String(passage)}]`).join('')}`)
    .join('');
  const sources = numbers.flatMap((number) => {
    const passage = answer.passages.find((one) => one.number === number);
    if (passage === undefined) return [];
    return [
      `[${String(number)}] ${passage.documentTitle === '' ? passage.documentIdentifier : passage.documentTitle}: ${passage.text.trim()}`,
    ];
  });
  return [answer.question, '', body, '', ...sources].join('\n');
}
