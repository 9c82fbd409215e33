/** Searching: filters, ranges, long facets, sorting, syntax errors; navigation through hits and back; metadata. */
import { expect, test, type Page } from '@playwright/test';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const AUTHORS = 70;
let page: Page;
let project = '';

const text = (n: number) => `Report ${n}. The harbour of Halden was repaired. ${n % 2 === 0 ? 'The harbour stayed open.' : 'Nobody came.'}`;
const documents = Array.from({ length: 120 }, (_, n) => ({
  identifier: `r${n}`,
  title: `Report ${n}`,
  text: text(n),
  metadata: { author: `Writer ${n % AUTHORS}`, year: 1960 + (n % 60), kind: n % 3 === 0 ? 'letter' : 'note' },
}));

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Reports');
  await importDocuments(page, project, documents);
});
test.afterAll(() => page.context().close());

const total = (words: string) => expect(page.getByText(words, { exact: true })).toBeVisible();
const panel = (name: string) => page.getByRole('complementary', { name: 'Filters' }).getByRole('button', { name, exact: true });

async function open(path: string): Promise<void> {
  await page.goto(`/openProject/${project}/${path}`);
  await expect(page.getByRole('complementary', { name: 'Filters' })).toBeVisible();
}

async function search(words: string): Promise<void> {
  const box = page.getByRole('search').getByRole('textbox');
  await box.fill(words);
  await box.press('Enter');
}

test('filters by words, by a range and by a value of a long facet, and stores the search in the address (S-018, W-015, W-016, R-031, R-032)', async () => {
  await open('documents');
  await total('120 documents');
  await page.getByLabel('Text', { exact: true }).fill('stayed');
  await page.getByLabel('Text', { exact: true }).press('Enter');
  await total('60 documents');
  await panel('Year').click();
  const range = page.getByRole('form', { name: 'Range of Year' });
  await range.getByLabel('From').fill('1970');
  await range.getByLabel('To').fill('1979');
  await range.getByRole('button', { name: 'Apply' }).click();
  await total('10 documents');
  await shot(page, 'explore-range');
  await expectAccessible(page);
  await page.reload();
  await total('10 documents');
  await page.getByRole('button', { name: /^Text: stayed, included/ }).click();
  await total('10 documents');
  await page.getByRole('button', { name: /^Clear 2/ }).click();
  await total('120 documents');
  await panel('Author').click();
  await page.getByRole('searchbox', { name: 'Find a value of Author' }).fill('writer 6');
  await page.getByRole('checkbox', { name: /^Writer 67,/ }).click();
  await total('1 document');
  await page.getByRole('button', { name: /^Clear 1/ }).click();
});

test('sorts by date, and shows where a query is wrong (E-019)', async () => {
  await open('documents');
  await page.getByRole('button', { name: 'Order: Best match first' }).click();
  await page.getByRole('menuitem', { name: 'Last changed first' }).click();
  await expect(page.getByRole('button', { name: 'Order: Last changed first' })).toBeVisible();
  await page.getByRole('switch', { name: 'Simple query' }).click();
  await search('harbour AND (halden');
  const mistake = page.locator('#studio-search-mistake');
  await expect(mistake).toContainText('Error at the marked place');
  await expect(mistake.locator('mark')).toHaveText('(halden');
  await shot(page, 'explore-mistake');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'How to write a query' }).click();
  await expect(page.getByRole('dialog', { name: 'Writing a query' })).toBeVisible();
  await expectAccessible(page);
  await shot(page, 'explore-help');
  await page.keyboard.press('Escape');
  await search('harbour AND halden');
  await total('120 documents');
  await search('harbuor~1 AND /hal.+n/');
  await total('120 documents');
  await search('harbour AND /hal');
  await expect(mistake).toContainText('the regular expression is never closed');
  await search('harbour AND _exists_:title');
  await total('120 documents');
});

