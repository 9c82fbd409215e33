/** Converts the server's annotations of a text to spans for the surface: with unsaved edits on top, and filtered by the user's settings. */
import { useMemo } from 'react';
import type { Annotation } from '@/api/resources/annotations';
import type { Term } from '@/api/resources/concepts';
import type { Span } from '@/annotation/model';
import { DocumentSerializer } from '@/annotation/document-serializer';
import { applyEdits, markUnsavedSpans } from '@/labelling-sync/edits/apply';
import type { LabellingEdit } from '@/labelling-sync/edits/types';
import { applyViewFilter, type ViewFilter } from './view-filter';

export interface AnnotatedTextView {
  readonly serializer: DocumentSerializer;
  /** The spans to draw. */
  readonly spans: readonly Span[];
  /** All spans, including hidden ones. */
  readonly all: readonly Span[];
  readonly creators: readonly string[];
  /** The terms of an annotation, complete, with unsaved edits. */
  readonly termsOf: (id: string) => readonly Term[];
}

const NO_ANNOTATIONS: readonly Annotation[] = [];
const NO_TERMS: readonly Term[] = [];

/** `origin`: number of code points of the document before the text. The arrays keep their identity while nothing changes. */
export function useAnnotatedText(
  text: string,
  origin: number,
  annotations: readonly Annotation[] | undefined,
  edits: readonly LabellingEdit[],
  filter: ViewFilter,
): AnnotatedTextView {
  const wire = useMemo(() => new DocumentSerializer(text, origin), [text, origin]);
  return useMemo(() => {
    const length = wire.index.codePoints;
    const { annotations: shown, states } = applyEdits(annotations ?? NO_ANNOTATIONS, edits);
    const inside = shown.filter(({ start, end }) => start < origin + length && end > origin);
    const all = markUnsavedSpans(wire.spans(inside), states);
    const creators = [...new Set(all.flatMap(({ creator }) => creator ?? []))];
    const termsOf = (id: string) => inside.find(({ identifier }) => identifier === id)?.terms ?? NO_TERMS;
    return { serializer: wire, all, creators, termsOf, spans: applyViewFilter(all, filter) };
  }, [wire, origin, annotations, edits, filter]);
}

/** Annotations per label among the spans; rejected ones do not count. */
export function countLabels(spans: readonly Span[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { label, status } of spans) if (status !== 'rejected') counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}
