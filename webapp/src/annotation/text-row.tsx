/** One row of the virtual list: its segments with number, category and shading. Memoised: only touched rows render. */
import { memo } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import type { Block, Row } from '../text/rows';
import { appearanceOf } from './label-style';
import { formatScore } from './model';
import type { SentenceCategory, TextRange } from './model';
import type { PlacedSpan } from './row-model';
import { TextRuns } from './text-block';
import type { BlockLayers, DrawContext } from './text-block';

export interface TextRowProps extends BlockLayers {
  readonly text: string;
  readonly row: Row;
  readonly placed: readonly PlacedSpan[];
  readonly categories: readonly SentenceCategory[];
  /** Start of the segment that holds the focus, when it is in this row. */
  readonly currentSegment: number;
  readonly alternate: boolean;
  readonly context: DrawContext;
  /** Test hook of the memoisation: called at each render of the row. */
  readonly onRender?: ((row: number) => void) | undefined;
}

export const NOTHING: readonly never[] = [];

export const TextRow = memo(function TextRow(props: TextRowProps): ReactNode {
  props.onRender?.(props.row.index);
  return props.row.blocks.map((block) => <SegmentBlock key={block.start} block={block} row={props} />);
});

function blockClass(block: Block, row: TextRowProps, category: SentenceCategory | undefined): string {
  const names = ['ann-segment'];
  if (block.segment >= 0 && block.segment === row.currentSegment) names.push('ann-current');
  else if (row.alternate && category === undefined && block.segment % 2 === 1) names.push('ann-alternate');
  if (category !== undefined) names.push(category.suggested ? 'ann-categorised ann-category-suggested' : 'ann-categorised');
  return names.join(' ');
}

function overlaps(a: TextRange, b: TextRange): boolean {
  return a.start < b.end && a.end > b.start;
}

function clampLayer(start: number, end: number, block: Block): [number, number] {
  return overlaps({ start, end }, block) ? [Math.max(start, block.start - 1), Math.min(end, block.end + 1)] : [-1, -1];
}

function SegmentBlock({ block, row }: { readonly block: Block; readonly row: TextRowProps }): ReactNode {
  const { context, categories } = row;
  const category = categories.find((candidate) => overlaps(candidate, { start: block.start, end: block.textEnd }));
  const shown = category && appearanceOf(context.appearance, category.label);
  const score = category?.suggested === true && category.score !== undefined ? ` ${formatScore(category.score)}` : '';
  const more = category?.others === undefined ? '' : ` ${context.strings.moreCategories(category.others)}`;
  const style = shown && ({ '--ann-category': shown.style.bar } as CSSProperties);
  const [selectionStart, selectionEnd] = clampLayer(row.selectionStart, row.selectionEnd, block);
  const [caretStart, caretEnd] = clampLayer(row.caretStart, row.caretEnd, block);
  const shared = {
    text: row.text,
    placed: row.placed,
    hits: row.hits,
    focusedId: row.focusedId,
    hoveredId: row.hoveredId,
    selectionStart,
    selectionEnd,
    caretStart,
    caretEnd,
    context,
  };
  return (
    <div className={blockClass(block, row, category)} style={style} data-number={block.number}>
      {context.sentences === true && block.number !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          className="ann-sentence"
          data-sentence={block.start}
          aria-label={context.strings.sentenceCategories(block.number)}
          title={context.strings.sentenceCategories(block.number)}
        />
      )}
      <div className="ann-text" data-start={block.start} data-end={block.textEnd}>
        <TextRuns {...shared} start={block.start} end={block.textEnd} />
        {shown && (
          <i
            className="ann-category"
            data-category={`${shown.label}${score}${more}`}
            data-sentence={context.sentences === true ? category?.start : undefined}
          />
        )}
        <TextRuns {...shared} start={block.textEnd} end={block.end} />
      </div>
    </div>
  );
}
