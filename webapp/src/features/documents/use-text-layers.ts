/** Layers over the text of a document: sentences, their categories, matches, and the sentence to show. */
import { useEffect, useMemo } from 'react';
import type { DocumentSerializer } from '@/annotation/document-serializer';
import type { SearchHit, TextRange } from '@/annotation/model';
import { filterSentenceCategories, type SentenceCategoryFilter } from '@/annotation/sentence-category-filter';
import type { SurfaceHandle } from '@/annotation/surface/surface-types';
import { isSuggestedCategory } from '@/api/resources/categories';
import type { AnnotatedDocument, DocumentHit } from '@/api/resources/documents';
import type { LabellingEdit } from '@/labelling-sync/edits/types';
import { withPendingCategories } from './sentence-categories';

const NOTHING: readonly never[] = [];

export interface SentenceDisplay {
  /** Start of the sentence to show, code points; -1: none. */
  readonly sentence: number;
  /** End of what to show, code points; -1: the whole sentence. */
  readonly sentenceEnd: number;
  readonly filter: SentenceCategoryFilter;
}

export type TextLayers = Omit<ReturnType<typeof useTextLayers>, 'hits'> & { readonly hits: readonly SearchHit[] };

/** Sentences, their best categories, matches and the sentence to show, for the surface. */
export function useTextLayers(
  document: AnnotatedDocument,
  edits: readonly LabellingEdit[],
  serializer: DocumentSerializer,
  hit: DocumentHit | undefined,
  { sentence, sentenceEnd, filter }: SentenceDisplay,
) {
  const sentences = useMemo(() => withPendingCategories(document.sentences ?? NOTHING, edits), [document.sentences, edits]);
  const segments = useMemo(() => serializer.segments(sentences), [serializer, sentences]);
  const categories = useMemo(() => {
    const marked = sentences.map(({ start, end, categories: own }) => ({
      start,
      end,
      categories: (own ?? []).map((category) => ({ ...category, suggestion: isSuggestedCategory(category) })),
    }));
    return filterSentenceCategories(serializer.sentenceCategories(marked), sentences.length, filter);
  }, [serializer, sentences, filter]);
  const found = hit?.document.identifier === document.identifier ? (hit.highlights?.text ?? NOTHING) : NOTHING;
  const hits = useMemo(() => {
    const ranges: TextRange[] = found.map(({ start, end }) => serializer.range(start, end));
    const whole = sentences.find(({ start, end }) => start <= sentence && sentence < end);
    const sought = sentenceEnd > sentence && sentence >= 0 ? { start: sentence, end: sentenceEnd } : whole;
    const shown = sought && serializer.range(sought.start, sought.end);
    // Matches in the sentence already mark it.
    if (shown === undefined || ranges.some(({ start, end }) => start >= shown.start && end <= shown.end)) return ranges;
    return [...ranges, shown].sort((a, b) => a.start - b.start);
  }, [serializer, found, sentences, sentence, sentenceEnd]);
  return { sentences, segments, categories, hits };
}

/** S-016: scrolls to the sentence of the address, or to the first match. */
export function useScrollToSentenceOrHit(
  surface: { readonly current: SurfaceHandle | null },
  serializer: DocumentSerializer,
  sentence: number,
  hits: readonly TextRange[],
): void {
  const first = sentence >= 0 ? serializer.range(sentence, sentence).start : hits[0]?.start;
  useEffect(() => {
    if (first !== undefined && first > 0) surface.current?.scrollTo(first);
  }, [surface, first]);
}
