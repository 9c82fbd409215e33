/**
 * Position of a toolbar next to its anchor on a card in a list: covers no title, button or text where another position is possible. Pure.
 */

export interface Rect {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface ToolbarPosition {
  readonly left: number;
  readonly top: number;
}

interface Surroundings {
  /** The boxes of the anchor, line by line. */
  readonly anchor: readonly Rect[];
  /** The area in which the toolbar may be placed. */
  readonly bounds: Rect;
  /** Titles and buttons of the cards. */
  readonly needed: readonly Rect[];
  /** Text of the card, with the tags below it. */
  readonly textBoxes: readonly Rect[];
}

const GAP = 6;
/**
 * Cost per covered area, more than any distance: a covered title or button cannot be used. Covered text also costs more than a short
 * distance.
 */
const COVERS = 100_000;
const OVER_NEEDED = 20;
const OVER_TEXT = 6;
const DISTANCE_WEIGHT = 4;

const width = ({ left, right }: Rect): number => right - left;

export function overlapArea(a: Rect, b: Rect): number {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return across > 0 && down > 0 ? across * down : 0;
}

const coveredArea = (bar: Rect, boxes: readonly Rect[]): number => boxes.reduce((sum, box) => sum + overlapArea(bar, box), 0);

function distanceToAnchor(bar: Rect, [first]: readonly Rect[], last: Rect): number {
  const anchor = first ?? last;
  const across = Math.max(0, bar.left - last.left, anchor.left - bar.right);
  return across + Math.max(0, anchor.top - bar.bottom, bar.top - last.bottom);
}

/**
 * The cheapest of the positions above, below and at the height of the last line; aligned with the left of the anchor, or directly next to
 * an obstacle.
 */
export function positionToolbar(size: { readonly width: number; readonly height: number }, around: Surroundings): ToolbarPosition {
  const { anchor, bounds, needed, textBoxes } = around;
  const first = anchor[0] ?? bounds;
  const last = anchor.at(-1) ?? first;
  const near = (box: Rect) => box.bottom > first.top - size.height - GAP && box.top < last.bottom + size.height + GAP;
  const titles = needed.filter(near);
  const lines = textBoxes.filter(near);
  const furthest = Math.max(bounds.left, bounds.right - size.width);
  const inside = (left: number) => Math.max(bounds.left, Math.min(left, furthest));
  const obstacles = [...titles, ...lines, ...anchor];
  const lefts = [...new Set([last.left, ...obstacles.flatMap(({ left, right }) => [right + GAP, left - GAP - size.width])].map(inside))];
  const middle = (last.top + last.bottom - size.height) / 2;
  const tops = [first.top - GAP - size.height, last.bottom + GAP, middle];
  const visible = tops.filter((top) => top >= bounds.top && top + size.height <= bounds.bottom);
  let best: ToolbarPosition & { readonly cost: number } = {
    left: inside(last.left),
    top: last.bottom + GAP,
    cost: Number.POSITIVE_INFINITY,
  };
  for (const top of visible.length > 0 ? visible : tops)
    for (const left of lefts) {
      const bar = { left, top, right: left + size.width, bottom: top + size.height };
      const over = coveredArea(bar, [...titles, ...anchor]);
      const cost =
        (over > 0 ? COVERS : 0) +
        OVER_NEEDED * over +
        OVER_TEXT * coveredArea(bar, lines) +
        DISTANCE_WEIGHT * distanceToAnchor(bar, anchor, last);
      if (cost < best.cost) best = { left, top, cost };
    }
  return { left: best.left, top: best.top };
}

/** Merges boxes of words into lines: boxes at the same height are one. */
export function mergeBoxesIntoLines(boxes: readonly Rect[]): Rect[] {
  const lines: Rect[] = [];
  for (const box of boxes) {
    if (width(box) === 0) continue;
    const at = lines.findIndex(({ top, bottom }) => box.top < bottom && box.bottom > top);
    const line = lines[at];
    if (line === undefined) lines.push({ left: box.left, right: box.right, top: box.top, bottom: box.bottom });
    else
      lines[at] = {
        left: Math.min(line.left, box.left),
        right: Math.max(line.right, box.right),
        top: Math.min(line.top, box.top),
        bottom: Math.max(line.bottom, box.bottom),
      };
  }
  return lines;
}
