/** Relations between annotations, and discontinuous annotations, on a text about illnesses: by mouse, then by keyboard alone. */
import { expect, test, type Page } from '@playwright/test';
import { diseaseText } from './disease-text';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';
import { clickText, selectText } from './text';

test.describe.configure({ mode: 'serial' });

interface Annotation {
  readonly identifier: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly fragments?: readonly (readonly [number, number])[];
  readonly fragmentsText?: readonly string[];
}

interface Relation {
  readonly identifier: string;
  readonly name: string;
  readonly source: string;
  readonly target: string;
}

interface Held {
  readonly annotations: readonly Annotation[];
  readonly relations?: readonly Relation[];
}

let page: Page;
let project = '';
const surface = () => page.getByRole('group', { name: 'Text of Ataxia' });
const read = () => api<Held>(page, 'GET', `/projects/${project}/documents/ataxia`);
const list = () => page.getByRole('region', { name: 'Relations' });
const announcement = () => page.locator('.ann-surface [role="status"]');

/** Name, source and target of each relation. */
async function relations(): Promise<string[][]> {
  const { annotations, relations: found = [] } = await read();
  const textOf = (id: string) => annotations.find(({ identifier }) => identifier === id)?.text ?? '?';
  return found.map(({ name, source, target }) => [name, textOf(source), textOf(target)]);
}

async function annotation(text: string): Promise<Annotation> {
  const found = (await read()).annotations.find((one) => one.text === text);
  if (found === undefined) throw new Error(`No annotation on ${text}`);
  return found;
}

async function open(mode: 'light' | 'dark' = 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: mode });
  await page.goto(`/document/${Buffer.from(JSON.stringify({ documentIdentifier: 'ataxia' })).toString('base64url')}`);
  await expect(surface()).toBeVisible();
}

/** Drags from the round handle of a span to the middle of another one. */
async function dragLink(from: Annotation, to: Annotation): Promise<void> {
  await page.locator(`[data-spans~="${from.identifier}"]`).first().hover();
  const handle = await page.locator(`[data-link-of="${from.identifier}"]`).boundingBox();
  const target = await page.locator(`[data-spans~="${to.identifier}"]`).first().boundingBox();
  if (handle === null || target === null) throw new Error('Not on screen');
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(target.x + target.width / 2, target.y + 8, { steps: 6 });
}

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Diseases', 'sequence_labelling');
  for (const label of ['Disease', 'Gene']) await api(page, 'POST', `/projects/${project}/labels`, { label });
  await importDocuments(page, project, [{ identifier: 'ataxia', title: 'Ataxia', ...diseaseText() }]);
  await page.goto(`/openProject/${project}/documents`);
  await expect(page.getByText('1 document').first()).toBeVisible();
  await open();
});
test.afterAll(() => page?.context().close());

test('a relation is drawn from a handle to another annotation and named', async () => {
  await expect(list().getByText('No relations yet.')).toBeVisible();
  const [from, to] = [await annotation('ataxia-telangiectasia'), await annotation('sporadic T-cell leukaemia')];
  await dragLink(from, to);
  await expect(page.locator('.ann-rubber path')).toBeVisible();
  await shot(page, '70-drag');
  await page.mouse.up();
  const name = page.getByRole('combobox', { name: 'Name of the relation' });
  await expect(name).toBeFocused();
  await expectAccessible(page);
  await name.fill('risk of');
  await page.getByRole('option', { name: 'New: risk of' }).click();
  await expect(page.locator('.ann-arc-name', { hasText: 'risk of' })).toBeVisible();
  await expect.poll(relations).toEqual([['risk of', 'ataxia-telangiectasia', 'sporadic T-cell leukaemia']]);
  await expect(list().getByRole('button', { name: 'risk of: ataxia-telangiecta… → sporadic T-cell le…', exact: true })).toBeVisible();
  await shot(page, '71-relation');
  await expectAccessible(page);
});

test('a selection next to an arc is exact, and an arc covers no letter', async () => {
  await press('Escape', 'Escape');
  const arcs = await page
    .locator('.ann-arc, .ann-arc-name')
    .evaluateAll((found) => found.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
  const letters = await surface().evaluate((root) => {
    const range = document.createRange();
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) => (node.parentElement?.closest('[data-start]') ? 1 : 3));
    const boxes: DOMRect[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) boxes.push(box.toJSON() as DOMRect);
    }
    return boxes;
  });
  const meets = (a: DOMRect, b: DOMRect) => a.left < b.right && a.right > b.left && a.top + 1 < b.bottom && a.bottom - 1 > b.top;
  expect(arcs.length).toBeGreaterThan(1);
  expect(letters.filter((letter) => arcs.some((arc) => meets(arc, letter)))).toEqual([]);
  // A line made taller by arcs is one step of the cursor, like any other.
  await press('Control+Home', 'ArrowDown');
  await expect(announcement()).toHaveText('Ataxia');
  await press('ArrowUp');
  await expect(announcement()).toHaveText('Grouping');
  await selectText(page, surface(), 'gene in a');
  await page.getByRole('option', { name: 'Gene' }).click();
  await expect.poll(async () => (await read()).annotations.some(({ text }) => text === 'gene in a')).toBe(true);
  await press('Control+z');
  await expect.poll(async () => (await read()).annotations.some(({ text }) => text === 'gene in a')).toBe(false);
});

