/** One row of the virtual list: its segments with number, category and shading. Memoised: only touched rows render. */
import { memo } from 'react';
import type { ReactNode } from 'react';
import type { Block } from '@/text/rows';
import { categoryColourStyle, CategoryTag, overlaps, textRunsPropsOfBlock } from './block-parts';
import { isFormatted, FormattedRow } from './formatted-row';
import type { SentenceCategory } from '@/annotation/model';
import type { TextRowProps } from './row-props';
import { TextRuns } from './text-block';

export const NOTHING: readonly never[] = [];

export const TextRow = memo(function TextRow(props: TextRowProps): ReactNode {
  props.onRender?.(props.row.index);
  if (isFormatted(props.row)) return <FormattedRow row={props} />;
  return props.row.blocks.map((block) => <SegmentBlock key={block.start} block={block} row={props} />);
});

function blockClass(block: Block, row: TextRowProps, category: SentenceCategory | undefined): string {
  const names = ['ann-segment'];
  if (row.rises !== undefined) names.push('ann-linked');
  if (block.segment >= 0 && block.segment === row.currentSegment) names.push('ann-current');
  else if (row.alternate && category === undefined && block.segment % 2 === 1) names.push('ann-alternate');
  if (category !== undefined) names.push(category.suggested ? 'ann-categorised ann-category-suggested' : 'ann-categorised');
  return names.join(' ');
}

function SegmentBlock({ block, row }: { readonly block: Block; readonly row: TextRowProps }): ReactNode {
  const { context, categories } = row;
  const category = categories.find((candidate) => overlaps(candidate, { start: block.start, end: block.textEnd }));
  const shared = textRunsPropsOfBlock(block, row);
  return (
    <div className={blockClass(block, row, category)} style={categoryColourStyle(row, category)} data-number={block.number}>
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
        {category && <CategoryTag category={category} context={context} />}
        <TextRuns {...shared} start={block.textEnd} end={block.end} />
      </div>
    </div>
  );
}
