/** A mouse selection equals, character for character, what the API stores: offsets in code points, on grapheme boundaries. */
import { expect, test, type Page } from '@playwright/test';
import { HARD_TEXTS } from './hard-texts';
import { api, importDocuments, makeProject, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

interface Sign {
  readonly sign: string;
  readonly at: number;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

interface Held {
  readonly text: string;
  readonly annotations: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

let page: Page;
let project = '';
const idOf = (name: string) => name.replaceAll(' ', '-');

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage();
  await signIn(page);
  // In a Chinese project selections are not extended (C-066), so that no wrong offset is hidden.
  project = await makeProject(page, 'Hard texts', 'sequence_labelling', 'zh');
  await api(page, 'POST', `/projects/${project}/labels`, { label: 'Piece' });
  await importDocuments(
    page,
    project,
    Object.entries(HARD_TEXTS).map(([name, text]) => ({ identifier: idOf(name), title: name, text })),
  );
  await page.goto(`/openProject/${project}/documents`);
  await expect(page.getByText(`${String(Object.keys(HARD_TEXTS).length)} documents`).first()).toBeVisible();
});
test.afterAll(() => page.context().close());

/** Characters a user could aim at, without invisible ones. */
function signsOf(text: string): Sign[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment, index }) => ({ sign: segment, at: index })).filter(({ sign }) =>
    /[\p{L}\p{N}\p{So}\p{Extended_Pictographic}\p{RI}]/u.test(sign),
  );
}

/** The position of a character once the page has stopped moving: a fallback font that loads late moves lines. */
async function boxOf(sign: Sign): Promise<Box> {
  let box = await measured(sign);
  for (let seen = ''; seen !== JSON.stringify(box); box = await measured(sign)) {
    seen = JSON.stringify(box);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
  return box;
}

async function measured({ sign, at }: Sign): Promise<Box> {
  const box = await page.evaluate(
    ([offset, length]) => {
      for (const block of document.querySelectorAll<HTMLElement>('.ann-root [data-start]')) {
        let passed = Number(block.dataset['start']);
        const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
          if (offset < passed + node.length) {
            const range = document.createRange();
            range.setStart(node, offset - passed);
            range.setEnd(node, Math.min(node.length, offset - passed + length));
            const { left, right, top, bottom } = range.getBoundingClientRect();
            return { left, right, y: (top + bottom) / 2 };
          }
          passed += node.length;
        }
      }
      return null;
    },
    [at, sign.length] as const,
  );
  if (box === null) throw new Error(`Not drawn: ${sign}`);
  return box;
}

const isRtl = (sign: string) => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(sign);
const inFirstHalf = ({ left, right }: Box, sign: string) => (isRtl(sign) ? right - (right - left) * 0.2 : left + (right - left) * 0.2);
const inLastHalf = ({ left, right }: Box, sign: string) => (isRtl(sign) ? left + (right - left) * 0.2 : right - (right - left) * 0.2);

/** Drags like a user: checks the position of the end while dragging, as a run that is split by a selection may be shaped again. */
async function drag(first: Sign, last: Sign): Promise<void> {
  const from = await boxOf(first);
  await page.mouse.move(inFirstHalf(from, first.sign), from.y);
  await page.mouse.down();
  for (let look = 0; look < 3; look += 1) {
    const to = await boxOf(last);
    await page.mouse.move((from.left + to.right) / 2, (from.y + to.y) / 2, { steps: 2 });
    await page.mouse.move(inLastHalf(to, last.sign), to.y, { steps: 2 });
  }
  await page.mouse.up();
}

for (const [name, text] of Object.entries(HARD_TEXTS)) {
  test(`selects the characters under the pointer: ${name}`, async () => {
    const state = Buffer.from(JSON.stringify({ documentIdentifier: idOf(name) })).toString('base64url');
    await page.goto(`/document/${state}`);
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll('.ann-root [data-start]')].map((block) => block.textContent).join(''),
    );
    expect(shown).toBe(text);
    const signs = signsOf(text);
    const places = [
      [1, Math.floor(signs.length / 3)],
      [Math.floor(signs.length / 2), signs.length - 2],
      [2, signs.length - 1],
    ] as const;
    const wanted: string[] = [];
    for (const [a, b] of places) {
      const [first, last] = [signs[a], signs[b]];
      if (first === undefined || last === undefined) throw new Error(`Too short: ${name}`);
      const piece = text.slice(first.at, last.at + last.sign.length);
      await drag(first, last);
      const drawn = () => page.evaluate(() => [...document.querySelectorAll('[data-selected]')].map((run) => run.textContent).join(''));
      await expect.poll(drawn).toBe(piece);
      await page.getByRole('combobox', { name: 'Filter labels' }).press('1');
      await expect(page.getByRole('combobox', { name: 'Filter labels' })).toHaveCount(0);
      wanted.push(piece);
    }
    const read = () => api<Held>(page, 'GET', `/projects/${project}/documents/${idOf(name)}`);
    await expect.poll(async () => (await read()).annotations.length).toBe(wanted.length);
    const held = await read();
    expect(held.text).toBe(text);
    const points = [...held.text];
    expect(held.annotations.map((one) => one.text).sort()).toEqual([...wanted].sort());
    expect(held.annotations.map(({ start, end }) => points.slice(start, end).join('')).sort()).toEqual([...wanted].sort());
  });
}
