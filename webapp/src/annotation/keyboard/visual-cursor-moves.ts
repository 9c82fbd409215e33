/** Cursor moves that depend on the drawn text: a line up or down, a page. */
import { tokenAt } from '@/text/tokens';
import { offsetFromPoint } from '@/annotation/drawing/dom-offset';
import type { TextRange } from '@/annotation/model';
import { MAX_ARC_LANES } from '@/annotation/relations/relations';

const drawnCaretBox = (root: HTMLElement): DOMRect | undefined => {
  const box = root.querySelector('[data-caret], [data-selected], .ann-focused')?.getClientRects()[0];
  return box === undefined || box.height === 0 ? undefined : box;
};

/** For a selection, the drawn head: its last box downwards, its first upwards. */
function selectionHeadBox(root: HTMLElement, forward: boolean): DOMRect | undefined {
  const selected = [...root.querySelectorAll('[data-selected]')];
  const boxes = (forward ? selected.at(-1) : selected[0])?.getClientRects();
  const box = boxes === undefined ? undefined : forward ? boxes[boxes.length - 1] : boxes[0];
  return box ?? drawnCaretBox(root);
}

/** Maximum height of an arc lane (relation-paths.ts, the largest reading size). */
const ARC_LANE = 17;

/** The word above or below the cursor; undefined while it is not drawn (it may be outside the mounted rows). */
export function tokenOnAdjacentLine(root: HTMLElement | null, text: string, forward: boolean): TextRange | undefined {
  const drawn = root === null ? undefined : selectionHeadBox(root, forward);
  if (root === null || drawn === undefined) return undefined;
  const wordAt = (y: number): TextRange | undefined => {
    const offset = offsetFromPoint(root, drawn.left + 1, y);
    return offset === undefined ? undefined : tokenAt(text, offset);
  };
  const here = wordAt(drawn.top + drawn.height / 4)?.start;
  let y = forward ? drawn.top + drawn.height * 1.6 : drawn.top - drawn.height * 0.8;
  let found = wordAt(y);
  // A line with arcs above it is taller, so the next line is further away.
  for (let tries = 0; tries < MAX_ARC_LANES && found?.start === here; tries += 1) {
    y += (forward ? 1 : -1) * ARC_LANE;
    found = wordAt(y);
  }
  return found;
}

/** Overlap between one page and the next, in px. */
const PAGE_OVERLAP = 48;

/** Scrolls by a page and moves the cursor to the word at the same height; false where nothing scrolls any further. */
export function scrollPageWithCursor(
  root: HTMLElement | null,
  text: string,
  forward: boolean,
  arrive: (place: TextRange) => void,
): boolean {
  const scroller = root?.closest<HTMLElement>('.ann-scroller');
  if (root === null || scroller === null || scroller === undefined) return false;
  const view = scroller.getBoundingClientRect();
  const drawn = drawnCaretBox(root);
  const seen = drawn !== undefined && drawn.top >= view.top && drawn.bottom <= view.bottom;
  const [x, y] = seen ? [drawn.left + 1, drawn.top + drawn.height / 2] : [view.left + view.width / 3, view.top + PAGE_OVERLAP];
  const before = scroller.scrollTop;
  scroller.scrollTop += (forward ? 1 : -1) * Math.max(PAGE_OVERLAP, view.height - PAGE_OVERLAP);
  if (scroller.scrollTop === before) return false;
  // The rows at the new position are mounted by the scroll event and drawn a frame later.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const offset = offsetFromPoint(root, x, y);
      const place = offset === undefined ? undefined : tokenAt(text, offset);
      if (place !== undefined) arrive(place);
    }),
  );
  return true;
}
