/** The two other natures: classification, and question answering. */
import { expect, test, type Page } from '@playwright/test';
import { categoryCorpus, films } from './corpora';
import { api, choose, expectAccessible, importDocuments, makeProject, shot, signedInPage } from './studio';

test.describe.configure({ mode: 'serial' });

const documents = categoryCorpus();
let page: Page;
let project = '';

test.beforeAll(async ({ browser }) => {
  page = await signedInPage(browser);
});
test.afterAll(() => page.context().close());

/** Wait for the title of the new screen: earlier input would go to the previous one. */
async function go(name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name, exact: true }).click();
  await expect(page).toHaveTitle(new RegExp(`Annotarium.*${name}`));
}

interface Categorised {
  readonly categories: readonly { labelName: string; status?: string; createdBy?: string }[];
}

test('assigns a category to a document (S-009, T-017)', async () => {
  project = await makeProject(page, 'Bank questions', 'classification');
  await importDocuments(page, project, documents, '&segmentationPolicy=documents_as_segments');
  const chosen = documents.find(({ categories, text }) => categories?.length === 0 && text.length > 30 && !text.includes('"'));
  const bare = chosen?.identifier ?? '';
  await page.goto(`/openProject/${project}/documents`);
  await expect(page.getByText(`${String(documents.length)} documents`).first()).toBeVisible();
  await shot(page, '40-classification');
  const search = page.getByRole('search').getByRole('textbox');
  await search.fill(`"${chosen?.text ?? ''}"`);
  await search.press('Enter');
  await expect(page.getByText('1 document', { exact: true }).first()).toBeVisible();
  await page.getByRole('row').filter({ hasText: bare }).first().click();
  const row = page.locator('.ann-label-row').first();
  await row.click();
  const own = async () => (await api<Categorised>(page, 'GET', `/projects/${project}/documents/${bare}`)).categories;
  await expect.poll(async () => (await own()).length).toBe(1);
  expect((await own())[0]?.createdBy).toBe('admin');
  await shot(page, '41-category');
  await expectAccessible(page);
});

test('learns categories and suggests them (S-044, T-021)', async () => {
  await go('Experiments');
  await page.getByRole('button', { name: 'New experiment' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New experiment' });
  await dialog.getByLabel('Name', { exact: true }).fill('Topics');
  await dialog.getByRole('button', { name: 'Create experiment' }).click();
  await page.getByRole('button', { name: 'Launch', exact: true }).click();
  await page
    .getByRole('dialog', { name: /^Launch/ })
    .getByRole('button', { name: 'Launch' })
    .click();
  await expect(page.getByText('Up to date').first()).toBeVisible({ timeout: 90_000 });
  const [trained] = await api<{ engine: string; report?: { microAvg?: { f1?: number } } }[]>(
    page,
    'GET',
    `/projects/${project}/experiments`,
  );
  expect(trained?.engine).toBe('sklearn_text_classifier');
  expect(trained?.report?.microAvg?.f1).toBeGreaterThan(0.5);
  await go('Suggestions');
  await page.getByRole('button', { name: 'Start a suggester' }).click();
  const card = page.getByRole('article', { name: 'Current suggestion' });
  await expect(card).toBeVisible({ timeout: 90_000 });
  await shot(page, '42-category-suggestion');
  const confirmed = async () =>
    (await api<Categorised[]>(page, 'GET', `/projects/${project}/documents`)).filter(({ categories }) =>
      categories.some(({ status, createdBy }) => createdBy === 'admin' && status === 'OK'),
    ).length;
  const before = await confirmed();
  await card.getByRole('button', { name: /^Accept( Y)?$/ }).click();
  await expect.poll(confirmed).toBe(before + 1);
  await expectAccessible(page);
});

interface Clustering {
  readonly name: string;
  readonly running: boolean;
  readonly report?: { readonly labelSetName?: string; readonly topics?: readonly { readonly title: string; readonly size: number }[] };
}

test('finds topics with one click, and links from a topic to its documents (S-046)', async () => {
  await go('Experiments');
  await page.getByRole('button', { name: 'Find topics' }).click();
  const found = async () => (await api<Clustering[]>(page, 'GET', `/projects/${project}/experiments?tags=clustering-shortcut`))[0];
  await expect.poll(async () => (await found())?.report?.labelSetName ?? '', { timeout: 120_000 }).not.toBe('');
  const clustering = await found();
  const proposed = async () =>
    (await api<Categorised[]>(page, 'GET', `/projects/${project}/documents`)).filter(({ categories }) =>
      categories.some(({ createdBy }) => createdBy === clustering?.name),
    ).length;
  const inTopics = (clustering?.report?.topics ?? []).reduce((sum, { size }) => sum + size, 0);
  await expect.poll(proposed, { timeout: 120_000 }).toBe(inTopics);
  await page.getByRole('button', { name: 'Open report' }).click();
  await expect(page.getByRole('heading', { name: 'Texts per topic' })).toBeVisible();
  await expectAccessible(page);
  await shot(page, '43-topics');
  const [biggest] = clustering?.report?.topics ?? [];
  await page.getByRole('link', { name: `Show the texts of ${biggest?.title ?? ''}` }).click();
  await expect(page.getByText(`${String(biggest?.size)} documents`).first()).toBeVisible();
  await page.getByRole('button', { name: 'Project actions' }).click();
  await page.getByRole('menuitem', { name: 'Find topics' }).click();
  await expect(page.getByRole('dialog').getByText('is launched again')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
});

test('a question answering project opens, imports and searches (C-055)', async () => {
  await page.goto('/home');
  await page.getByRole('button', { name: 'Create project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create project' });
  await dialog.getByRole('radio', { name: 'Question answering' }).check();
  await dialog.getByLabel('Name').fill('Film questions');
  await choose(page, dialog.getByLabel('Language'), 'English');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  const importing = page.getByRole('dialog', { name: 'Import documents' });
  const plain = films().map(({ identifier, title, text }) => ({ identifier, title, text }));
  await importing
    .getByLabel(/choose them/)
    .setInputFiles({ name: 'films.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(plain)) });
  await importing.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(page.getByText('Documents imported')).toBeVisible({ timeout: 60_000 });
  await go('Explore');
  const search = page.getByRole('search').getByRole('textbox');
  await search.fill('camera');
  await search.press('Enter');
  await expect(page.locator('.ann-hit').first()).toContainText(/cam[eé]ra/i);
  await shot(page, '43-questions');
});
