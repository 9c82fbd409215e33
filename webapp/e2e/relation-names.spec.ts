/**
 * Relation names on the labels screen; relations and fragments on the cards of segments; one undo for several documents; label hotkeys
 * after mouse selections.
 */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';
import { clickText, selectText } from './text';

test.describe.configure({ mode: 'serial' });

let page: Page;
let project = '';

const ANNA = 'Anna Smith of Paris wrote to Bob.';
const RITA = 'Rita Lang of Rome wrote to Tom.';
const span = (text: string, piece: string, labelName: string) => {
  const start = text.indexOf(piece);
  return { start, end: start + piece.length, text: piece, labelName };
};

interface Held {
  readonly annotations: readonly { identifier: string; text: string; labelName: string; fragmentsText?: readonly string[] }[];
  readonly relations?: readonly { name: string; source: string; target: string }[];
}

const read = (id: string) => api<Held>(page, 'GET', `/projects/${project}/documents/${id}`);
const relations = async (id: string) => {
  const { annotations, relations: found = [] } = await read(id);
  const textOf = (one: string) => annotations.find(({ identifier }) => identifier === one)?.text ?? '?';
  return found.map(({ name, source, target }) => `${name}: ${textOf(source)} > ${textOf(target)}`).sort();
};
const labelsOf = async (id: string) => (await read(id)).annotations.map(({ text, labelName }) => `${text}:${labelName}`).sort();
const names = () => api<{ name: string; color: string; count: number }[]>(page, 'GET', `/projects/${project}/relation_names`);
const region = () => page.getByRole('region', { name: 'Relation names' });
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const card = (title: string): Locator => page.getByRole('group', { name: new RegExp(`Segment of ${title}`) });

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

async function explore(): Promise<void> {
  await page.goto(`/openProject/${project}/explore`);
  await expect(card('Anna')).toBeVisible();
}

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Letters');
  await importDocuments(page, project, [
    { identifier: 'anna', title: 'Anna', text: ANNA, annotations: [span(ANNA, 'Anna Smith', 'person'), span(ANNA, 'Paris', 'place')] },
    { identifier: 'rita', title: 'Rita', text: RITA, annotations: [span(RITA, 'Rita Lang', 'person'), span(RITA, 'Rome', 'place')] },
  ]);
  await page.goto(`/openProject/${project}/labels`);
  await expect(page.getByRole('heading', { name: 'Labels', level: 1 })).toBeVisible();
});
test.afterAll(() => page.context().close());

test('names of relations are added, renamed and coloured; invalid input is reported', async () => {
  await expect(region().getByText('Name relations while linking annotations')).toBeVisible();
  await region().getByRole('button', { name: 'Add relation name' }).click();
  const add = dialog('Add relation name');
  await add.getByRole('button', { name: 'Add relation name' }).click();
  await expect(add.getByText('Enter a name')).toBeVisible();
  await add.getByLabel('Relation', { exact: true }).fill('lives at');
  await shot(page, 'relation-names-1-add');
  await expectAccessible(page);
  await press('Enter');
  await expect(region().getByRole('row', { name: /lives at/ })).toBeVisible();
  await region().getByRole('button', { name: 'Add relation name' }).click();
  await add.getByLabel('Relation', { exact: true }).fill('lives at');
  await press('Enter');
  await expect(add.getByText('This relation name already exists')).toBeVisible();
  await add.getByLabel('Relation', { exact: true }).fill('wrote to');
  await press('Enter');
  await expect(add).toBeHidden();
  await region()
    .getByRole('row', { name: /lives at/ })
    .hover();
  await region().getByRole('button', { name: 'Edit lives at' }).click();
  const edit = dialog('Edit relation name');
  await edit.getByLabel('Relation', { exact: true }).fill('lives in');
  await edit.getByRole('textbox', { name: 'Colour' }).fill('#B3261E');
  await edit.getByRole('button', { name: 'Save relation name' }).click();
  await expect(edit).toBeHidden();
  await expect.poll(async () => (await names()).map(({ name, color }) => [name, color])).toContainEqual(['lives in', '#B3261E']);
  await expectAccessible(page);
});

test('a relation is drawn on the card of a segment by keys alone', async () => {
  await explore();
  await card('Anna').focus();
  await press('Tab', 'l', 'Tab', 'Enter');
  await expect(page.getByRole('combobox', { name: 'Name of the relation' })).toBeFocused();
  await page.keyboard.type('lives');
  await press('Enter');
  await expect.poll(() => relations('anna')).toEqual(['lives in: Anna Smith > Paris']);
  await expect(card('Anna')).toBeFocused();
  await expect(card('Anna').locator('.ann-arc-name', { hasText: 'lives in' })).toBeVisible();
  await expectAccessible(page);
});

test('and by a drag from one annotation to another; the list in the panel shows both ends', async () => {
  const { annotations } = await read('rita');
  const [from, to] = ['Rome', 'Rita Lang'].map((text) => annotations.find((one) => one.text === text)?.identifier ?? '');
  await page
    .locator(`[data-spans~="${from ?? ''}"]`)
    .first()
    .hover();
  const handle = await page.locator(`[data-link-of="${from ?? ''}"]`).boundingBox();
  const target = await page
    .locator(`[data-spans~="${to ?? ''}"]`)
    .first()
    .boundingBox();
  if (handle === null || target === null) throw new Error('Not on screen');
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(target.x + target.width / 2, target.y + 8, { steps: 6 });
  await page.mouse.up();
  await expect(page.getByRole('combobox', { name: 'Name of the relation' })).toBeFocused();
  await page.keyboard.type('home of');
  await press('Enter');
  await expect.poll(() => relations('rita')).toEqual(['home of: Rome > Rita Lang']);
  await shot(page, 'relation-names-2-explore');
  await expect(page.getByRole('toolbar', { name: 'Actions on the relation home of' })).toBeVisible();
  await clickText(page, card('Anna'), 'Smith');
  await expect(page.getByRole('toolbar', { name: 'Actions on person' })).toBeVisible();
  await shot(page, 'relation-names-3-bar');
  await press('Escape');
});

