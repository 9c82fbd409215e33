/** The annotation layout filter (C-064, C-065): which annotations of a document or a hit are drawn. */
import type { CreationMode, Span } from './model';

export type ApiStatus = 'OK' | 'KO' | 'undefined';

export interface AnnotationDisplayFilter {
  readonly creationModes: readonly CreationMode[];
  readonly statuses: readonly ApiStatus[];
  /** Empty: all labels. */
  readonly labels: readonly string[];
}

export const DEFAULT_DISPLAY_FILTER: AnnotationDisplayFilter = {
  creationModes: ['manual', 'automatic', 'undefined'],
  statuses: ['OK', 'undefined'],
  labels: [],
};

/** Spans that are unsaved or failed to save are always drawn: hiding them would look like a loss. */
export function filterDisplayedSpans(spans: readonly Span[], filter: AnnotationDisplayFilter): Span[] {
  return spans.filter((span) => {
    if (span.status === 'saving' || span.status === 'failed') return true;
    if (filter.labels.length > 0 && !filter.labels.includes(span.label)) return false;
    return filter.statuses.includes(apiStatusOfSpan(span)) && filter.creationModes.includes(span.creationMode);
  });
}

function apiStatusOfSpan(span: Span): ApiStatus {
  if (span.status === 'rejected') return 'KO';
  return span.status === 'suggested' ? 'undefined' : 'OK';
}

/** The annotations of a search hit: those with status KO are dropped, the hit itself stays (S-010). */
export function withoutRejectedSpans(spans: readonly Span[]): Span[] {
  return spans.filter((span) => span.status !== 'rejected');
}
