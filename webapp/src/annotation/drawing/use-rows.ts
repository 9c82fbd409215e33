/** Everything the surface derives from a document: rows, what lies in each, reading order. Arrays of untouched rows keep their identity. */
import { useMemo, useState } from 'react';
import { textDirection } from '@/text/direction';
import type { Direction } from '@/text/direction';
import { buildLaidRows } from '@/text/layout';
import type { LayoutMark } from '@/text/layout';
import { buildRows } from '@/text/rows';
import type { Boundary, Row } from '@/text/rows';
import { bestCategoryPerSentence } from '@/annotation/model';
import type { SentenceCategory, Span, TextRange } from '@/annotation/model';
import { categoriesByRow, createSharer, rangesByRow } from './row-model';
import type { RowMap } from './row-model';
import { createSpanLayout } from './span-layout';
import type { SpanLayout } from './span-layout';

export interface DocumentRows {
  readonly direction: Direction;
  readonly rows: readonly Row[];
  readonly inRow: SpanLayout['inRow'];
  readonly hitRows: RowMap<TextRange>;
  readonly categoryRows: RowMap<SentenceCategory>;
  readonly ordered: readonly Span[];
}

const NOTHING: readonly never[] = [];

export function useRows(
  text: string,
  segments: readonly Boundary[],
  spans: readonly Span[],
  hits: readonly TextRange[] = NOTHING,
  categories: readonly SentenceCategory[] = NOTHING,
  layout?: readonly LayoutMark[],
): DocumentRows {
  const [layOut] = useState(createSpanLayout);
  const [shareHits] = useState(() => createSharer<TextRange>(rangesByRow));
  const [shareCategories] = useState(() => createSharer<SentenceCategory>(categoriesByRow));
  const direction = useMemo(() => textDirection(text), [text]);
  const rows = useMemo(() => (layout === undefined ? buildRows(text, segments) : buildLaidRows(text, layout)), [text, segments, layout]);
  const { ordered, inRow } = useMemo(() => layOut(spans, rows), [rows, spans, layOut]);
  const hitRows = useMemo(() => shareHits(rows, hits), [rows, hits, shareHits]);
  const categoryRows = useMemo(() => shareCategories(rows, bestCategoryPerSentence(categories)), [rows, categories, shareCategories]);
  return { direction, rows, inRow, hitRows, categoryRows, ordered };
}
