/** Comparing two searches: common results in colour, both searches restored by a reload, filters, a phone, the dark theme. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

let page: Page;
let project = '';

const TOPICS = [
  'lift of a swept wing',
  'flutter of a thin wing',
  'lift and drag of a cone',
  'heat in the boundary layer',
  'drag of a blunt body',
];
const documents = Array.from({ length: 30 }, (_, n) => ({
  identifier: `r${n}`,
  title: `Report ${n + 1}`,
  text: `Experiment ${n + 1} measures the ${TOPICS[n % TOPICS.length]} at speed ${n + 1}.`,
  metadata: { kind: n % 2 === 0 ? 'tunnel' : 'flight' },
}));

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Aerodynamics');
  await importDocuments(page, project, documents);
});
test.afterAll(() => page.context().close());

const side = (letter: string) => page.getByRole('region', { name: `Search ${letter}` });
const list = (letter: string) => page.getByRole('list', { name: `Results of search ${letter}` });

async function search(letter: string, query: string): Promise<void> {
  const box = side(letter).getByRole('textbox', { name: `Query of search ${letter}` });
  await box.fill(query);
  await box.press('Enter');
}

const colour = (row: Locator) => row.evaluate((element) => getComputedStyle(element).backgroundColor);

test('two searches have their common results in the same colour (R-026, S-031, S-032, C-037, V-035)', async () => {
  await page.goto(`/openProject/${project}/explore`);
  await expect(page.getByText('30 segments', { exact: true })).toBeVisible();
  await shot(page, 'compare-explore');
  await page.getByRole('toolbar').getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Compare two searches' })).toBeVisible();
  await expect(page.getByText(/^At least two search results are expected/)).toBeVisible();
  await shot(page, 'compare-empty');
  await expectAccessible(page);
  await search('A', 'wing');
  await expect(side('A').getByText('12 results')).toBeVisible();
  await expect(page.getByText(/^At least two search results are expected/)).toBeVisible();
  await search('B', 'lift');
  await expect(side('B').getByText('12 results')).toBeVisible();
  await expect(page.getByText(/^A: 12 · B: 12 results · 6 in both · overlap at 10: 5 /)).toBeVisible();
  const common = page.getByRole('region', { name: 'Common results' }).getByRole('listitem');
  await expect(common).toHaveCount(6);
  const colours = new Set<string>();
  for (let place = 1; place <= 5; place += 1) {
    const pair = [list('A'), list('B')].map((one) => one.locator(`li[data-common="${place}"]`));
    for (const row of pair) {
      if ((await row.count()) === 0) continue;
      await expect(row).toContainText(`common ${place} · #`);
      colours.add(`${place} ${await colour(row)}`);
    }
  }
  expect(colours.size).toBe(5);
  await shot(page, 'compare');
  await expectAccessible(page);
});

test('a reload restores both searches with their filters and pages (R-031, S-031)', async () => {
  await side('B').getByRole('button', { name: 'Add a filter to search B' }).click();
  const form = side('B').getByRole('form', { name: 'Add a filter' });
  await form.getByLabel('Text', { exact: true }).fill('swept');
  await form.getByLabel('Text', { exact: true }).press('Enter');
  await expect(side('B').getByText('6 results')).toBeVisible();
  await shot(page, 'compare-filter');
  await expectAccessible(page);
  await side('A').getByRole('button', { name: 'Next page' }).click();
  await expect(list('A').getByRole('listitem')).toHaveCount(2);
  await page.reload();
  await expect(list('A').getByRole('listitem')).toHaveCount(2);
  await expect(side('A').getByRole('textbox', { name: 'Query of search A' })).toHaveValue('wing');
  await expect(side('B').getByRole('textbox', { name: 'Query of search B' })).toHaveValue('lift');
  await expect(side('B').getByRole('button', { name: /^Text: swept, included/ })).toBeVisible();
  await page.getByRole('button', { name: 'Show the filters' }).click();
  const filters = page.getByRole('complementary', { name: 'Filters' });
  await filters.getByRole('radio', { name: 'Search B' }).click();
  await filters.getByRole('button', { name: 'Kind', exact: true }).click();
  await filters.getByRole('checkbox', { name: /^tunnel,/ }).click();
  await expect(side('B').getByText('3 results')).toBeVisible();
  await expect(side('A').getByText('12 results')).toBeVisible();
  await shot(page, 'compare-facets');
  await expectAccessible(page);
  await side('B')
    .getByRole('button', { name: /^Remove .*tunnel/ })
    .click();
  await filters.getByRole('button', { name: 'Hide the filters' }).click();
  await page.getByRole('button', { name: 'Swap A and B' }).click();
  await expect(side('A').getByRole('textbox', { name: 'Query of search A' })).toHaveValue('lift');
  await page.goBack();
  await expect(side('A').getByRole('textbox', { name: 'Query of search A' })).toHaveValue('wing');
});

test('the keyboard goes from the query to the results and opens one', async () => {
  await page.getByRole('heading', { name: 'Compare two searches' }).click();
  await page.keyboard.press('/');
  await expect(side('A').getByRole('textbox', { name: 'Query of search A' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(list('A').getByRole('link').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: /^Text of Report/ })).toBeVisible();
  await page.goBack();
  await expect(list('A').getByRole('listitem')).toHaveCount(2);
});

test('a phone stacks the searches; dark colours have enough contrast; French', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await side('A').getByRole('button', { name: 'Previous page' }).click();
  await expect(list('A').getByRole('listitem')).toHaveCount(10);
  const [a, b] = [await side('A').boundingBox(), await side('B').boundingBox()];
  expect(b?.y).toBeGreaterThanOrEqual((a?.y ?? 0) + (a?.height ?? 0));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await shot(page, 'compare-390');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark');
  await shot(page, 'compare-dark');
  await expectAccessible(page);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /language/i })
    .click();
  await page.getByRole('menuitem', { name: /français/i }).click();
  await expect(page.getByRole('heading', { name: 'Comparer deux recherches' })).toBeVisible();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'light');
  await shot(page, 'compare-fr');
  await expectAccessible(page);
});
