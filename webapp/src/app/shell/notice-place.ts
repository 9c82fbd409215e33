/** Where floating notifications lie: over no button, dialog or bar. Pure, except for reading the page. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Corners, in the order in which they are tried. */
export const CORNERS = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const;
export type Corner = (typeof CORNERS)[number];

const SIDE = 20;
/** Height of the footer and the space above it. */
const ABOVE_FOOTER = 42;
/** Height of app bar and toolbar and the space below them. */
const BELOW_BARS = 108;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export function boxInCorner(corner: Corner, { width, height }: Size, page: Size): Box {
  const left = corner.endsWith('left') ? SIDE : Math.max(0, page.width - SIDE - width);
  const top = corner.startsWith('top') ? BELOW_BARS : Math.max(0, page.height - ABOVE_FOOTER - height);
  return { left, top, right: left + width, bottom: top + height };
}

/** Space between a notification and what it must not cover, on narrow windows. */
const GAP = 4;
const STEP = 4;

const common = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

export interface Obstacles {
  /** Covered only where nothing else is left. */
  readonly dialogs: readonly Box[];
  readonly controls: readonly Box[];
}

/** The first corner in which nothing is covered, else the one that covers least; a dialog is worse than any number of controls. */
export function freeCorner(size: Size, page: Size, { dialogs, controls }: Obstacles): Corner {
  let best: Corner = CORNERS[0];
  let least = Infinity;
  for (const corner of CORNERS) {
    const box = boxInCorner(corner, size, page);
    const sum = (boxes: readonly Box[]) => boxes.reduce((area, one) => area + common(box, one), 0);
    const cost = sum(dialogs) * 1000 + sum(controls);
    if (cost < least) [best, least] = [corner, cost];
    if (cost === 0) break;
  }
  return best;
}

/**
 * Narrow windows have no free corner: the lowest height at which nothing is covered, else the one where least is; a dialog and the bottom bar
 * are worse than any number of controls.
 */
export function freeTop(size: Size, page: Size, { dialogs, controls }: Obstacles): number {
  const left = Math.max(0, (page.width - size.width) / 2);
  const costAt = (top: number) => {
    const box = { left, right: left + size.width, top: top - GAP, bottom: top + size.height + GAP };
    const sum = (boxes: readonly Box[]) => boxes.reduce((area, one) => area + common(box, one), 0);
    return sum(dialogs) * 1000 + sum(controls);
  };
  let best = 0;
  let least = Infinity;
  for (let top = page.height - size.height - GAP; top >= GAP; top -= STEP) {
    const cost = costAt(top);
    if (cost < least) [best, least] = [top, cost];
    if (cost === 0) break;
  }
  return best;
}

const CONTROLS = 'h1, h2, button, a[href], input, select, textarea, [role="button"], [role="tab"], [role="switch"]';
const DIALOGS = '[role="dialog"], [role="menu"], [role="listbox"], [data-bottom-bar]';

/** The obstacles on the page, without those inside `own`. */
export function obstaclesOf(page: Document, own: Element): Obstacles {
  const boxes = (selector: string) =>
    [...page.querySelectorAll(selector)]
      .filter((element) => !own.contains(element))
      .map((element) => element.getBoundingClientRect())
      .filter(({ width, height }) => width > 0 && height > 0);
  return { dialogs: boxes(DIALOGS), controls: boxes(CONTROLS) };
}
