/** Relations as drawn by the surface, and their distribution to rows. Pure; offsets are UTF-16. */
import type { Block, Row } from '@/text/rows';
import type { Span, TextRange } from '@/annotation/model';

export interface SpanRelation {
  readonly id: string;
  readonly name: string;
  /** Span ids; the relation points from `source` to `target`. */
  readonly source: string;
  readonly target: string;
  readonly status: 'saved' | 'saving' | 'failed';
  readonly creator?: string | undefined;
  readonly importedBy?: string | undefined;
  readonly importedDate?: string | undefined;
}

export interface RelationStyle {
  /** Colour of the line and its arrow. */
  readonly line: string;
  /** Colour of the name on the page background. */
  readonly ink: string;
}

/** A relation name used in the project. */
export interface RelationNameOption {
  readonly name: string;
  readonly style: RelationStyle;
}

/** What the surface needs to draw and change relations; without it there are none. Keep the identity of the arrays stable. */
export interface RelationProps {
  readonly relations: readonly SpanRelation[];
  readonly names: readonly RelationNameOption[];
  readonly styleOf: (name: string) => RelationStyle;
  readonly focusedId: string | undefined;
  readonly onFocus: (id: string | undefined) => void;
  /** Absent: relations are read-only. */
  readonly onLink?: ((source: string, target: string, name: string) => void) | undefined;
  readonly onRename?: ((id: string, name: string) => void) | undefined;
  readonly onReverse?: ((id: string) => void) | undefined;
  readonly onUnlink?: ((id: string) => void) | undefined;
}

/** A relation in a row; an end in another row is represented by its text and direction. */
export interface RowRelation {
  readonly relation: SpanRelation;
  readonly sourceInRow: boolean;
  readonly targetInRow: boolean;
  /** Direction of the other end, when it is not in this row. */
  readonly elsewhere: 'before' | 'after' | undefined;
  readonly otherText: string;
}

export interface RowRelations {
  readonly links: readonly RowRelation[];
  /** Arc lanes over each span, by span id: its lines become that much taller upwards. */
  readonly rises: ReadonlyMap<string, number>;
}

/** Arcs beyond this number share a lane; their names are only shown while highlighted. */
export const MAX_ARC_LANES = 4;
/** From this number of arcs in a row, they are all faint until one of them, or one of their spans, is highlighted. */
export const FAINT_FROM = 16;
const OTHER_TEXT = 18;

const middleOffset = ({ start, end }: TextRange): number => Math.floor((start + end) / 2);

/** Where an arc ends on a span: for a discontinuous span, on the fragment nearest to the other end. */
export function arcFootOffset(span: Span, other: Span): number {
  const { fragments } = span;
  if (fragments === undefined) return middleOffset(span);
  const away = middleOffset(other);
  return fragments.map(middleOffset).reduce((best, at) => (Math.abs(at - away) < Math.abs(best - away) ? at : best));
}

export function cutText(words: string): string {
  const signs = Array.from(words.replace(/\s+/gu, ' '));
  return signs.length > OTHER_TEXT ? `${signs.slice(0, OTHER_TEXT).join('')}…` : signs.join('');
}

interface Reach extends TextRange {
  /** Ids of the spans in this row on which the arc ends. */
  readonly feet: readonly string[];
}

const blockAt = (row: Row, offset: number): Block | undefined => row.blocks.find(({ start, end }) => offset >= start && offset < end);

/** Width of a name in characters of the text; names are printed smaller. */
const roomForArcText = (words: string): number => Math.ceil(Array.from(words).length * 0.75) + 3;

function widenToRoom(reach: TextRange, room: number): TextRange {
  const missing = Math.max(0, room - (reach.end - reach.start)) / 2;
  return { start: Math.floor(reach.start - missing), end: Math.ceil(reach.end + missing) };
}

interface Foot {
  readonly id: string;
  readonly at: number;
}

/** The part of the lines that an arc takes: between its feet within one block, else up to the edge of the block. */
function arcReachesInRow(row: Row, feet: readonly [Foot | undefined, Foot | undefined], link: RowRelation): Reach[] {
  const [source, target] = feet;
  const room = roomForArcText(link.relation.name);
  const blocks = feet.map((foot) => foot && blockAt(row, foot.at));
  if (source !== undefined && target !== undefined && blocks[0] === blocks[1]) {
    const between = { start: Math.min(source.at, target.at), end: Math.max(source.at, target.at) };
    return [{ feet: [source.id, target.id], ...widenToRoom(between, room) }];
  }
  return feet.flatMap((foot, n) => {
    const block = blocks[n];
    if (foot === undefined || block === undefined) return [];
    const other = feet[1 - n];
    const onwards = other === undefined ? link.elsewhere === 'after' : other.at > foot.at;
    const length = other === undefined ? room + roomForArcText(link.otherText) : onwards ? block.end - foot.at : foot.at - block.start;
    return [{ feet: [foot.id], start: onwards ? foot.at : foot.at - length, end: onwards ? foot.at + length : foot.at + 1 }];
  });
}