test('an arc is clicked, reversed, renamed, removed; each is undone', async () => {
  const arc = () => page.locator('.ann-arc-name', { hasText: 'risk of' });
  await arc().click({ force: true });
  const bar = page.getByRole('toolbar', { name: 'Actions on the relation risk of' });
  await expect(bar).toBeVisible();
  await expect(page.locator('.ann-relation[data-active]')).toHaveCount(1);
  await shot(page, '72-bar');
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'Reverse the relation' }).click();
  await expect.poll(relations).toEqual([['risk of', 'sporadic T-cell leukaemia', 'ataxia-telangiectasia']]);
  await press('Control+z');
  await expect.poll(relations).toEqual([['risk of', 'ataxia-telangiectasia', 'sporadic T-cell leukaemia']]);
  await arc().click({ force: true });
  await bar.getByRole('button', { name: 'Rename the relation' }).click();
  await page.getByRole('combobox', { name: 'Name of the relation' }).fill('comes with');
  await press('Enter');
  await expect.poll(relations).toEqual([['comes with', 'ataxia-telangiectasia', 'sporadic T-cell leukaemia']]);
  await page
    .getByRole('toolbar', { name: 'Actions on the relation comes with' })
    .getByRole('button', { name: 'Remove the relation' })
    .click();
  await expect.poll(relations).toEqual([]);
  await expect(page.locator('.ann-arc')).toHaveCount(0);
  await press('Control+z');
  await expect.poll(relations).toEqual([['comes with', 'ataxia-telangiectasia', 'sporadic T-cell leukaemia']]);
  await expect(page.locator('.ann-arc-name', { hasText: 'comes with' })).toBeVisible();
});

