/** The document's text as a user sees and selects it: by mouse, on the pixels. */
import type { Locator, Page } from '@playwright/test';

interface Spot {
  readonly left: number;
  readonly right: number;
  readonly leftY: number;
  readonly rightY: number;
}

/** Positions of the first and the last character of a passage. */
async function spotOf(surface: Locator, piece: string): Promise<Spot> {
  await surface.waitFor();
  return surface.evaluate((root, wanted) => {
    const nodes: Text[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) nodes.push(node as Text);
    const at = nodes
      .map((node) => node.data)
      .join('')
      .indexOf(wanted);
    if (at < 0) throw new Error(`Not on screen: ${wanted}`);
    const place = (offset: number, before: boolean): [Text, number] => {
      let passed = 0;
      for (const node of nodes) {
        const here = before ? offset <= passed + node.data.length && offset > passed : offset < passed + node.data.length;
        if (here) return [node, offset - passed];
        passed += node.data.length;
      }
      throw new Error(`Outside the text: ${String(offset)}`);
    };
    const boxes = (start: [Text, number], end: [Text, number]): DOMRect[] => {
      const range = document.createRange();
      range.setStart(...start);
      range.setEnd(...end);
      return [...range.getClientRects()].filter(({ width }) => width > 0);
    };
    place(at, false)[0].parentElement?.scrollIntoView({ block: 'center' });
    const all = boxes(place(at, false), place(at + wanted.length, true));
    const first = all[0];
    const last = all.at(-1);
    if (first === undefined || last === undefined) throw new Error(`Not drawn: ${wanted}`);
    const rtl = getComputedStyle(root).direction === 'rtl';
    const middle = (box: DOMRect): number => box.top + box.height / 2;
    return {
      left: rtl ? first.right : first.left,
      right: rtl ? last.left : last.right,
      leftY: middle(first),
      rightY: middle(last),
    };
  }, piece);
}

/** Presses on the first character, drags past the last, releases. */
export async function selectText(page: Page, surface: Locator, piece: string): Promise<void> {
  const spot = await spotOf(surface, piece);
  const inwards = spot.left < spot.right ? 1 : -1;
  await page.mouse.move(spot.left + inwards, spot.leftY);
  await page.mouse.down();
  await page.mouse.move((spot.left + spot.right) / 2, spot.leftY, { steps: 3 });
  await page.mouse.move(spot.right - inwards, spot.rightY, { steps: 3 });
  await page.mouse.up();
}

/** Clicks in the middle of a passage. */
export async function clickText(page: Page, surface: Locator, piece: string): Promise<void> {
  const spot = await spotOf(surface, piece);
  await page.mouse.click((spot.left + spot.right) / 2, spot.leftY);
}
