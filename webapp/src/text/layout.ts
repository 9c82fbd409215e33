/**
 * The layout of a text: blocks (headings, paragraphs, items, cells) that cover the whole text, and emphasis inside them. Offsets are
 * UTF-16; the text itself is never changed.
 */
import { cutBlock, groupRows, ROW_TARGET } from './rows';
import type { Block, SegmentRange, Row } from './rows';

export type InlineKind =
  'strong' | 'emphasis' | 'underline' | 'strike' | 'code' | 'superscript' | 'subscript' | 'link' | 'image' | 'syntax';
export type BlockKind = 'heading' | 'paragraph' | 'quote' | 'preformatted' | 'list' | 'item' | 'table' | 'row' | 'cell';

/** Outer marks come before nested ones; see `LayoutMark` of the API. */
export interface LayoutMark extends SegmentRange {
  readonly kind: BlockKind | InlineKind;
  readonly level?: number | null | undefined;
  readonly ordered?: boolean | null | undefined;
  readonly header?: boolean | null | undefined;
  readonly href?: string | null | undefined;
  readonly alt?: string | null | undefined;
}

export interface Cell {
  /** 0-based index in its row; `of` is the number of cells of the row, including empty ones. */
  readonly column: number;
  readonly header: boolean;
  readonly row: RowOfTable;
}

export interface RowOfTable {
  /** Whether each cell is a header, in order. */
  readonly cells: boolean[];
  readonly table: TableOfText;
}

export interface TableOfText {
  columns: number;
}

/** Style of a block. */
export interface BlockLook {
  readonly kind: 'heading' | 'paragraph' | 'preformatted';
  /** Level of a heading, 1..6; else 0. */
  readonly level: number;
  /** Nesting depth of quotes and of lists. */
  readonly quotes: number;
  readonly lists: number;
  /** Bullet of an item that starts with this block, for lists whose text has none. */
  readonly bullet: string;
  readonly cell: Cell | undefined;
  /** Emphasis in the block, clipped to it; images have no length. */
  readonly inline: readonly LayoutMark[];
}

export interface LaidOutBlock extends Block {
  readonly look: BlockLook;
}

const INLINE: ReadonlySet<string> = new Set<InlineKind>([
  'strong',
  'emphasis',
  'underline',
  'strike',
  'code',
  'superscript',
  'subscript',
  'link',
  'image',
  'syntax',
]);
const LEAVES: ReadonlySet<string> = new Set<BlockLook['kind']>(['heading', 'paragraph', 'preformatted']);
const BLANK = /^\s*$/u;

/** Rows of a text with a layout; a table row is never split. */
export function buildLaidOutRows(text: string, layout: readonly LayoutMark[], target = ROW_TARGET): Row[] {
  const blocks = layOutBlocks(text, layout).flatMap((block) => cutBlock(text, block, target) as LaidOutBlock[]);
  return groupRows(blocks, target, (block, before) => {
    const row = (block as LaidOutBlock).look.cell?.row;
    return row !== undefined && row === (before as LaidOutBlock).look.cell?.row;
  });
}

/** Consecutive blocks that cover the text, each with its style. */
export function layOutBlocks(text: string, layout: readonly LayoutMark[]): LaidOutBlock[] {
  const marks = layout.filter(({ kind }) => !INLINE.has(kind));
  const edges = new Set([0, text.length]);
  for (const { start, end } of marks) edges.add(start).add(end);
  const sorted = [...edges].sort((a, b) => a - b);
  const stack = new OpenMarkStack(marks);
  const blocks: { start: number; end: number; textEnd: number; look: BlockLook }[] = [];
  for (let at = 0; at + 1 < sorted.length; at += 1) {
    const start = sorted[at] ?? 0;
    const end = sorted[at + 1] ?? text.length;
    const look = stack.lookAt(start);
    const slice = text.slice(start, end);
    const last = blocks.at(-1);
    if (BLANK.test(slice)) {
      if (last !== undefined) last.end = end;
      else if (end === text.length) blocks.push({ start: 0, end, textEnd: 0, look });
      continue;
    }
    stack.shown(look);
    // Line breaks between two blocks belong to the previous one; indentation is preserved.
    const lead = look.kind === 'preformatted' ? 0 : slice.length - slice.trimStart().length;
    if (last !== undefined) last.end = start + lead;
    const textEnd = start + (look.kind === 'preformatted' ? slice.replace(/\s+$/u, '') : slice.trimEnd()).length;
    blocks.push({ start: last === undefined ? 0 : start + lead, end, textEnd, look });
  }
  return blocks.map((block, segment) => ({ ...block, number: undefined, segment })).map(withInline(layout));
}

