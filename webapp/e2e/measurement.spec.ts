/**
 * Measurement of models: parts named by files, drawn randomly, or by a search; the form, the report, in both languages, themes and widths.
 */
import { expect, test, type Page } from '@playwright/test';
import { films } from './corpora';
import { api, choose, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

interface Trained {
  readonly running: boolean;
  readonly models: number;
  readonly report?: { readonly measurement: { readonly method: string; readonly test: { readonly documents: number } } };
}

let page: Page;
let project = '';
const annotated = films()
  .filter(({ annotations }) => (annotations ?? []).length > 0)
  .slice(0, 12);
/** Three documents of each: enough for a fifth to become the test part. */
const parted = annotated.flatMap((one, number) =>
  ['a', 'b', 'c'].map((copy) => ({
    ...one,
    identifier: `${copy}-${one.identifier}`,
    metadata: { split: number % 4 === 0 ? 'test' : 'train', reel: `reel ${String(number)}` },
  })),
);

const experiments = () => api<Trained[]>(page, 'GET', `/projects/${project}/experiments`);
const widths = async (name: string) => {
  for (const width of [390, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await shot(page, `${name}-${String(width)}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    expect(wide, `${name} ${String(width)} px scrolls sideways`).toBe(false);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
};
const splitDialog = async () => {
  await page.goto('/experiments');
  await page.getByRole('button', { name: 'Split corpus' }).click();
  return page.getByRole('dialog', { name: 'Split corpus' });
};

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage();
  await signIn(page);
  project = await makeProject(page, `Measured ${Date.now().toString(36)}`);
});

test.afterAll(async () => {
  await page.context().close();
});

test('an import asks whether to use the parts named by files (D-005)', async () => {
  await page.goto(`/openProject/${project}/addDocuments`);
  const file = { name: 'films.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(parted)) };
  await page.getByLabel(/choose them/).setInputFiles(file);
  const asked = page.getByRole('note').filter({ hasText: 'which for testing' });
  await expect(asked.getByRole('switch')).toBeChecked();
  await expectAccessible(page);
  await widths('77-import-parts');
  await page.getByRole('button', { name: 'Check first' }).click();
  await expect(page.getByText(/documents are for training and \d+ for testing/)).toBeVisible({ timeout: 60_000 });
  await shot(page, '77-import-parts-checked');
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  // The page moves on to the documents when the import ends, so its last message may be gone already.
  const hasSplit = async () => (await api<{ hasSplit: boolean }>(page, 'GET', `/projects/${project}/_info`)).hasSplit;
  await expect.poll(hasSplit, { timeout: 60_000 }).toBe(true);
});

test('the corpus is split by metadata, by a search, and randomly (T-032)', async () => {
  let dialog = await splitDialog();
  await expect(dialog.getByText(/From the imported documents/)).toBeVisible();
  await widths('78-split-random');
  await dialog.getByRole('radio', { name: 'By metadata' }).click();
  await choose(page, dialog.getByLabel('Metadata', { exact: true }), 'split');
  await dialog.getByRole('checkbox', { name: /^test \(/ }).check();
  await expectAccessible(page);
  await shot(page, '78-split-metadata');
  await dialog.getByRole('button', { name: 'Split', exact: true }).click();
  await expect(dialog).toBeHidden();
  dialog = await splitDialog();
  await expect(dialog.getByText(/From the metadata “split”/)).toBeVisible();
  await dialog.getByRole('radio', { name: 'By search' }).click();
  await dialog.getByLabel('Search for the test documents').fill('actor');
  await expect(dialog.getByText(/for testing, all others/)).toBeVisible();
  await shot(page, '78-split-search');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('the form shows how it will be measured; the report how it was, with intervals', async () => {
  const other = await makeProject(page, `Drawn ${Date.now().toString(36)}`);
  await importDocuments(page, other, parted, '&metadataSplit=false');
  project = other;
  await page.goto(`/openProject/${project}/experiments`);
  await page
    .getByRole('button', { name: /^New experiment/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'New experiment' });
  await expect(dialog.getByText(/No document is in both parts/)).toBeVisible();
  await expectAccessible(page);
  await widths('79-experiment-form');
  await choose(page, dialog.getByLabel('Keep documents together by'), 'reel');
  await expect(dialog.getByText(/the same “reel”/)).toBeVisible();
  await shot(page, '79-experiment-form-grouped');
  await choose(page, dialog.getByLabel('Keep documents together by'), /each document separately/);
  await dialog.getByRole('button', { name: 'Create experiment' }).click();
  await page.getByRole('button', { name: 'Launch', exact: true }).click();
  const launch = page.getByRole('dialog', { name: /^Launch/ });
  await expect(launch.getByText(/annotated documents to learn from/)).toBeVisible();
  await shot(page, '79-launch');
  await launch.getByRole('button', { name: 'Launch' }).click();
  // The step and the percentage, while it lasts.
  await expect(page.getByRole('progressbar', { name: 'Training' }).first()).toBeVisible();
  await shot(page, '80-training');
  await expect.poll(async () => (await experiments()).map((one) => [one.running, one.models]), { timeout: 90_000 }).toEqual([[false, 1]]);
  expect((await experiments())[0]?.report?.measurement.method).toBe('heldOut');
  await page.getByRole('button', { name: 'Open report' }).click();
  await expect(page.getByRole('heading', { name: 'How it was measured' })).toBeVisible();
  await expect(page.getByText(/trained again on everything/)).toBeVisible();
  await expectAccessible(page);
  await widths('79-report');
});

test('models are compared: rows stay where they are, with the change since the last training, and are ranked', async () => {
  const create = (label: string, algorithm: string) =>
    api<{ name: string }>(page, 'POST', `/projects/${project}/experiments`, {
      ...{ engine: 'crf', label, parameters: { algorithm, iterations: 10 } },
    });
  const train = async (name: string) => {
    await api(page, 'POST', `/projects/${project}/experiments/${name}/_launch`);
    await expect.poll(async () => (await experiments()).every(({ running }) => !running), { timeout: 90_000 }).toBe(true);
  };
  const perceptron = await create('Names, perceptron', 'ap');
  await create('Names, later', 'lbfgs');
  await page.goto('/experiments');
  const rows = page.getByRole('table', { name: 'Experiments' }).getByRole('row');
  const order = async () => (await rows.allInnerTexts()).slice(1).map((text) => text.split('\n').find((line) => line.trim() !== ''));
  await expect(rows).toHaveCount(4);
  const before = await order();
  expect(before[0]).toBe('Names, later');
  await train(perceptron.name);
  await api(page, 'PATCH', `/projects/${project}/experiments/${perceptron.name}`, { parameters: { algorithm: 'ap', iterations: 2 } });
  await train(perceptron.name);
  await expect(rows.filter({ hasText: 'Names, perceptron' }).getByText(/Up to date/)).toBeVisible();
  expect(await order()).toEqual(before);
  await page.getByText('Names, perceptron').click();
  const drawer = page.getByRole('complementary').last();
  await drawer.getByRole('tab', { name: 'Parameters' }).click();
  await expect(drawer.getByText('Algorithm')).toBeVisible();
  await expect(drawer.getByText('L1 penalty (c1)')).toBeHidden();
  await expectAccessible(page);
  await widths('80-experiments');
  await page.getByRole('tab', { name: /^Model ranking/ }).click();
  await expect(page.getByRole('heading', { name: 'Models by F1' })).toBeVisible();
  await expect(page.getByText(/not all tested on the same documents/)).toBeVisible();
  await expectAccessible(page);
  await widths('80-ranking');
  await page.getByRole('tab', { name: /^Clusters/ }).click();
  await expect(page.getByText('No clusters yet')).toBeVisible();
  await page.getByRole('tab', { name: /^Models/ }).click();
  await page.getByRole('button', { name: 'Split the corpus' }).click();
  await page.getByRole('dialog', { name: 'Split corpus' }).getByRole('button', { name: 'Split', exact: true }).click();
  await expect(page.getByText(/documents to learn from, \d+ set aside to test/)).toBeVisible();
  await shot(page, '80-experiments-split');
  await page.getByText('Names, perceptron').click();
  await page.getByRole('button', { name: 'Open report' }).click();
});

test('the same in French and in dark mode', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page
    .getByRole('banner')
    .getByRole('button', { name: /language/i })
    .click();
  await page.getByRole('menuitem', { name: /français/i }).click();
  await page.getByRole('button', { name: /compte/i }).click();
  await page.getByRole('menuitem', { name: /système/i }).click();
  await expect(page.getByText(/Aucun document n’est dans les deux parties/)).toBeVisible();
  await expectAccessible(page);
  await widths('79-report-fr-dark');
  await page.goto('/experiments');
  await expect(page.getByText(/documents pour apprendre/)).toBeVisible();
  await widths('80-experiments-fr-dark');
  await page.getByRole('tab', { name: /^Classement/ }).click();
  await expect(page.getByRole('heading', { name: 'Modèles par F1' })).toBeVisible();
  await widths('80-ranking-fr-dark');
  await page.getByRole('button', { name: 'Séparer le corpus' }).click();
  await expect(page.getByRole('radio', { name: 'Par métadonnée' })).toBeVisible();
  await expectAccessible(page);
  await widths('78-split-fr-dark');
});
