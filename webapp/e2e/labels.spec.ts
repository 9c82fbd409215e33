/** Managing labels and label sets: add, rename, colour, move, split, merge, delete, undo; the drawer shows guidelines. */
import { expect, test, type Page } from '@playwright/test';
import { api, choose, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

let page: Page;
let project = '';

const TEXT = 'Anna Smith lives in Paris. Bob lives in Rome. Anna Smith wrote to Bob.';
const span = (piece: string, labelName: string, from = 0) => {
  const start = TEXT.indexOf(piece, from);
  return { start, end: start + piece.length, text: piece, labelName };
};

interface Span {
  readonly text: string;
  readonly labelName: string;
}
const spans = async () => {
  const { annotations } = await api<{ annotations: Span[] }>(page, 'GET', `/projects/${project}/documents/letter`);
  return annotations.map(({ text, labelName }) => `${text}:${labelName}`).sort();
};
const labels = async () => (await api<{ name: string }[]>(page, 'GET', `/projects/${project}/labels`)).map(({ name }) => name).sort();
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) }).first();
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage();
  await signIn(page);
  project = await makeProject(page, 'Letters of friends');
  const annotations = [
    span('Anna Smith', 'person'),
    span('Bob', 'person'),
    span('Bob', 'human', 40),
    span('Anna Smith', 'human', 30),
    span('Paris', 'place'),
    span('Rome', 'place'),
  ];
  await importDocuments(page, project, [{ identifier: 'letter', title: 'A letter', text: TEXT, annotations }]);
  await page.goto('/');
  await page.getByRole('link', { name: 'Letters of friends' }).first().click();
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Labels', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Labels', level: 1 })).toBeVisible();
});

test.afterAll(() => page.context().close());

test('sets and labels are added: least-used colour, contrast, guideline, identifier (R-013, S-033, V-008)', async () => {
  await expect(page).toHaveURL(/\/labels\/default/);
  await page.getByRole('button', { name: 'Add label set' }).click();
  const set = dialog('Add label set');
  await set.getByRole('button', { name: 'Add label set' }).click();
  await expect(set.getByText('Enter a name')).toBeVisible();
  await set.getByLabel('Name').fill('Media');
  await set.getByLabel('Guideline of the set').fill('Works that one can watch or read.');
  await expectAccessible(page);
  await set.getByRole('button', { name: 'Add label set' }).click();
  await expect(page).toHaveURL(/\/labels\/media/);
  await page.getByRole('button', { name: 'Add a label to Media' }).click();
  const label = dialog('Add label');
  await label.getByLabel('Label', { exact: true }).fill('Film of fiction');
  await label.getByLabel('Identifier').fill('Q11424');
  await label.getByLabel('Guideline', { exact: true }).fill('Titles of films only, never their makers.');
  await shot(page, 'labels-1-add');
  await expectAccessible(page);
  await label.getByRole('button', { name: 'Add label' }).click();
  await expect(row('Film of fiction')).toContainText('Q11424');
  await expect.poll(labels).toEqual(['film_of_fiction', 'human', 'person', 'place']);
});

