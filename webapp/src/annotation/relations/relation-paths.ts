/** Computes arcs from the boxes of the drawn spans: feet, lanes per line, names, arrows, jumps. Pure; coordinates are pixels of the row. */
import type { RowRelation } from './relations';

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

export interface RelationEndBoxes {
  readonly link: RowRelation;
  /** Boxes of the ends in this row; one per line and fragment. */
  readonly source: readonly Box[];
  readonly target: readonly Box[];
}

export interface RowFrame {
  /** Left and right edge of the text. */
  readonly left: number;
  readonly right: number;
  readonly rtl: boolean;
  /** Pixels per unit (1 at a reading size of 15). */
  readonly unit: number;
  /** Number of lanes above the line with this top. */
  readonly lanesAt: (top: number) => number;
}

export interface DrawnRelationName {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  /** The span it leads to, where that is not on this line. */
  readonly jump: string | undefined;
}

export interface DrawnRelationArc {
  readonly id: string;
  readonly paths: readonly string[];
  readonly arrows: readonly string[];
  readonly names: readonly DrawnRelationName[];
  /** No lane was free: the name is only shown while the relation is highlighted. */
  readonly crowded: boolean;
  /** The span in another row that it leads to. */
  readonly away: string | undefined;
}

/** Heights in units. */
const LANE = 13;
const FIRST = 6.5;
const NAME = 11;
const LETTER = 5.5;
const SAME_LINE = 6;
const GAP = 4;

interface Segment {
  readonly link: RowRelation;
  readonly line: number;
  /** Where it ends on a span; undefined: it comes from the edge. */
  readonly foot: number | undefined;
  /** The other end: another foot on the line, an edge, or the end of a stub. */
  readonly to: number;
  readonly toFoot: boolean;
  readonly arrowAt: 'foot' | 'to' | undefined;
  readonly name: string;
  readonly jump: string | undefined;
}

const WIDE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Extended_Pictographic}]/u;

/** Estimated, so that no text has to be measured. */
export function nameWidth(name: string, unit: number): number {
  const letters = Array.from(name).reduce((sum, sign) => sum + (WIDE.test(sign) ? 1.9 : 1), 0);
  return (letters * LETTER + 8) * unit;
}

const center = ({ left, right }: Box): number => (left + right) / 2;

/** The two boxes nearest to each other, on the same line if possible. */
export function nearestBoxes(source: readonly Box[], target: readonly Box[]): readonly [Box | undefined, Box | undefined] {
  let best: readonly [Box | undefined, Box | undefined] = [source[0], target[0]];
  let least = Infinity;
  for (const a of source) {
    for (const b of target) {
      const away = Math.abs(a.top - b.top) * 1000 + Math.abs(center(a) - center(b));
      if (away >= least) continue;
      least = away;
      best = [a, b];
    }
  }
  return best;
}

interface Foot {
  readonly box: Box;
  readonly towards: number;
}

/** Places several feet on one span next to each other, in the order of their other ends. */
function spreadArcFeet(feet: readonly Foot[], unit: number): ReadonlyMap<Foot, number> {
  const groups = new Map<string, Foot[]>();
  for (const foot of feet) {
    const key = `${String(foot.box.left)} ${String(foot.box.top)}`;
    groups.set(key, [...(groups.get(key) ?? []), foot]);
  }
  const places = new Map<Foot, number>();
  for (const group of groups.values()) {
    group.sort((a, b) => a.towards - b.towards);
    group.forEach((foot, at) => {
      const { left, right } = foot.box;
      const step = Math.min(7 * unit, (right - left) / (group.length + 1));
      places.set(foot, center(foot.box) + (at - (group.length - 1) / 2) * step);
    });
  }
  return places;
}

interface Joined {
  readonly link: RowRelation;
  readonly source: Foot | undefined;
  readonly target: Foot | undefined;
}

function connectRelationEnds({ link, source, target }: RelationEndBoxes, { left, right, rtl }: RowFrame): Joined {
  const [a, b] = nearestBoxes(source, target);
  const edge = (onwards: boolean): number => (onwards === rtl ? left : right);
  const towards = (from: Box, to: Box | undefined): number => {
    if (to === undefined) return edge(link.elsewhere === 'after');
    return Math.abs(from.top - to.top) < SAME_LINE ? center(to) : edge(to.top > from.top);
  };
  return { link, source: a && { box: a, towards: towards(a, b) }, target: b && { box: b, towards: towards(b, a) } };
}

