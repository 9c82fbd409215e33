/** Everything the surface derives from a document: rows, their content, reading order. Arrays of untouched rows keep their identity. */
import { useMemo, useState } from 'react';
import { textDirection } from '@/text/direction';
import type { Direction } from '@/text/direction';
import { buildLaidOutRows } from '@/text/layout';
import type { LayoutMark } from '@/text/layout';
import { buildRows } from '@/text/rows';
import type { SegmentRange, Row } from '@/text/rows';
import { bestCategoryPerSentence } from '@/annotation/model';
import type { SearchHit, SentenceCategory, Span } from '@/annotation/model';
import { categoriesByRow, createCachedRowDistribution, rangesByRow } from './items-by-row';
import type { ItemsByRow } from './items-by-row';
import { createSpanLayout } from './span-layout';
import type { SpanLayout } from './span-layout';

export interface DocumentRows {
  readonly direction: Direction;
  readonly rows: readonly Row[];
  readonly inRow: SpanLayout['inRow'];
  readonly hitRows: ItemsByRow<SearchHit>;
  readonly categoryRows: ItemsByRow<SentenceCategory>;
  readonly ordered: readonly Span[];
}

const NOTHING: readonly never[] = [];

export function useRows(
  text: string,
  segments: readonly SegmentRange[],
  spans: readonly Span[],
  hits: readonly SearchHit[] = NOTHING,
  categories: readonly SentenceCategory[] = NOTHING,
  layout?: readonly LayoutMark[],
): DocumentRows {
  const [layOut] = useState(createSpanLayout);
  const [shareHits] = useState(() => createCachedRowDistribution<SearchHit>(rangesByRow));
  const [shareCategories] = useState(() => createCachedRowDistribution<SentenceCategory>(categoriesByRow));
  const direction = useMemo(() => textDirection(text), [text]);
  const rows = useMemo(() => (layout === undefined ? buildRows(text, segments) : buildLaidOutRows(text, layout)), [text, segments, layout]);
  const { ordered, inRow } = useMemo(() => layOut(spans, rows), [rows, spans, layOut]);
  const hitRows = useMemo(() => shareHits(rows, hits), [rows, hits, shareHits]);
  const categoryRows = useMemo(() => shareCategories(rows, bestCategoryPerSentence(categories)), [rows, categories, shareCategories]);
  return { direction, rows, inRow, hitRows, categoryRows, ordered };
}
