/** Find in an open document of 1 MB, label all occurrences and take them back; validate; comment; the list says how far one is. */
import { expect, test, type Page } from '@playwright/test';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const SENTENCE = 'The quick study of the harbour found no deficiency in the nets that were drawn at night. ';
const LENGTH = 1_000_000;
const PLACES = 120;

/** About 1 MB in which one word, with and without accents, occurs 120 times. */
function longText(): string {
  const each = Math.floor(LENGTH / PLACES / SENTENCE.length);
  return Array.from({ length: PLACES }, (_, index) => `${SENTENCE.repeat(each)}A ${index % 2 === 0 ? 'café' : 'Cafe'} opened. `).join('\n');
}

interface Held {
  readonly reviewed?: boolean;
  readonly annotations: readonly { readonly text: string; readonly labelName: string }[];
}

let page: Page;
let project = '';
const read = () => api<Held>(page, 'GET', `/projects/${project}/documents/long`);
const bar = () => page.getByRole('search', { name: 'Find in this document' });

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage();
  await signIn(page);
  project = await makeProject(page, 'Harbour', 'sequence_labelling');
  await api(page, 'POST', `/projects/${project}/labels`, { label: 'Place' });
  await importDocuments(page, project, [
    { identifier: 'long', title: 'Long', text: longText() },
    { identifier: 'short', title: 'Short', text: 'Another cafe. Vitamin deficiency.' },
  ]);
  await page.goto(`/openProject/${project}/documents`);
  await page.getByRole('row', { name: /Long/ }).click();
  await expect(page.getByRole('group', { name: 'Text of Long' })).toBeVisible();
});
test.afterAll(() => page.context().close());

test('finds words in the whole text, accents and case folded', async () => {
  await page.keyboard.press('Control+f');
  await bar().getByRole('textbox').fill('cafe');
  await expect(bar().getByRole('status')).toHaveText(`1 of ${PLACES}`);
  await expect(page.locator('.ann-current-hit').first()).toBeInViewport();
  await page.keyboard.press('Shift+Enter');
  await expect(bar().getByRole('status')).toHaveText(`${PLACES} of ${PLACES}`);
  await expect(page.locator('.ann-current-hit').first()).toBeInViewport();
  await shot(page, '60-find');
  await expectAccessible(page);
});

test('labels all occurrences after a preview, and takes them back at once', async () => {
  await bar().getByRole('button', { name: 'Label all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Label all occurrences' });
  await expect(dialog.getByRole('list', { name: 'Some of the places' })).toBeVisible();
  await shot(page, '61-label-all');
  await dialog.getByRole('button', { name: `Label ${PLACES} places` }).click();
  await expect(dialog).toBeHidden();
  expect((await read()).annotations).toHaveLength(PLACES);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await read()).annotations.length).toBe(0);
});

test('labels them in the whole corpus by a job', async () => {
  await page.keyboard.press('Control+f');
  await bar().getByRole('button', { name: 'Label all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Label all occurrences' });
  await dialog.getByRole('radio', { name: 'Whole corpus' }).click();
  await dialog.getByRole('button', { name: `Label ${PLACES + 1} places` }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await read()).annotations.length, { timeout: 30_000 }).toBe(PLACES);
  await page.keyboard.press('Escape');
});

test('comments on the document and resolves it', async () => {
  await page.getByRole('button', { name: /^Show the comments/ }).click();
  const panel = page.getByRole('region', { name: 'Comments' });
  await panel.getByRole('textbox', { name: /^Write a comment/ }).fill('Is a café a place?');
  await page.keyboard.press('Control+Enter');
  await expect(panel.getByText('Is a café a place?')).toBeVisible();
  await shot(page, '62-comments');
  await panel.getByRole('button', { name: 'Resolve' }).click();
  await expect(panel.getByText('1 resolved')).toBeVisible();
  await page.getByRole('button', { name: 'Hide the comments' }).click();
});

test('validates it and goes to the next unfinished document; the list shows it', async () => {
  await page.getByRole('group', { name: 'Text of Long' }).focus();
  await page.keyboard.press('v');
  await expect.poll(async () => (await read()).reviewed).toBe(true);
  await page.keyboard.press('Shift+N');
  await expect(page.getByRole('group', { name: 'Text of Short' })).toBeVisible();
  await page.getByRole('link', { name: 'All documents' }).click();
  const row = page.getByRole('row', { name: /Long/ });
  await expect(row.getByText('Validated')).toBeVisible();
  await expect(row.getByText(String(PLACES), { exact: true })).toBeVisible();
  await shot(page, '63-list');
  await expectAccessible(page);
});

test('offers what is close to a misspelled word', async () => {
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('deficeincy');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /Did you mean “deficiency”/ }).click();
  await expect(page.getByText('2 documents').first()).toBeVisible();
});