test('a label is renamed in place, its name stays; its count links to the occurrences (S-033)', async () => {
  await page.getByRole('button', { name: 'Default', exact: true }).click();
  await row('place').hover();
  await page.getByRole('button', { name: 'Rename place' }).click();
  const field = page.getByRole('textbox', { name: 'Rename place' });
  await field.fill('Town or country');
  await field.press('Enter');
  await expect(row('Town or country')).toContainText('place');
  expect(await labels()).toContain('place');
  await shot(page, 'labels-2-list');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Town or country: show 2 uses in Explore' }).click();
  await expect(page).toHaveURL(/\/explore\//);
  await expect(page.locator('.ann-text, mark').first()).toBeVisible();
  await page.goBack();
});

test('some annotations of a label are moved to another one, and the move is undone (S-033)', async () => {
  const before = await spans();
  await row('person').hover();
  await page.getByRole('button', { name: 'More actions on person' }).click();
  await page.getByRole('menuitem', { name: 'Move annotations to another label' }).click();
  const split = dialog('Move annotations of “person”');
  await choose(page, split.getByLabel('New label'), 'human');
  await split.getByLabel('Text contains').fill('anna');
  await expect(split.getByText('1 annotation or category selected')).toBeVisible();
  await shot(page, 'labels-3-split');
  await expectAccessible(page);
  await split.getByRole('button', { name: 'Move 1' }).click();
  await expect(split).toHaveCount(0);
  await expect.poll(spans).toContain('Anna Smith:human');
  expect((await spans()).filter((one) => one === 'Anna Smith:human')).toHaveLength(2);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(spans, { timeout: 30_000 }).toEqual(before);
});

test('labels are merged: the effect is shown, spans keep their offsets, undo restores both (S-033)', async () => {
  const before = await spans();
  await row('human').hover();
  await page.getByRole('button', { name: 'More actions on human' }).click();
  await page.getByRole('menuitem', { name: 'Merge with other labels' }).click();
  const merge = dialog('Merge labels');
  await expect(merge.getByText('Select at least two')).toBeVisible();
  await merge.getByRole('checkbox', { name: 'person' }).click();
  await choose(page, merge.getByLabel('To keep'), 'person');
  await expect(merge.getByText('Moves to the remaining label: 2 annotations in 1 document.')).toBeVisible();
  await shot(page, 'labels-4-merge');
  await expectAccessible(page);
  await merge.getByRole('button', { name: 'Merge' }).click();
  await expect.poll(labels).not.toContain('human');
  expect(await spans()).toEqual(before.map((one) => one.replace(':human', ':person')).sort());
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(spans, { timeout: 30_000 }).toEqual(before);
  await expect.poll(labels).toContain('human');
});

test('labels are selected and moved to another set, by dialog and by dragging', async () => {
  await page.getByRole('checkbox', { name: 'Select human' }).click();
  await page.getByRole('checkbox', { name: 'Select person' }).click();
  await page.getByRole('button', { name: 'Move to a label set' }).click();
  const move = dialog('Move 2 labels to a label set');
  await expectAccessible(page);
  await move.getByRole('button', { name: 'Move' }).click();
  await expect(page.getByRole('region', { name: 'Media' })).toContainText('3 labels');
  await row('Town or country')
    .locator('[draggable=true]')
    .dragTo(page.getByRole('region', { name: 'Media' }));
  await expect(page.getByRole('region', { name: 'Media' })).toContainText('4 labels');
  await expect(page.getByRole('region', { name: 'Default' })).toContainText('0 labels');
});

test('the drawer of a document shows the guideline, counts and hides a label (W-018)', async () => {
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Documents', exact: true }).click();
  await page.getByText('A letter', { exact: true }).first().click();
  await expect(page.locator('.ann-mark, mark').first()).toBeVisible();
  const drawer = page.getByRole('region', { name: 'Labels' }).first();
  await drawer.getByRole('button', { name: 'Guideline of Film of fiction' }).click();
  await expect(drawer.getByText('Titles of films only, never their makers.')).toBeVisible();
  await shot(page, 'labels-5-drawer');
  await expectAccessible(page);
  const marks = page.locator('.ann-mark');
  await expect(marks).toHaveCount(6);
  await drawer.getByRole('button', { name: 'Hide person' }).click();
  await expect(marks).toHaveCount(4);
  await expect(drawer.getByRole('button', { name: /some are hidden/ })).toBeVisible();
  await drawer.getByRole('button', { name: 'Show person' }).click();
  await expect(marks).toHaveCount(6);
});

test('a set is deleted with a strong confirmation and restored completely (V-002, S-033)', async () => {
  const before = await spans();
  await page.goto('/labels/media');
  await page.getByRole('button', { name: 'More actions on the set Media' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const remove = dialog(/Delete the label set/);
  await expect(remove.getByText('Also deleted: 6 annotations in 1 document.')).toBeVisible();
  await expect(remove.getByRole('button', { name: 'Delete label set' })).toBeDisabled();
  await remove.getByRole('checkbox').click();
  await shot(page, 'labels-6-delete');
  await expectAccessible(page);
  await remove.getByRole('button', { name: 'Delete label set' }).click();
  await expect.poll(spans).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect.poll(spans, { timeout: 30_000 }).toEqual(before);
  await expect(page.getByRole('region', { name: 'Media' })).toContainText('4 labels');
});
