/** Props of a row of text. */
import type { Row } from '@/text/rows';
import type { SentenceCategory } from '@/annotation/model';
import type { PlacedSpan } from './items-by-row';
import type { BlockHighlights, DrawContext } from './text-block';

export interface TextRowProps extends BlockHighlights {
  readonly text: string;
  readonly row: Row;
  readonly placed: readonly PlacedSpan[];
  readonly categories: readonly SentenceCategory[];
  /** Start of the segment that has the focus, when it is in this row. */
  readonly currentSegment: number;
  readonly alternate: boolean;
  readonly context: DrawContext;
  /** Test hook of the memoisation: called at each render of the row. */
  readonly onRender?: ((row: number) => void) | undefined;
}