function arcSegmentsOfRelation(one: Joined, places: ReadonlyMap<Foot, number>, frame: RowFrame): Segment[] {
  const { link, source, target } = one;
  const { name } = link.relation;
  const at = (foot: Foot): number => places.get(foot) ?? center(foot.box);
  if (source !== undefined && target !== undefined) {
    if (Math.abs(source.box.top - target.box.top) < SAME_LINE)
      return [{ link, line: source.box.top, foot: at(source), to: at(target), toFoot: true, arrowAt: 'to', name, jump: undefined }];
    const long = (foot: Foot): number => Math.abs(foot.towards - at(foot));
    const named = long(source) >= long(target) ? source : target;
    const half = (foot: Foot, arrowAt: 'foot' | 'to', jump: string): Segment => ({
      link,
      line: foot.box.top,
      foot: at(foot),
      to: foot.towards,
      toFoot: false,
      arrowAt,
      name: foot === named ? name : '',
      jump,
    });
    return [half(source, 'to', link.relation.target), half(target, 'foot', link.relation.source)];
  }
  const foot = source ?? target;
  return foot === undefined ? [] : [stubToOtherRow(link, foot, at(foot), source !== undefined, frame)];
}

/** A short line with the name and the text of the other end, in its direction; reversed at the edge of the text. */
function stubToOtherRow(link: RowRelation, foot: Foot, x: number, isSource: boolean, frame: RowFrame): Segment {
  const words = isSource ? `${link.relation.name} → ${link.otherText}` : `${link.otherText} → ${link.relation.name}`;
  const length = nameWidth(words, frame.unit) + 14 * frame.unit;
  const wanted = foot.towards >= x ? 1 : -1;
  const fits = (side: number): boolean => (side > 0 ? x + length <= frame.right : x - length >= frame.left);
  const side = fits(wanted) || !fits(-wanted) ? wanted : -wanted;
  const to = Math.min(Math.max(x + side * length, frame.left), frame.right);
  const jump = isSource ? link.relation.target : link.relation.source;
  return { link, line: foot.box.top, foot: x, to, toFoot: false, arrowAt: isSource ? 'to' : 'foot', name: words, jump };
}

interface Reach {
  readonly from: number;
  readonly until: number;
}

function horizontalReachOfSegment(segment: Segment, frame: RowFrame): Reach & { readonly name: Reach } {
  const [left, right] = [Math.min(segment.foot ?? segment.to, segment.to), Math.max(segment.foot ?? segment.to, segment.to)];
  const width = segment.name === '' ? 0 : nameWidth(segment.name, frame.unit);
  const start = Math.min(Math.max((left + right - width) / 2, frame.left), Math.max(frame.left, frame.right - width));
  const name = { from: start, until: start + width };
  if (width === 0) return { from: left, until: right, name };
  return { from: Math.min(left, name.from), until: Math.max(right, name.until), name };
}

/** Rounded corners; a straight line where the feet are close together. */
function svgPathOfSegment(segment: Segment, y: number, bottom: number, unit: number): string {
  const { foot, to, toFoot } = segment;
  const from = foot ?? to;
  const side = to >= from ? 1 : -1;
  const radius = Math.min(5 * unit, Math.abs(to - from) / 2, bottom - y);
  const up = `M${formatCoordinate(from)} ${formatCoordinate(bottom)}V${formatCoordinate(y + radius)}Q${formatCoordinate(from)} ${formatCoordinate(y)} ${formatCoordinate(from + side * radius)} ${formatCoordinate(y)}`;
  if (!toFoot) return `${up}H${formatCoordinate(to)}`;
  return `${up}H${formatCoordinate(to - side * radius)}Q${formatCoordinate(to)} ${formatCoordinate(y)} ${formatCoordinate(to)} ${formatCoordinate(y + radius)}V${formatCoordinate(bottom)}`;
}

const formatCoordinate = (value: number): string => String(Math.round(value * 10) / 10);

