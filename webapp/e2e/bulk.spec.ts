/** Bulk actions on the results of a search: counted in advance, run as a job, undone. */
import { readFileSync } from 'node:fs';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { spanCorpus } from './corpora';
import { api, choose, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const corpus = spanCorpus();
const { documents } = corpus;
let page: Page;
let project = '';
let found = 0;

interface Read {
  readonly identifier: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly annotations?: readonly unknown[];
  readonly categories?: readonly { labelName: string }[];
}

const read = () => api<Read[]>(page, 'GET', `/projects/${project}/documents`);
const spans = async () => (await read()).reduce((sum, { annotations = [] }) => sum + annotations.length, 0);

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Bulk work');
  await importDocuments(page, project, [...documents]);
  await api(page, 'POST', `/projects/${project}/labels`, { label: 'Read later' });
});
test.afterAll(() => page.context().close());

async function search(path: string, query: string): Promise<void> {
  await page.goto(`/openProject/${project}/${path}`);
  const box = page.getByRole('search').getByRole('textbox');
  await box.fill(query);
  await box.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/${path}/.+`));
}

async function open(action: string, from: Locator | Page = page): Promise<Locator> {
  await from.getByRole('button', { name: 'Actions', exact: true }).first().click();
  await page.getByRole('menuitem', { name: action }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Uses the undo action of the newest notification. */
async function undo(): Promise<void> {
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await expect(page.getByText(/changes? undone/).first()).toBeVisible({ timeout: 30_000 });
}

test('sets metadata on the search results, and undoes it (S-012, S-013, V-018)', async () => {
  const answer = await api<{ total: { value: number } }>(
    page,
    'POST',
    `/projects/${project}/documents/_search?size=0&simpleQuery=true&query=${corpus.word}`,
  );
  found = answer.total.value;
  expect(found).toBeGreaterThan(0);
  expect(found).toBeLessThan(documents.length);
  await search('documents', corpus.word);
  const dialog = await open('Set metadata…');
  await expect(dialog.getByRole('radio', { name: /current search/ })).toBeChecked();
  await expect(dialog.getByText(`${String(documents.length - found)} document`, { exact: false }).first()).toBeVisible();
  await dialog.getByLabel('Name').fill('source');
  await dialog.getByLabel('Value').fill('press');
  await expect(dialog.getByText(/Sets source to “press”/)).toBeVisible();
  await expectAccessible(page);
  await shot(page, '90-bulk-tag');
  await dialog.getByRole('button', { name: /^Set on/ }).click();
  await expect(page.getByText(/: done, /).first()).toBeVisible({ timeout: 30_000 });
  const tagged = async () => (await read()).filter(({ metadata }) => metadata?.['source'] === 'press').length;
  expect(await tagged()).toBe(found);
  await shot(page, '91-bulk-done');
  await undo();
  expect(await tagged()).toBe(0);
});

test('categorises selected documents by keyboard', async () => {
  await page.goto(`/openProject/${project}/documents`);
  const rows = page.getByRole('row').filter({ has: page.getByRole('checkbox') });
  await rows.nth(1).getByRole('checkbox').check();
  await rows.nth(2).getByRole('checkbox').check();
  const dialog = await open('Categorise…', page.getByRole('toolbar', { name: 'Selection' }));
  await expect(dialog.getByRole('radio', { name: /selected documents/ })).toBeChecked();
  await choose(page, dialog.getByLabel('Category', { exact: true }), 'Read later');
  await shot(page, '92-bulk-categorise');
  await dialog.getByRole('button', { name: 'Categorise 2 documents' }).press('Enter');
  const categorisedCount = async () => (await read()).filter(({ categories = [] }) => categories.length > 0).length;
  await expect.poll(categorisedCount, { timeout: 30_000 }).toBe(2);
});

test('deletes the labelling of found segments by creator, and undoes it in the jobs (S-021, D-013, V-025)', async () => {
  const before = await spans();
  await search('explore', corpus.word);
  const dialog = await open('Delete annotations and categories…');
  const verb = dialog.getByRole('button', { name: 'Delete labelling' });
  await expect(verb).toBeDisabled();
  await dialog.getByRole('checkbox', { name: 'Administrator' }).check();
  await expect(verb).toBeDisabled();
  await dialog.getByRole('checkbox', { name: /Yes, delete/ }).check();
  await expectAccessible(page);
  await shot(page, '93-bulk-labelling');
  await verb.click();
  await expect.poll(spans, { timeout: 30_000 }).toBeLessThan(before);
  await page.goto(`/openProject/${project}/jobs`);
  const row = page.getByRole('row').filter({ hasText: 'Deleting annotations' });
  await row.getByRole('button', { name: 'Undo' }).click();
  await shot(page, '94-bulk-undo');
  await page.getByRole('dialog', { name: 'Undo this job?' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(spans, { timeout: 30_000 }).toBe(before);
  await expect(row.getByText('undone', { exact: true })).toBeVisible({ timeout: 10_000 });
  await shot(page, '95-bulk-jobs');
});

test('exports the search results as a table (S-012)', async () => {
  await search('documents', corpus.word);
  const dialog = await open('Export…');
  await choose(page, dialog.getByLabel('Format'), 'CSV');
  await expect(dialog.getByText('Rows')).toBeVisible();
  await shot(page, '96-bulk-export');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: /^Export \d+ document/ }).click();
  const file = await (await download).path();
  const lines = readFileSync(file, 'utf8').split('\r\n');
  expect(lines[0]).toContain('identifier,title,text,categories,annotations,metadata');
  expect(lines.length).toBeGreaterThan(found);
});

test('deletes everything except the search results after a confirmation, and restores it (V-002, V-017)', async () => {
  await page.goto(`/openProject/${project}/documents`);
  const whole = await open('Delete documents…');
  await expect(whole.getByRole('radio', { name: /current search/ })).toBeDisabled();
  await expect(whole.getByRole('radio', { name: /All documents/ })).toBeChecked();
  await whole.getByRole('button', { name: 'Cancel' }).click();
  await search('documents', corpus.word);
  const dialog = await open('Delete documents…');
  await dialog.getByRole('radio', { name: /Everything except/ }).check();
  const verb = dialog.getByRole('button', { name: /^Delete \d+ documents?$/ });
  await expect(verb).toBeDisabled();
  await dialog.getByRole('checkbox').check();
  await shot(page, '97-bulk-delete');
  await verb.click();
  await expect.poll(async () => (await read()).length, { timeout: 30_000 }).toBe(found);
  await undo();
  expect((await read()).length).toBe(documents.length);
});
