/**
 * A row of the virtual list with its layout: headings, paragraphs, lists, quotes, code and tables as elements of their own. Each block is a
 * `[data-start]` whose text nodes are its slice of the text, so offsets and marks are the same as in the plain view.
 */
import type { ReactNode } from 'react';
import { directionOfPassage } from '@/text/direction';
import { drawingCutsOfBlock } from '@/text/layout';
import type { Cell, InlineKind, LaidOutBlock, LayoutMark, BlockLook } from '@/text/layout';
import type { Row } from '@/text/rows';
import { categoryColourStyle, CategoryTag, overlaps, textRunsPropsOfBlock } from './block-parts';
import type { SentenceCategory } from '@/annotation/model';
import { TextRuns } from './text-block';
import type { TextRowProps } from './row-props';

export function isFormatted({ blocks }: Row): boolean {
  return blocks[0] !== undefined && 'look' in blocks[0];
}

interface FormattedBlockProps {
  readonly block: LaidOutBlock;
  readonly row: TextRowProps;
}

export function FormattedRow({ row }: { readonly row: TextRowProps }): ReactNode {
  return groupTableAndListBlocks(row.row.blocks as readonly LaidOutBlock[]).map((blocks) => {
    const first = blocks[0];
    if (first === undefined) return null;
    if (first.look.cell !== undefined) return <TablePart key={first.start} blocks={blocks} row={row} />;
    if (first.look.lists > 0)
      return (
        <div key={first.start} role="list">
          {blocks.map((block) => (
            <div key={block.start} role="listitem" aria-level={block.look.lists}>
              <FormattedBlock block={block} row={row} />
            </div>
          ))}
        </div>
      );
    return blocks.map((block) => <FormattedBlock key={block.start} block={block} row={row} />);
  });
}

/** Groups consecutive blocks of the same table, of lists, or of neither. */
function groupTableAndListBlocks(blocks: readonly LaidOutBlock[]): LaidOutBlock[][] {
  const groups: LaidOutBlock[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && groupKeyOfBlock(last[0].look) === groupKeyOfBlock(block.look)) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

function groupKeyOfBlock({ cell, lists }: BlockLook): unknown {
  return cell?.row.table ?? lists > 0;
}

interface TablePartProps {
  readonly blocks: readonly LaidOutBlock[];
  readonly row: TextRowProps;
}

/** The table rows in this row of the list; columns have the same width in all parts of the table. */
function TablePart({ blocks, row }: TablePartProps): ReactNode {
  const lines = new Map<Cell['row'], LaidOutBlock[]>();
  for (const block of blocks) {
    const line = block.look.cell?.row;
    if (line !== undefined) lines.set(line, [...(lines.get(line) ?? []), block]);
  }
  return (
    <table className="ann-table">
      <tbody>
        {[...lines].map(([line, own]) => (
          <tr key={own[0]?.start}>
            {line.cells.map((header, column) => {
              const parts = own.filter(({ look }) => look.cell?.column === column);
              const inside = parts.map((block) => <FormattedBlock key={block.start} block={block} row={row} />);
              return header ? (
                <th key={column} scope="col">
                  {inside}
                </th>
              ) : (
                <td key={column}>{inside}</td>
              );
            })}
            {line.cells.length < line.table.columns && <td colSpan={line.table.columns - line.cells.length} />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const NAMES = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

function FormattedBlock({ block, row }: FormattedBlockProps): ReactNode {
  const { look } = block;
  const Name = look.kind === 'heading' ? (NAMES[look.level - 1] ?? 'h6') : look.kind === 'preformatted' ? 'pre' : 'div';
  const names = ['ann-segment', 'ann-laid', `ann-laid-${look.kind}`];
  if (row.rises !== undefined) names.push('ann-linked');
  if (block.segment === row.currentSegment) names.push('ann-current');
  const around = row.context.rtl ? 'rtl' : 'ltr';
  const direction = directionOfPassage(row.text.slice(block.start, block.textEnd), around);
  const own = direction === around ? row : { ...row, context: { ...row.context, rtl: direction === 'rtl' } };
  return (
    <div
      className={names.join(' ')}
      style={categoryColourStyle(row, undefined)}
      data-level={look.level || undefined}
      data-lists={Math.min(look.lists, 6) || undefined}
      data-quotes={Math.min(look.quotes, 6) || undefined}
      data-bullet={look.bullet || undefined}
    >
      <Name className="ann-text" data-start={block.start} data-end={block.textEnd} dir={own === row ? undefined : direction}>
        <FormattedText block={block} row={own} />
      </Name>
    </div>
  );
}

/** The block split where emphasis, or a sentence with a category, begins or ends. */
function FormattedText({ block, row }: FormattedBlockProps): ReactNode {
  const ended = row.categories.filter((category) => overlaps(category, { start: block.start, end: block.textEnd }));
  const endOf = (category: SentenceCategory): number => Math.min(category.end, block.textEnd);
  const cuts = drawingCutsOfBlock(block, ended.map(endOf));
  const shared = textRunsPropsOfBlock(block, row);
  return cuts.map((start, at) => {
    const end = cuts[at + 1] ?? start;
    const around = block.look.inline.filter((mark) => mark.start <= start && mark.end >= end && mark.start < mark.end);
    return (
      <InlineWithImages key={start} images={block.look.inline.filter(({ kind, start: place }) => kind === 'image' && place === start)}>
        {ended
          .filter((category) => endOf(category) === start)
          .map((category) => (
            <CategoryTag key={category.label} category={category} context={row.context} />
          ))}
        {start < end && wrapInEmphasis(around, <TextRuns {...shared} start={start} end={end} />)}
      </InlineWithImages>
    );
  });
}

interface InlinePartProps {
  readonly images: readonly LayoutMark[];
  readonly children: ReactNode;
}

/** Shows the alternative text of images: nothing is loaded, and that text is not part of the document. */
function InlineWithImages({ images, children }: InlinePartProps): ReactNode {
  return (
    <>
      {images.map(({ alt }, at) => (
        <i key={at} className="ann-image" role="img" aria-label={alt ?? ''} data-words={alt ?? ''} />
      ))}
      {children}
    </>
  );
}

function wrapInEmphasis(around: readonly LayoutMark[], inside: ReactNode): ReactNode {
  return around.reduceRight<ReactNode>((drawn, mark) => <Emphasis mark={mark}>{drawn}</Emphasis>, inside);
}

const ELEMENTS: Partial<Record<InlineKind, 'strong' | 'em' | 'u' | 's' | 'code' | 'sup' | 'sub'>> = {
  strong: 'strong',
  emphasis: 'em',
  underline: 'u',
  strike: 's',
  code: 'code',
  superscript: 'sup',
  subscript: 'sub',
};

/** A link shows its target but cannot be followed: a click on the text is for annotating it. */
function Emphasis({ mark, children }: { readonly mark: LayoutMark; readonly children: ReactNode }): ReactNode {
  if (mark.kind === 'link')
    return (
      <span className="ann-link" title={mark.href ?? undefined}>
        {children}
      </span>
    );
  const Name = ELEMENTS[mark.kind as InlineKind];
  return Name === undefined ? <span className="ann-syntax">{children}</span> : <Name>{children}</Name>;
}
