/** A newcomer with plain text: the first label is made at the words, the next by typing, a list is pasted; Explore of texts to classify. */
import { expect, test, type Page } from '@playwright/test';
import { api, expectAccessible, importDocuments, makeProject, shot, signedInPage } from './studio';

test.describe.configure({ mode: 'serial' });

interface Document {
  readonly annotations?: readonly { readonly labelName: string; readonly text: string }[];
}

let page: Page;
let project = '';

const labelNames = async () => (await api<{ name: string }[]>(page, 'GET', `/projects/${project}/labels`)).map(({ name }) => name);
const annotated = async () =>
  ((await api<Document>(page, 'GET', `/projects/${project}/documents/letter`)).annotations ?? []).map(
    ({ text, labelName }) => `${text}:${labelName}`,
  );
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const box = () => page.getByRole('combobox', { name: /New label|Filter labels/ });

test.beforeAll(async ({ browser }) => {
  page = await signedInPage(browser);
  project = await makeProject(page, 'Plain letters');
  await importDocuments(page, project, [{ identifier: 'letter', title: 'A letter', text: 'Anna Smith lives in Paris with Bob.' }]);
  await page.goto(`/openProject/${project}/documents`);
  await page.getByRole('row', { name: /A letter/ }).click();
});

test.afterAll(() => page.context().close());

test('the first label is created from the keyboard at the chosen words', async () => {
  await page.getByRole('group', { name: /^Text of/ }).focus();
  await press('Control+Home', 'Shift+ArrowRight', 'Enter');
  await expect(page.getByText('No label yet. Type a name to create the first one')).toBeVisible();
  await shot(page, 'first-1-empty');
  await expectAccessible(page);
  await page.keyboard.type('Person');
  await expect(page.getByRole('option', { name: 'Create “Person”' })).toBeVisible();
  await shot(page, 'first-2-create');
  await press('Enter');
  await expect.poll(annotated).toEqual(['Anna Smith:person']);
  expect(await labelNames()).toEqual(['person']);
});

test('an unknown name creates another label; a known one is only picked', async () => {
  await press('Control+End', 'Shift+ArrowLeft');
  await page.keyboard.type('place');
  await expect(box()).toHaveValue('place');
  await press('Enter');
  await expect.poll(labelNames).toEqual(['person', 'place']);
  await expect.poll(async () => (await annotated()).length).toBe(2);
});

test('a list of labels is pasted, with colours, keys and guidelines', async () => {
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Labels', exact: true }).click();
  await page.getByRole('button', { name: 'Paste a list' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste a list of labels' });
  await dialog.getByLabel(/^Labels, one a line/).fill('Person\nShip, #112233, s, Boats too\nTown, blue');
  await dialog.getByRole('button', { name: /^Add/ }).click();
  await expect(dialog.getByText('Correct 1 line first')).toBeVisible();
  await expectAccessible(page);
  await shot(page, 'first-3-list');
  await dialog.getByLabel(/^Labels, one a line/).fill('Person\nShip, #112233, s, Boats too\nTown');
  await dialog.getByRole('button', { name: 'Add 2 labels' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await labelNames()).toEqual(['person', 'place', 'ship', 'town']);
  const { hotkeys } = await api<{ hotkeys: Record<string, string> }>(page, 'GET', `/projects/${project}/_preferences`);
  expect(hotkeys['ship']).toBe('s');
});

test('texts to classify are imported whole: Explore says so, and shows each document on request', async () => {
  const topics = await makeProject(page, 'Short tickets', 'classification');
  await importDocuments(page, topics, [
    { identifier: 't1', title: 'First', text: 'My card did not arrive.' },
    { identifier: 't2', title: 'Second', text: 'The machine kept my card.' },
  ]);
  await page.goto(`/openProject/${topics}/explore`);
  await expect(page.getByRole('heading', { name: 'The documents are not cut into segments' })).toBeVisible();
  await expectAccessible(page);
  await shot(page, 'first-4-no-segments');
  await page.getByRole('button', { name: 'Show each document' }).click();
  await expect(page.getByText('2 segments')).toBeVisible({ timeout: 30_000 });
});

test('a project is started from another one', async () => {
  await page.goto('/home');
  await page.getByRole('button', { name: 'Create project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create project' });
  await dialog.getByLabel('Name').fill('More letters');
  await dialog.getByRole('radio', { name: 'Sequence labelling' }).check();
  await dialog.getByLabel('Start from').click();
  await page.getByRole('option', { name: 'Plain letters' }).click();
  await shot(page, 'first-5-template');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByRole('dialog', { name: 'Import documents' })).toBeVisible();
  const labels = await api<{ name: string }[]>(page, 'GET', '/projects/more_letters/labels');
  expect(labels.map(({ name }) => name)).toEqual(['person', 'place', 'ship', 'town']);
});