/** Block marks that contain an offset; must be used with ascending offsets. */
class OpenMarkStack {
  private readonly open: { readonly mark: LayoutMark; readonly row?: RowOfTable; readonly table?: TableOfText; cell?: Cell }[] = [];
  private next = 0;
  private item: LayoutMark | undefined;
  private readonly numbers = new Map<LayoutMark, number>();
  private bullets = new Map<LayoutMark, string>();

  constructor(private readonly marks: readonly LayoutMark[]) {}

  lookAt(place: number): BlockLook {
    this.goTo(place);
    const kinds = this.open.map(({ mark }) => mark);
    const leaf = kinds.findLast(({ kind }) => LEAVES.has(kind));
    const count = (kind: BlockKind): number => kinds.filter((mark) => mark.kind === kind).length;
    this.item = kinds.findLast(({ kind }) => kind === 'item');
    return {
      kind: leaf === undefined ? 'paragraph' : (leaf.kind as BlockLook['kind']),
      level: leaf?.kind === 'heading' ? (leaf.level ?? 1) : 0,
      quotes: count('quote'),
      lists: count('list'),
      bullet: this.item === undefined ? '' : (this.bullets.get(this.item) ?? ''),
      cell: this.open.findLast(({ cell }) => cell !== undefined)?.cell,
      inline: [],
    };
  }

  private goTo(place: number): void {
    for (let mark = this.marks[this.next]; mark !== undefined && mark.start <= place; mark = this.marks[this.next]) {
      while (this.open.length > 0 && !contains(this.open.at(-1)?.mark, mark)) this.open.pop();
      this.push(mark);
      this.next += 1;
    }
    while (this.open.length > 0 && (this.open.at(-1)?.mark.end ?? 0) <= place) this.open.pop();
  }

  /** Called after the first block of an item, which shows its bullet. */
  shown(look: BlockLook): void {
    if (look.bullet !== '' && this.item !== undefined) this.bullets.delete(this.item);
  }

  private push(mark: LayoutMark): void {
    const around = this.open;
    if (mark.kind === 'table') around.push({ mark, table: { columns: 0 } });
    else if (mark.kind === 'row') {
      const table = around.findLast((one) => one.table !== undefined)?.table ?? { columns: 0 };
      around.push({ mark, row: { cells: [], table } });
    } else if (mark.kind === 'cell') {
      const row = around.findLast((one) => one.row !== undefined)?.row ?? { cells: [], table: { columns: 0 } };
      row.cells.push(mark.header === true);
      row.table.columns = Math.max(row.table.columns, row.cells.length);
      around.push({ mark, cell: { column: row.cells.length - 1, header: mark.header === true, row } });
    } else {
      if (mark.kind === 'item') this.bullets.set(mark, this.bulletOf(around.at(-1)?.mark));
      around.push({ mark });
    }
  }

  private bulletOf(list: LayoutMark | undefined): string {
    if (list?.ordered !== true) return '•';
    const number = (this.numbers.get(list) ?? 0) + 1;
    this.numbers.set(list, number);
    return `${String(number)}.`;
  }
}

function contains(outer: LayoutMark | undefined, { start, end }: LayoutMark): boolean {
  return outer !== undefined && outer.start !== outer.end && (start < outer.end || (start === end && outer.kind === 'row'));
}

/** Adds the overlapping inline marks to blocks, which must be passed in order. */
function withInline(layout: readonly LayoutMark[]): (block: LaidOutBlock) => LaidOutBlock {
  const marks = layout.filter(({ kind }) => INLINE.has(kind));
  let next = 0;
  let reaching: LayoutMark[] = [];
  return (block) => {
    for (let mark = marks[next]; mark !== undefined && mark.start <= block.textEnd; mark = marks[next]) {
      reaching.push(mark);
      next += 1;
    }
    reaching = reaching.filter(({ kind, start, end }) => (kind === 'image' ? start >= block.start : end > block.start));
    const inline = reaching.flatMap((mark) => {
      const cut = { ...mark, start: Math.max(mark.start, block.start), end: Math.min(mark.end, block.textEnd) };
      return mark.kind === 'image' || cut.start < cut.end ? [cut] : [];
    });
    const signed = inline.some(({ kind, start }) => kind === 'syntax' && start === block.start);
    return { ...block, look: { ...block.look, inline, bullet: signed ? '' : block.look.bullet } };
  };
}

/** Offsets in a block at which the style changes, including both ends. */
export function drawingCutsOfBlock({ start, textEnd, look }: LaidOutBlock, more: readonly number[] = []): number[] {
  const places = [start, textEnd, ...more, ...look.inline.flatMap((mark) => [mark.start, mark.end])];
  return [...new Set(places.filter((place) => place >= start && place <= textEnd))].sort((a, b) => a - b);
}
