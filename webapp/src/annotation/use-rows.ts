/** Everything the surface derives from a document: rows, what lies in each, reading order. Arrays of untouched rows keep their identity. */
import { useMemo, useState } from 'react';
import { textDirection } from '../text/direction';
import type { Direction } from '../text/direction';
import { buildRows } from '../text/rows';
import type { Boundary, Row } from '../text/rows';
import { createGroupCache, placeSpans } from '../text/runs';
import { bestCategoryPerSentence } from './model';
import type { SentenceCategory, Span, TextRange } from './model';
import { categoriesByRow, createSharer, rangesByRow, readingOrder, spansByRow } from './row-model';
import type { PlacedSpan, RowMap } from './row-model';

export interface DocumentRows {
  readonly direction: Direction;
  readonly rows: readonly Row[];
  readonly spanRows: RowMap<PlacedSpan>;
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
): DocumentRows {
  const [shareSpans] = useState(() => createSharer<PlacedSpan>(spansByRow));
  const [groups] = useState(() => createGroupCache<Span>());
  const [shareHits] = useState(() => createSharer<TextRange>(rangesByRow));
  const [shareCategories] = useState(() => createSharer<SentenceCategory>(categoriesByRow));
  const direction = useMemo(() => textDirection(text), [text]);
  const rows = useMemo(() => buildRows(text, segments), [text, segments]);
  const spanRows = useMemo(() => shareSpans(rows, placeSpans(spans, groups)), [rows, spans, shareSpans, groups]);
  const hitRows = useMemo(() => shareHits(rows, hits), [rows, hits, shareHits]);
  const categoryRows = useMemo(() => shareCategories(rows, bestCategoryPerSentence(categories)), [rows, categories, shareCategories]);
  const ordered = useMemo(() => readingOrder(spans), [spans]);
  return { direction, rows, spanRows, hitRows, categoryRows, ordered };
}