test('sorts by title and by numbers, saves a search, shows it again and makes it the default (S-022)', async () => {
  await open('documents');
  const rows = page.getByRole('table').getByRole('row');
  const order = async (from: string, to: string) => {
    await page.getByRole('button', { name: `Order: ${from}` }).click();
    await page.getByRole('menuitem', { name: to }).click();
  };
  await order('Best match first', 'Title, A to Z');
  await expect(rows.nth(1)).toContainText('Report 0');
  await expect(rows.nth(3)).toContainText('Report 2');
  await order('Title, A to Z', 'Year, highest first');
  await expect(rows.nth(1)).toContainText('Report 59');
  await search('stayed');
  await total('60 documents');
  await page.getByRole('button', { name: 'Saved searches' }).click();
  const dialog = page.getByRole('dialog', { name: 'Saved searches' });
  await dialog.getByLabel('Name').fill('Open harbours');
  await dialog.getByRole('checkbox', { name: /^Use it when/ }).check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Show Open harbours' })).toBeVisible();
  await shot(page, 'explore-saved');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await search('');
  await total('120 documents');
  await page.goto(`/openProject/${project}/documents`);
  await expect(page.getByText('Your saved search “Open harbours” is applied')).toBeVisible();
  await total('60 documents');
  await expect(rows.nth(1)).toContainText('Report 58');
  await page.getByRole('button', { name: 'Saved searches' }).click();
  await dialog.getByRole('button', { name: 'Delete Open harbours' }).click();
  await expect(dialog.getByText('No saved searches yet')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await search('');
  await total('120 documents');
});

test('navigates through the found segments, inside their documents, and back to the position (S-019, S-007)', async () => {
  await open('explore');
  await search('harbour');
  await expect(page.getByText('180 segments')).toBeVisible();
  await page.getByRole('button', { name: 'Next page' }).click();
  const cards = page.getByRole('list', { name: 'Search results' }).getByRole('listitem');
  await expect(cards).toHaveCount(10);
  await cards.nth(2).getByRole('link').first().click();
  await expect(page.getByText('Segment 13 of 180')).toBeVisible();
  await expect(page.getByRole('status', { name: /^Match 1 of \d/ })).toBeVisible();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(page.getByText('Segment 14 of 180')).toBeVisible();
  await shot(page, 'explore-document');
  const drawer = await page.getByRole('complementary', { name: 'Labels' }).boundingBox();
  expect((drawer?.x ?? 0) + (drawer?.width ?? 0)).toBeLessThanOrEqual(1280);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Segments', exact: true }).click();
  await expect(page.getByText('180 segments')).toBeVisible();
  await expect(page.locator('li[data-current]')).toBeVisible();
  await expect(page.getByText(/^11–20 of 180|11-20 of 180/)).toBeVisible();
});

test('changes the metadata of a document with their types (S-013)', async () => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await open('documents');
  await search('"report 7"');
  await page
    .getByRole('row', { name: /Report 7\b/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Add metadata' }).click();
  await page.getByLabel('Name').fill('pages');
  await page.getByRole('combobox', { name: 'Kind of value' }).click();
  await page.getByRole('option', { name: 'Number' }).click();
  await page.getByRole('textbox', { name: 'Value' }).fill('12');
  await shot(page, 'explore-metadata');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: 'Remove Kind' }).click();
  await expect(page.getByText('Kind removed')).toBeVisible();
  const read = () => api<{ metadata: Record<string, unknown> }>(page, 'GET', `/projects/${project}/documents/r7`);
  await expect.poll(async () => (await read()).metadata).toEqual({ author: 'Writer 7', year: 1967, pages: 12 });
  // The undo action disappears after some seconds, the screenshot may take longer.
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await expect.poll(async () => (await read()).metadata['kind']).toBe('note');
  await expectAccessible(page);
});

test('is rendered in French and in dark mode (screenshots)', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open('explore');
  await search('harbour');
  await shot(page, 'explore-dark-1920');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: /Français/ }).click();
  await expect(page.getByRole('complementary', { name: 'Filtres' })).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await shot(page, 'explore-fr-1280');
  await expectAccessible(page);
});