/** Number of lanes needed by span: the shortest reach first, each in the first free lane over its length. */
function arcLanesBySpan(reaches: readonly Reach[]): ReadonlyMap<string, number> {
  const lanes: Reach[][] = [];
  const needed = new Map<string, number>();
  for (const reach of [...reaches].sort((a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start)) {
    let lane = lanes.findIndex((taken) => taken.every(({ start, end }) => end <= reach.start || start >= reach.end));
    if (lane < 0) lane = lanes.push([]) - 1;
    lanes[lane]?.push(reach);
    for (const id of reach.feet) needed.set(id, Math.min(MAX_ARC_LANES, Math.max(needed.get(id) ?? 0, lane + 1)));
  }
  return needed;
}

const startsInRow = (row: Row, span: Span): boolean => span.start >= row.start && span.start < row.end;

export interface RelationIndex {
  readonly byId: ReadonlyMap<string, Span>;
  /** Relations of each span, by span id; only those with both ends drawn. */
  readonly related: ReadonlyMap<string, readonly SpanRelation[]>;
}

/** A relation as seen from a row, with its reaches. */
function rowRelationWithReaches(row: Row, relation: SpanRelation, { byId }: RelationIndex, textOf: (span: Span) => string) {
  const [source, target] = [byId.get(relation.source), byId.get(relation.target)];
  if (source === undefined || target === undefined) return undefined;
  const [sourceHere, targetHere] = [startsInRow(row, source), startsInRow(row, target)];
  const other = sourceHere ? target : source;
  const elsewhere = sourceHere && targetHere ? undefined : other.start < row.start ? ('before' as const) : ('after' as const);
  const link: RowRelation = {
    relation,
    sourceInRow: sourceHere,
    targetInRow: targetHere,
    elsewhere,
    otherText: elsewhere === undefined ? '' : cutText(textOf(other)),
  };
  const footOn = (span: Span, away: Span): Foot => ({ id: span.id, at: arcFootOffset(span, away) });
  const feet = [sourceHere ? footOn(source, target) : undefined, targetHere ? footOn(target, source) : undefined] as const;
  return { link, reaches: arcReachesInRow(row, feet, link) };
}

/** The relations to draw in a row with the spans `spans`; undefined: none. */
export function relationsOfRow(
  row: Row,
  spans: readonly Span[],
  ends: RelationIndex,
  textOf: (span: Span) => string,
): RowRelations | undefined {
  const seen = new Set<string>();
  const links: RowRelation[] = [];
  const reaches: Reach[] = [];
  for (const relation of spans.filter((span) => startsInRow(row, span)).flatMap(({ id }) => ends.related.get(id) ?? [])) {
    const found = seen.has(relation.id) ? undefined : rowRelationWithReaches(row, relation, ends, textOf);
    seen.add(relation.id);
    if (found === undefined) continue;
    links.push(found.link);
    reaches.push(...found.reaches);
  }
  return links.length === 0 ? undefined : { links, rises: arcLanesBySpan(reaches) };
}

/** Relations by the spans at their ends; only those with both ends drawn. */
export function relationsBySpan(
  relations: readonly SpanRelation[],
  byId: ReadonlyMap<string, Span>,
): ReadonlyMap<string, readonly SpanRelation[]> {
  const related = new Map<string, SpanRelation[]>();
  for (const relation of relations) {
    if (!byId.has(relation.source) || !byId.has(relation.target)) continue;
    for (const end of new Set([relation.source, relation.target])) {
      const known = related.get(end);
      if (known === undefined) related.set(end, [relation]);
      else known.push(relation);
    }
  }
  return related;
}

const isSameRowRelation = (a: RowRelation, b: RowRelation): boolean =>
  a.relation === b.relation &&
  a.sourceInRow === b.sourceInRow &&
  a.targetInRow === b.targetInRow &&
  a.elsewhere === b.elsewhere &&
  a.otherText === b.otherText;

const haveSameArcLanes = (a: RowRelations['rises'], b: RowRelations['rises']): boolean =>
  a.size === b.size && [...a].every(([id, lanes]) => b.get(id) === lanes);

/** Returns the previous object where nothing changed, so that its row does not render. */
export function reuseUnchangedRelations(next: RowRelations | undefined, before: RowRelations | undefined): RowRelations | undefined {
  if (next === undefined || before === undefined) return next;
  const rises = haveSameArcLanes(next.rises, before.rises) ? before.rises : next.rises;
  const unchanged =
    next.links.length === before.links.length && next.links.every((link, at) => isSameRowRelation(link, before.links[at] as RowRelation));
  if (!unchanged) return { links: next.links, rises };
  return rises === before.rises ? before : { links: before.links, rises };
}