/** A filled triangle with its tip at (x, y). */
function svgArrowPath(x: number, y: number, direction: 'down' | 'left' | 'right', unit: number): string {
  const [long, half] = [5 * unit, 3 * unit];
  if (direction === 'down')
    return `M${formatCoordinate(x)} ${formatCoordinate(y)}L${formatCoordinate(x - half)} ${formatCoordinate(y - long)}H${formatCoordinate(x + half)}Z`;
  const back = direction === 'right' ? x - long : x + long;
  return `M${formatCoordinate(x)} ${formatCoordinate(y)}L${formatCoordinate(back)} ${formatCoordinate(y - half)}V${formatCoordinate(y + half)}Z`;
}

interface SegmentInLane {
  readonly segment: Segment;
  readonly reach: ReturnType<typeof horizontalReachOfSegment>;
  readonly lane: number;
  readonly crowded: boolean;
}

/** On each line the shortest segment first, each in the first free lane over its length; if none is free, it shares the top lane. */
function assignLanes(segments: readonly Segment[], frame: RowFrame): SegmentInLane[] {
  const taken = new Map<number, Reach[][]>();
  return segments
    .map((segment) => ({ segment, reach: horizontalReachOfSegment(segment, frame) }))
    .sort((a, b) => a.reach.until - a.reach.from - (b.reach.until - b.reach.from))
    .map(({ segment, reach }) => {
      const line = Math.round(segment.line / SAME_LINE);
      const lanes = taken.get(line) ?? [];
      taken.set(line, lanes);
      const room = Math.max(1, frame.lanesAt(segment.line));
      const isFree = (lane: number): boolean =>
        (lanes[lane] ?? []).every(({ from, until }) => until + GAP <= reach.from || from >= reach.until + GAP);
      let lane = 0;
      while (lane < room && !isFree(lane)) lane += 1;
      const crowded = lane >= room;
      if (crowded) lane = room - 1;
      else (lanes[lane] ??= []).push(reach);
      return { segment, reach, lane, crowded };
    });
}

function drawArcSegment({ segment, reach, lane }: SegmentInLane, unit: number): Pick<DrawnRelationArc, 'paths' | 'arrows' | 'names'> {
  const bottom = segment.line - unit;
  const y = segment.line - (FIRST + LANE * lane) * unit;
  const { foot = segment.to, to } = segment;
  const arrows: string[] = [];
  if (segment.arrowAt === 'foot') arrows.push(svgArrowPath(foot, bottom, 'down', unit));
  if (segment.arrowAt === 'to')
    arrows.push(segment.toFoot ? svgArrowPath(to, bottom, 'down', unit) : svgArrowPath(to, y, to >= foot ? 'right' : 'left', unit));
  const { name } = reach;
  const names =
    segment.name === ''
      ? []
      : [{ text: segment.name, left: name.from, top: y - (NAME / 2) * unit, width: name.until - name.from, jump: segment.jump }];
  return { paths: [svgPathOfSegment(segment, y, bottom, unit)], arrows, names };
}

const otherEndSpanId = ({ relation, sourceInRow, elsewhere }: RowRelation): string | undefined =>
  elsewhere === undefined ? undefined : sourceInRow ? relation.target : relation.source;

/** Everything to draw for the relations of a row. */
export function drawRelationArcs(all: readonly RelationEndBoxes[], frame: RowFrame): DrawnRelationArc[] {
  const ends = all.map((boxes) => connectRelationEnds(boxes, frame));
  const places = spreadArcFeet(
    ends.flatMap(({ source, target }) => [source, target]).filter((foot) => foot !== undefined),
    frame.unit,
  );
  const byLink = new Map<string, DrawnRelationArc>();
  for (const item of assignLanes(
    ends.flatMap((one) => arcSegmentsOfRelation(one, places, frame)),
    frame,
  )) {
    const { id } = item.segment.link.relation;
    const { paths, arrows, names } = drawArcSegment(item, frame.unit);
    const known = byLink.get(id) ?? { id, paths: [], arrows: [], names: [], crowded: false, away: otherEndSpanId(item.segment.link) };
    byLink.set(id, {
      id,
      paths: [...known.paths, ...paths],
      arrows: [...known.arrows, ...arrows],
      names: [...known.names, ...names],
      crowded: known.crowded || item.crowded,
      away: known.away,
    });
  }
  return [...byLink.values()];
}
