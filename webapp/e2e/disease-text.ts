/** A long text about an illness with many annotated spans, written for the tests. */
import type { SourceDocument } from './corpora';

const BEGINNING = [
  'Grouping of such changes in the [ataxia-telangiectasia] gene in a [sporadic T-cell leukaemia].',
  '[Ataxia-telangiectasia] ([A-T]) is an inherited [illness] due to mutations in the ATM gene at 11q22-q23 (ref. 3).',
  'Whoever has [A-T] is more likely to get [cancer] than others are, above all [cancer of the lymph nodes].',
];
const ILLNESSES = ['leukaemia', 'anaemia', 'cancer of the breast', 'T-cell lymphoma', 'ataxia', 'diabetes', 'asthma'];
const MEMBERS = ['mother', 'father', 'elder sister', 'younger brother', 'aunt', 'grandfather'];

/** Spans are in square brackets. */
function sentences(): string[] {
  const families = Array.from({ length: 57 }, (_, n) => {
    const [one, other] = [ILLNESSES[n % 7] ?? '', ILLNESSES[(n * 3 + 1) % 7] ?? ''];
    const [first, second] = [MEMBERS[n % 6] ?? '', MEMBERS[(n + 2) % 6] ?? ''];
    return `Family ${String(n + 1)}: the ${first} was treated for [${one}] over ${String(2 + (n % 9))} years, the ${second} for [${other}], and the children were healthy when they were seen last.`;
  });
  return [...BEGINNING, ...families];
}

/**
 * The document, one sentence per line. It has no characters outside the Basic Multilingual Plane, so UTF-16 and code point offsets are
 * equal.
 */
export function diseaseText(): Pick<SourceDocument, 'text' | 'annotations'> {
  const annotations: { start: number; end: number; labelName: string }[] = [];
  let text = '';
  for (const piece of sentences()
    .join('\n')
    .split(/(\[[^\]]*\])/u)) {
    const marked = piece.startsWith('[');
    const words = marked ? piece.slice(1, -1) : piece;
    if (marked) annotations.push({ start: text.length, end: text.length + words.length, labelName: 'disease' });
    text += words;
  }
  return { text, annotations };
}
