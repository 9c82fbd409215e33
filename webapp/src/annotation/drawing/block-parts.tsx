/** Parts that plain and formatted blocks share. */
import type { CSSProperties, ReactNode } from 'react';
import type { Block } from '@/text/rows';
import { appearanceOf } from './label-style';
import { formatScore } from '@/annotation/model';
import type { SentenceCategory, TextRange } from '@/annotation/model';
import type { DrawContext } from './text-block';
import type { TextRowProps } from './row-props';

export function overlaps(a: TextRange, b: TextRange): boolean {
  return a.start < b.end && a.end > b.start;
}

function clampHighlightToBlock(start: number, end: number, block: Block): [number, number] {
  return overlaps({ start, end }, block) ? [Math.max(start, block.start - 1), Math.min(end, block.end + 1)] : [-1, -1];
}

/** Props of a block's runs, from its row. Highlights that do not touch the block are left out, so that it need not render. */
export function textRunsPropsOfBlock(block: Block, row: TextRowProps) {
  const [selectionStart, selectionEnd] = clampHighlightToBlock(row.selectionStart, row.selectionEnd, block);
  const [caretStart, caretEnd] = clampHighlightToBlock(row.caretStart, row.caretEnd, block);
  return {
    text: row.text,
    placed: row.placed,
    hits: row.hits,
    focusedId: row.focusedId,
    hoveredId: row.hoveredId,
    linked: row.linked,
    rises: row.rises,
    selectionStart,
    selectionEnd,
    caretStart,
    caretEnd,
    context: row.context,
  };
}

export function categoryColourStyle(row: TextRowProps, category: SentenceCategory | undefined): CSSProperties | undefined {
  return category && ({ '--ann-category': appearanceOf(row.context.appearance, category.label).style.bar } as CSSProperties);
}

interface CategoryTagProps {
  readonly category: SentenceCategory;
  readonly context: DrawContext;
}

/** The category of a sentence, shown at its end. */
export function CategoryTag({ category, context }: CategoryTagProps): ReactNode {
  const { label } = appearanceOf(context.appearance, category.label);
  const score = category.suggested && category.score !== undefined ? ` ${formatScore(category.score)}` : '';
  const more = category.others === undefined ? '' : ` ${context.strings.moreCategories(category.others)}`;
  return (
    <i
      className="ann-category"
      data-category={`${label}${score}${more}`}
      data-sentence={context.sentences === true ? category.start : undefined}
    />
  );
}
