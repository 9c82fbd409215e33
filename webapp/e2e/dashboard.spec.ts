/** The dashboard of a project: from its creation to charts that link to what they count. */
import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { films } from './corpora';
import { api, expectAccessible, importDocuments, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

let page: Page;
const label = `Figures ${Date.now().toString(36)}`;
let project = '';
const source = films();

interface Metrics {
  readonly documentCount: number;
  readonly segmentCount: number;
  readonly documentFacets: { readonly facets: readonly { _id: string; documentCount: number; segmentCount: number }[] };
  readonly details: {
    readonly metadata: readonly { _id: string; documentCount: number }[];
    readonly labels: readonly { _id: string; confirmed: number }[];
  };
}

const metrics = (kind: string, query = '') => api<Metrics>(page, 'GET', `/projects/${project}/${kind}?details=true${query}`);
const tab = (name: string) => page.getByRole('tab', { name, exact: true });
const card = (name: string | RegExp) => page.getByRole('region', { name }).filter({ has: page.getByRole('heading', { name }) });
/** The figure of a tile, such as `1,234`. */
const figure = (name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd');

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage();
  await signIn(page);
});

test.afterAll(async () => {
  await page.context().close();
});

test('a new project opens on its dashboard and offers to import documents (T-008, R-015)', async () => {
  await page.goto('/home');
  await page.getByRole('button', { name: 'Create project' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Name/).fill(label);
  await dialog.getByRole('radio', { name: 'Sequence labelling' }).check();
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  const asks = page.getByRole('dialog');
  await expect(asks).toContainText(/import|add documents/i);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'No documents yet' })).toBeVisible();
  await expectAccessible(page);
  await shot(page, '70-dashboard-empty');
  const projects = await api<{ name: string; label: string }[]>(page, 'GET', '/projects');
  project = projects.find((one) => one.label === label)?.name ?? '';
  expect(project).not.toBe('');
});

test('figures appear as documents are imported, without a reload (S-040)', async () => {
  await importDocuments(page, project, source);
  await expect(figure('Documents')).toHaveText(String(source.length), { timeout: 30_000 });
  const { segmentCount } = await metrics('corpusMetrics');
  await expect(figure('Segments')).toHaveText(segmentCount.toLocaleString('en-GB'));
  await expect(tab('Project')).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await shot(page, '71-dashboard-project');
});

test('a bar of a metadata chart opens the documents it counts, and Back returns to it (R-031)', async () => {
  await tab('Corpus').click();
  const values = card('Values of metadata');
  const { details } = await metrics('corpusMetrics');
  const chosen = details.metadata[0]?._id ?? '';
  const facet = await metrics('corpusMetrics', `&facet=${encodeURIComponent(chosen)}`);
  const first = facet.documentFacets.facets[0];
  if (first === undefined) throw new Error(`The films have no ${chosen}`);
  const bar = values.getByRole('link').first();
  await expect(bar).toContainText(first._id);
  await expectAccessible(page);
  await shot(page, '72-dashboard-corpus');
  await bar.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/documents\//);
  await expect(page.locator('tbody tr[data-row]')).toHaveCount(Math.min(25, first.documentCount));
  await page.goBack();
  await expect(tab('Corpus')).toHaveAttribute('aria-selected', 'true');
});

test('lengths of segments are counted on request; numbers are available as a table and as a file', async () => {
  const lengths = card('Lengths');
  await lengths.getByRole('radio', { name: 'Segments' }).click();
  await lengths.getByRole('button', { name: 'Show Lengths as a table' }).click();
  const cells = await lengths.getByRole('cell').allTextContents();
  const { segmentCount } = await metrics('corpusMetrics');
  expect(cells.map((cell) => Number(cell.replace(',', ''))).reduce((sum, count) => sum + count, 0)).toBe(segmentCount);
  const waiting = page.waitForEvent('download');
  await lengths.getByRole('button', { name: /Download/ }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toBe(`${project}-lengths-segments.csv`);
  const rows = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(rows).toHaveLength(cells.length + 1);
  await expectAccessible(page);
});

test('labels link to their segments, and pairs to those with both', async () => {
  await tab('Dataset').click();
  const { details } = await metrics('annotationMetrics');
  const labels = card('Annotations by label');
  await expect(labels.getByRole('link')).toHaveCount(details.labels.length);
  await expect(labels.getByRole('link').first()).toContainText(`Confirmed: ${String(details.labels[0]?.confirmed)}`);
  await expectAccessible(page);
  await shot(page, '73-dashboard-dataset');
  const pair = page.getByRole('table', { name: 'Labels that occur together' }).locator('tbody tr').first().getByRole('link').nth(1);
  const count = Number((await pair.textContent())?.replace(',', ''));
  expect(count).toBeGreaterThan(0);
  await pair.scrollIntoViewIfNeeded();
  await shot(page, '74-dashboard-overlaps');
  await pair.click();
  await expect(page).toHaveURL(/\/explore\//);
  await expect(page.getByText(new RegExp(`\\b${String(count)}\\b`)).first()).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Count the texts' }).click();
  await expect(card('Frequent texts').getByRole('link').first()).toBeVisible();
});

test('annotations of others are counted immediately', async () => {
  const before = await metrics('annotationMetrics');
  const name = before.details.labels[0]?._id ?? '';
  const document = source[0];
  if (document === undefined) throw new Error('There is no film');
  await api(page, 'POST', `/projects/${project}/annotations`, {
    documentIdentifier: document.identifier,
    labelName: name,
    start: 0,
    end: 2,
  });
  const sum = before.details.labels.reduce((all, one) => all + one.confirmed, 0) + 1;
  await expect(figure('Annotations')).toContainText(sum.toLocaleString('en-GB'), { timeout: 20_000 });
});

test('trainings are shown newest first, with the best and the last (C-034)', async () => {
  await tab('Models').click();
  await expect(page.getByRole('heading', { name: 'No models yet' })).toBeVisible();
  const { name } = await api<{ name: string }>(page, 'POST', `/projects/${project}/experiments`, {
    engine: 'crf',
    label: 'Names',
    parameters: {},
  });
  for (const trainings of [1, 2]) {
    await api(page, 'POST', `/projects/${project}/experiments/${name}/_launch`);
    const rows = page.getByRole('table', { name: 'Last trainings, newest first' }).locator('tbody tr[data-row]');
    await expect(rows).toHaveCount(trainings, { timeout: 90_000 });
  }
  await expect(page.getByText('Best', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await shot(page, '75-dashboard-models');
});

test('the dashboard in French, dark, narrow and wide', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page
    .getByRole('banner')
    .getByRole('button', { name: /language/i })
    .click();
  await page.getByRole('menuitem', { name: /français/i }).click();
  await expect(page.getByRole('heading', { name: 'Synthèse', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: /compte/i }).click();
  await page.getByRole('menuitem', { name: /système/i }).click();
  for (const [name, french] of [
    ['project', 'Projet'],
    ['corpus', 'Corpus'],
    ['dataset', 'Jeu de données'],
    ['model', 'Modèles'],
  ] as const) {
    await tab(french).click();
    await expect(page.getByRole('tabpanel').locator('dl').first()).toBeVisible();
    await test.step(french, () => expectAccessible(page));
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await shot(page, `76-dashboard-${name}-fr-dark-${String(width)}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
      expect(wide, `${name} ${String(width)} px scrolls sideways`).toBe(false);
    }
  }
});