test('undo covers several documents, the newest operation first, also after a reload; redo restores all of it', async () => {
  const undo = page.getByRole('button', { name: 'Undo last change' });
  await press('Control+z');
  await expect.poll(() => relations('rita')).toEqual([]);
  expect(await relations('anna')).toEqual(['lives in: Anna Smith > Paris']);
  await explore();
  await expect(undo).toBeEnabled();
  await press('Control+z');
  await expect.poll(() => relations('anna')).toEqual([]);
  await expect(undo).toBeDisabled();
  await expect(page.locator('.ann-arc')).toHaveCount(0);
  await press('Control+Shift+z');
  await expect.poll(() => relations('anna')).toEqual(['lives in: Anna Smith > Paris']);
  await expect(card('Anna').locator('.ann-arc-name', { hasText: 'lives in' })).toBeVisible();
  await press('Control+Shift+z');
  await expect.poll(() => relations('rita')).toEqual(['home of: Rome > Rita Lang']);
});

test('an annotation gets another fragment on its card, and a relation is reversed and removed there', async () => {
  await card('Anna').focus();
  await press('Tab', 'a');
  await expect(page.getByText('Select the next fragment of “Anna Smith”')).toBeVisible();
  await shot(page, 'relation-names-4-piece');
  await selectText(page, card('Anna'), 'Bob');
  await expect
    .poll(async () => (await read('anna')).annotations.find(({ text }) => text.startsWith('Anna'))?.fragmentsText)
    .toEqual(['Anna Smith', 'Bob']);
  await press('Control+z');
  await expect
    .poll(async () => (await read('anna')).annotations.find(({ text }) => text.startsWith('Anna'))?.fragmentsText)
    .toBeUndefined();
  await card('Rita').focus();
  await press('Tab', 'Shift+L');
  await expect(page.getByRole('toolbar', { name: 'Actions on the relation home of' })).toBeVisible();
  await press('x');
  await expect.poll(() => relations('rita')).toEqual(['home of: Rita Lang > Rome']);
  await press('Delete');
  await expect.poll(() => relations('rita')).toEqual([]);
});

test("a label's hotkey applies immediately after a mouse selection; after a click into the box letters filter", async () => {
  await api(page, 'PATCH', `/projects/${project}/_preferences`, { hotkeys: { person: 'p', place: 'l' } });
  await page.goto(`/document/${Buffer.from(JSON.stringify({ documentIdentifier: 'rita' })).toString('base64url')}`);
  const text = page.getByRole('group', { name: 'Text of Rita' });
  await selectText(page, text, 'Tom');
  const box = page.getByRole('combobox', { name: 'Filter labels' });
  await expect(box).toBeFocused();
  await press('p');
  await expect.poll(() => labelsOf('rita')).toContain('Tom:person');
  await selectText(page, text, 'wrote');
  await box.click();
  await page.keyboard.type('pl');
  await expect(box).toHaveValue('pl');
  await press('Enter');
  await expect.poll(() => labelsOf('rita')).toContain('wrote:place');
  await press('?');
  await expect(dialog('Keyboard shortcuts').getByText('After you select text with the mouse')).toBeVisible();
  await press('Escape');
});

test('the effect of deleting a name is shown first, and can be undone (V-002)', async () => {
  await page.goto(`/openProject/${project}/labels`);
  await region()
    .getByRole('row', { name: /lives in/ })
    .hover();
  await region().getByRole('button', { name: 'Delete lives in' }).click();
  const remove = dialog(/lives in/);
  await expect(remove.getByText('Also deleted: 1 relation in 1 document.')).toBeVisible();
  await expect(remove.getByText('Created by Administrator (1)')).toBeVisible();
  await expectAccessible(page);
  await shot(page, 'relation-names-5-delete');
  const verb = remove.getByRole('button', { name: 'Delete relation name' });
  await expect(verb).toBeDisabled();
  await remove.getByText('Yes, delete its relations too').click();
  await verb.click();
  await expect.poll(() => relations('anna')).toEqual([]);
  await expect(region().getByRole('row', { name: /lives in/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await expect.poll(() => relations('anna')).toEqual(['lives in: Anna Smith > Paris']);
  await expect(region().getByRole('row', { name: /lives in/ })).toBeVisible();
  // A label shows the relations that would be deleted with it.
  await page.getByRole('row', { name: /place/ }).first().hover();
  await page.getByRole('button', { name: 'Delete place' }).click();
  await expect(dialog(/place/).getByText(/and 1 relation in/)).toBeVisible();
  await dialog(/place/).getByRole('button', { name: 'Keep' }).click();
});

test('is rendered in French and in dark mode (screenshots)', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 1920, height: 1080 });
  await shot(page, 'relation-names-6-dark-1920');
  await expectAccessible(page);
  await explore();
  await shot(page, 'relation-names-7-explore-dark-1920');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: /Français/ }).click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await shot(page, 'relation-names-8-explore-fr-1280');
  await page.goto(`/openProject/${project}/labels`);
  await expect(page.getByRole('region', { name: 'Noms de relations' })).toBeVisible();
  await shot(page, 'relation-names-9-labels-fr-1280');
});
