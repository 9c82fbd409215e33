/** The history of a document: undo and redo that survive a reload, authors of changes, no change of others overwritten. */
import { expect, test, type Page } from '@playwright/test';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';
import { clickText, selectText } from './text';

test.describe.configure({ mode: 'serial' });

const TEXT = 'Ines Okafor met Ada in Halden. Ada stayed in Halden. Halden is cold.';
const MARIE = 'history-marie';
const PASSWORD = 'a password for the history';

interface Span {
  readonly identifier: string;
  readonly labelName: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly status?: string;
}

let page: Page;
let marie: Page;
let project = '';

const spans = async (): Promise<string[]> => {
  const { annotations = [] } = await api<{ annotations?: Span[] }>(page, 'GET', `/projects/${project}/documents/d1`);
  for (const { start, end, text } of annotations) expect(TEXT.slice(start, end)).toBe(text);
  return annotations.map(({ text, labelName }) => `${text}/${labelName}`);
};
const surface = () => page.getByRole('group', { name: 'Text of Council' });
const saved = () => expect(page.getByText('All changes saved')).toBeVisible();
const undo = () => page.getByRole('button', { name: 'Undo last change' });
const redo = () => page.getByRole('button', { name: 'Redo last change' });
const history = () => page.getByRole('region', { name: 'History' });

async function open(): Promise<void> {
  await page.goto(`/openProject/${project}/documents`);
  await expect(page.getByText('1 document', { exact: true })).toBeVisible();
  await page.goto(`/document/${Buffer.from(JSON.stringify({ documentIdentifier: 'd1' })).toString('base64url')}`);
  await surface().waitFor();
}

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'History');
  await importDocuments(page, project, [{ identifier: 'd1', title: 'Council', text: TEXT }]);
  await api(page, 'POST', `/projects/${project}/labels`, { label: 'Person' });
  await api(page, 'POST', `/projects/${project}/labels`, { label: 'Place' });
  await api(page, 'POST', '/users', { username: MARIE, password: PASSWORD, profilename: 'Marie', roles: ['ProjectManager'] });
  await api(page, 'POST', `/projects/${project}/shares/users?username=${MARIE}`, { read: true, write: true });
  marie = await (await browser.newContext()).newPage();
  await signIn(marie, MARIE, PASSWORD);
});
test.afterAll(() => Promise.all([page.context().close(), marie.context().close()]));

test('undoes and redoes by keys, also after a reload', async () => {
  await open();
  await selectText(page, surface(), 'Ines Okafor');
  await page.keyboard.press('1');
  await saved();
  await selectText(page, surface(), 'Halden');
  await page.keyboard.press('2');
  await saved();
  expect(await spans()).toEqual(['Ines Okafor/person', 'Halden/place']);
  await expect(redo()).toBeDisabled();
  await page.reload();
  await surface().waitFor();
  await expect(undo()).toBeEnabled();
  await page.keyboard.press('Control+z');
  await expect.poll(spans).toEqual(['Ines Okafor/person']);
  await page.keyboard.press('Control+z');
  await expect.poll(spans).toEqual([]);
  await expect(undo()).toBeDisabled();
  await page.reload();
  await surface().waitFor();
  await redo().click();
  await expect.poll(spans).toEqual(['Ines Okafor/person']);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(spans).toEqual(['Ines Okafor/person', 'Halden/place']);
  await expect(redo()).toBeDisabled();
});

test('labels all equal occurrences after showing their number', async () => {
  await open();
  await clickText(page, surface(), 'Halden');
  await page.getByRole('button', { name: 'Copy to all identical occurrences' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('2 occurrences (documents: 1).')).toBeVisible();
  await expectAccessible(page);
  await shot(page, 'history-propagate');
  await dialog.getByRole('button', { name: 'Copy to 2 occurrences' }).click();
  await expect.poll(async () => (await spans()).filter((one) => one === 'Halden/place').length).toBe(3);
  await undo().click();
  await expect.poll(async () => (await spans()).length).toBe(2);
});

test('shows authors, filters by one user, and undoes a single change', async () => {
  await api(marie, 'POST', `/projects/${project}/annotations`, { documentIdentifier: 'd1', labelName: 'person', start: 16, end: 19 });
  await open();
  await page.getByRole('button', { name: 'Show the history' }).click();
  await expect(history().getByText('Added Person “Ada”')).toBeVisible();
  await shot(page, 'history-panel');
  await expectAccessible(page);
  await history().getByRole('combobox', { name: 'Changes of' }).click();
  await page.getByRole('option', { name: 'Marie', exact: true }).click();
  await expect(history().getByRole('listitem')).toHaveCount(1);
  await history().getByRole('button', { name: 'Undo: Added Person “Ada”' }).click();
  await expect.poll(spans).toEqual(['Ines Okafor/person', 'Halden/place']);
});

test('shows both states when somebody else changed the same since', async () => {
  const { annotations = [] } = await api<{ annotations?: Span[] }>(page, 'GET', `/projects/${project}/documents/d1`);
  const halden = annotations.find(({ text }) => text === 'Halden');
  await api(page, 'PATCH', `/projects/${project}/annotations/${halden?.identifier ?? ''}`, { labelName: 'person' });
  await api(marie, 'PATCH', `/projects/${project}/annotations/${halden?.identifier ?? ''}`, { status: 'KO' });
  await open();
  await undo().click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else has changed this since' });
  await expect(dialog.getByText('Marie did this later')).toBeVisible();
  await shot(page, 'history-conflict');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Overwrite' }).click();
  await expect.poll(spans).toEqual(['Ines Okafor/person', 'Halden/place']);
});