test('the history describes relations', async () => {
  await page.getByRole('button', { name: 'Show the history' }).click();
  const history = page.getByRole('region', { name: 'History' });
  await expect(history.getByText('Added risk of: ataxia-telangiectasia → sporadic T-cell leukaemia')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Hide the history' }).click();
});

test('a relation is created, followed, reversed and removed by keyboard alone', async () => {
  await open();
  await press('t', 'Tab', 'Tab', 'Tab');
  await expect(announcement()).toContainText('Ataxia-telangiectasia');
  await press('l');
  await expect(page.getByText('From “Ataxia-telangiecta…”: click the target annotation')).toBeVisible();
  await expectAccessible(page);
  await press('Tab', 'Enter');
  await expect(page.getByRole('combobox', { name: 'Name of the relation' })).toBeFocused();
  await page.keyboard.type('short');
  await press('Enter');
  await expect.poll(relations).toContainEqual(['short', 'Ataxia-telangiectasia', 'A-T']);
  await expect(page.getByRole('group', { name: 'Text of Ataxia' })).toBeFocused();
  await press('Shift+L');
  await expect(announcement()).toHaveText('short: Ataxia-telangiecta… → A-T, 1 of 1');
  await press('o');
  await expect(announcement()).toHaveText('short: Ataxia-telangiecta… → A-T');
  await press('x');
  await expect(announcement()).toHaveText('Reversed: short: A-T → Ataxia-telangiecta…');
  await expect.poll(relations).toContainEqual(['short', 'A-T', 'Ataxia-telangiectasia']);
  await press('Delete');
  await expect.poll(async () => (await relations()).map(([name]) => name)).toEqual(['comes with']);
  await press('Control+z');
  await expect.poll(async () => (await relations()).map(([name]) => name).sort()).toEqual(['comes with', 'short']);
  // Removing an annotation removes its relations; undo restores all of it.
  await press('Escape', 'Control+Home', 'Tab');
  await press('Delete');
  await expect.poll(async () => (await relations()).map(([name]) => name)).not.toContain('comes with');
  await press('Control+z');
  await expect.poll(async () => (await relations()).map(([name]) => name).sort()).toEqual(['comes with', 'short']);
  await expect(page.locator('.ann-arc-name', { hasText: 'comes with' })).toBeVisible();
});

test('a distant end is a stub that links to it; relations can be hidden', async () => {
  const { annotations } = await read();
  const sorted = [...annotations].sort((a, b) => a.start - b.start);
  const [near, far] = [sorted[4], sorted.at(-2)];
  if (near === undefined || far === undefined) throw new Error('Too few annotations');
  await api(page, 'POST', `/projects/${project}/relations`, {
    documentIdentifier: 'ataxia',
    name: 'seen again',
    source: near.identifier,
    target: far.identifier,
  });
  // By a live event, without fetching again.
  const stub = page.locator('.ann-arc-name', { hasText: 'seen again →' });
  await expect(stub).toBeVisible();
  await shot(page, '73-stub');
  await stub.click({ force: true });
  await expect(page.locator(`[data-spans~="${far.identifier}"]`).first()).toBeInViewport();
  await expect(page.locator('.ann-arc-name', { hasText: '→ seen again' })).toBeVisible();
  await expect(page.getByRole('toolbar', { name: 'Actions on the relation seen again' })).toBeInViewport();
  await shot(page, '74-other-end');
  await list()
    .getByRole('button', { name: /^seen again: / })
    .click();
  await expect(page.locator(`[data-spans~="${near.identifier}"]`).first()).toBeInViewport();
  await list().getByRole('button', { name: 'Hide relations' }).click();
  await expect(page.locator('.ann-arc')).toHaveCount(0);
  await list().getByRole('button', { name: 'Draw relations' }).click();
  await expect(stub).toBeVisible();
});

test('an annotation gets another fragment by mouse and by keyboard, and loses it', async () => {
  const text = 'gene at 11q22-q23';
  await selectText(page, surface(), 'mutations in the ATM');
  await page.getByRole('option', { name: 'Gene' }).click();
  await expect.poll(async () => (await read()).annotations.some((one) => one.text === 'mutations in the ATM')).toBe(true);
  await clickText(page, surface(), 'mutations in the ATM');
  await page.getByRole('toolbar', { name: 'Actions on Gene' }).getByRole('button', { name: 'Add a fragment' }).click();
  await expect(page.getByText('Select the next fragment of “mutations in the A…”')).toBeVisible();
  await selectText(page, surface(), '11q22-q23');
  const made = async () => (await read()).annotations.find((one) => one.text.startsWith('mutations in the ATM'));
  await expect.poll(async () => (await made())?.fragmentsText).toEqual(['mutations in the ATM', '11q22-q23']);
  expect((await made())?.text).toBe(`mutations in the ATM ${text}`);
  await expect(page.locator('mark', { hasText: 'gene at' })).toHaveCount(0);
  await shot(page, '75-pieces');
  await expectAccessible(page);
  const details = page.getByRole('region', { name: 'Gene', exact: true });
  await expect(details.getByRole('button', { name: 'Remove this fragment: 11q22-q23' })).toBeVisible();
  await press('Control+z');
  await expect.poll(async () => (await made())?.fragmentsText).toBeUndefined();
  await press('Control+Shift+z');
  await expect.poll(async () => (await made())?.fragmentsText).toEqual(['mutations in the ATM', '11q22-q23']);
  await details.getByRole('button', { name: 'Remove this fragment: 11q22-q23' }).click();
  await expect.poll(async () => (await made())?.text).toBe('mutations in the ATM');

  // A Ctrl selection is added to the focused annotation immediately.
  await clickText(page, surface(), 'mutations in the ATM');
  await page.keyboard.down('Control');
  await selectText(page, surface(), '(ref');
  await page.keyboard.up('Control');
  await expect.poll(async () => (await made())?.fragmentsText).toEqual(['mutations in the ATM', '(ref']);
  await details.getByRole('button', { name: 'Remove this fragment: (ref' }).click();
  await expect.poll(async () => (await made())?.text).toBe('mutations in the ATM');

  // By keyboard: the cursor continues from the annotation to the words after it.
  await surface().focus();
  await press('a', 'ArrowRight', 'ArrowRight', 'ArrowRight');
  await expect(announcement()).toHaveText('11q22');
  await press('Enter');
  await expect.poll(async () => (await made())?.fragmentsText).toEqual(['mutations in the ATM', '11q22']);
  await press('Shift+A');
  await page.getByRole('option', { name: 'mutations in the ATM' }).click();
  await expect.poll(async () => (await read()).annotations.some((one) => one.text === '11q22')).toBe(true);
});

test('no accessibility violations in dark mode, wide, in French', async () => {
  for (const [mode, width] of [
    ['light', 1920],
    ['dark', 1280],
    ['dark', 1920],
  ] as const) {
    await page.setViewportSize({ width, height: 1000 });
    await open(mode);
    await expect(page.locator('.ann-arc').first()).toBeVisible();
    await shot(page, `76-relations-${mode}-${String(width)}`);
    await expectAccessible(page);
  }
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: 'Français' }).click();
  await expect(page.getByRole('region', { name: 'Relations' }).getByRole('button', { name: 'Masquer les relations' })).toBeVisible();
  await shot(page, '77-relations-french-dark');
});
