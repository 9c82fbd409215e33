/** Plans: created on their screen, active at import, segmenting documents again, annotating; in English and French. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { api, choose, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const SHEET = 'nr;body\nr1;Marie sleeps. It rains.\nr2;Paul wakes.\n';
let page: Page;
let project = '';

const dialog = () => page.getByRole('dialog');
const documents = () => api<{ identifier: string; text: string; sentences: unknown[] }[]>(page, 'GET', `/projects/${project}/documents`);

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Planned', 'sequence_labelling', 'en');
});
test.afterAll(() => page.context().close());

test('a conversion plan is created, and invalid fields are shown (R-018, S-053)', async () => {
  await page.goto(`/openProject/${project}/plans`);
  await expect(page.getByRole('heading', { name: 'Plans', level: 1 })).toBeVisible();
  await expectAccessible(page);
  await shot(page, '90-plans-empty');
  await page.getByRole('button', { name: 'New conversion plan' }).click();
  await dialog().getByLabel('Name', { exact: true }).fill('Sheets');
  await choose(page, dialog().getByRole('combobox', { name: 'Converter' }), /CSV|comma|tables/i);
  await expect(dialog().getByLabel('Delimiter')).toBeVisible();
  await expectAccessible(page);
  await shot(page, '91-plans-editor');
  await dialog().getByRole('switch', { name: 'Activate it immediately' }).click();
  await dialog().getByRole('button', { name: 'Create plan' }).click();
  await expect(dialog()).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Conversion' }).getByText('Active', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await shot(page, '92-plans-list');
});

test('it reads the next import, whatever the type of the file (T-031, C-050)', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'plans-')), 'odd.strange');
  writeFileSync(file, SHEET);
  await page.goto(`/openProject/${project}/addDocuments`);
  await expect(page.getByText('Files are read by the active plan “Sheets”.')).toBeVisible();
  await page.getByLabel(/choose them/).setInputFiles([file]);
  await expect(page.getByText('1 of 1 files ready').or(page.getByText('1 of 1 file ready'))).toBeVisible();
  await expectAccessible(page);
  await shot(page, '93-plans-import');
  await page.getByRole('button', { name: /^Import 1 file/ }).click();
  await expect.poll(async () => (await documents()).length, { timeout: 60_000 }).toBe(2);
  expect((await documents()).map(({ text }) => text).sort()).toEqual(['Marie sleeps. It rains.', 'Paul wakes.']);
});

test('an active segmentation plan segments existing documents (T-031)', async () => {
  await page.goto(`/openProject/${project}/plans`);
  await page.getByRole('button', { name: 'New segmentation plan' }).click();
  await choose(page, dialog().getByRole('combobox', { name: 'Segmenter' }), /whole|document/i);
  await dialog().getByRole('button', { name: 'Create plan' }).click();
  await expect(page.getByRole('region', { name: 'Segmentation' }).getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Activate' }).click();
  await dialog().getByRole('button', { name: 'Activate' }).click();
  await expect.poll(async () => (await documents()).map(({ sentences }) => sentences.length), { timeout: 60_000 }).toEqual([1, 1]);
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog().getByRole('button', { name: 'Delete plan' }).click();
  await expect.poll(async () => (await documents()).map(({ sentences }) => sentences.length), { timeout: 60_000 }).toEqual([2, 1]);
});

test('steps have conditions, an order, and can be disabled; also in French (S-053, C-081)', async () => {
  await importDocuments(page, project, [{ identifier: 'x', text: 'x', annotations: [{ start: 0, end: 1, text: 'x', label: 'Person' }] }]);
  await page.goto(`/openProject/${project}/plans`);
  await page.getByRole('row', { name: /Sheets/ }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog().getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('menuitem', { name: 'Segmenter' }).click();
  const step = dialog().getByRole('listitem', { name: 'Step 1: Segmenter' });
  await choose(page, step.getByRole('combobox', { name: 'Segmenter' }), /whole|document/i);
  await choose(page, step.getByRole('combobox', { name: 'When' }), 'On conditions');
  await choose(page, step.getByRole('combobox', { name: 'Condition' }), 'Has no annotation with the label');
  await choose(page, step.getByRole('combobox', { name: 'Label' }), 'Person');
  await step.getByRole('button', { name: 'Add a condition' }).click();
  await step.getByLabel('Metadata', { exact: true }).fill('kind');
  await expectAccessible(page);
  await shot(page, '94-plans-steps');
  await dialog().getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog()).toHaveCount(0);
  const plan = await api<{ parameters: { pipeline: unknown[] } }>(page, 'GET', `/projects/${project}/plans/sheets`);
  expect(plan.parameters.pipeline).toMatchObject([
    { segmenter: 'document', condition: { and: [{ not: { annotation: 'person' } }, { metadata: { name: 'kind' } }] } },
  ]);
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: /fran/i }).click();
  await expect(
    page.getByRole('heading', { name: 'Chaînes d’annotation' }).or(page.getByRole('heading', { name: "Chaînes d'annotation" })),
  ).toBeVisible();
  await expectAccessible(page);
  await shot(page, '95-plans-french');
});
