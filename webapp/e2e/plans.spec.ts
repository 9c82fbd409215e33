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
const form = () => page.getByRole('region', { name: 'Selected step' });
const steps = () => page.getByRole('region', { name: 'Steps', exact: true }).getByRole('listitem');
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
  await page.getByLabel('Name', { exact: true }).fill('Sheets');
  await choose(page, form().getByRole('combobox', { name: 'Converter' }), /CSV|comma|tables/i);
  await expect(form().getByLabel('Delimiter')).toBeVisible();
  await expectAccessible(page);
  await shot(page, '91-plans-page');
  await page.getByRole('switch', { name: 'Activate it immediately' }).click();
  await page.getByRole('button', { name: 'Create plan' }).click();
  await expect(page.getByText('All changes saved')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the plans' }).click();
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
  await choose(page, form().getByRole('combobox', { name: 'Segmenter' }), /whole|document/i);
  await page.getByRole('button', { name: 'Create plan' }).click();
  await expect(page.getByText('All changes saved')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the plans' }).click();
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
  await page.getByRole('region', { name: 'Components' }).getByRole('button', { name: 'Add Whole document' }).click();
  await form().getByRole('tab', { name: 'When and where' }).click();
  await choose(page, form().getByRole('combobox', { name: 'When' }), 'On conditions');
  await choose(page, form().getByRole('combobox', { name: 'Condition' }), 'Has no annotation with the label');
  await choose(page, form().getByRole('combobox', { name: 'Label' }), 'Person');
  await form().getByRole('button', { name: 'Add a condition' }).click();
  await form().getByLabel('Metadata', { exact: true }).fill('kind');
  await expectAccessible(page);
  await shot(page, '94-plans-steps');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('All changes saved')).toBeVisible();
  const plan = await api<{ parameters: { pipeline: unknown[] } }>(page, 'GET', `/projects/${project}/plans/sheets`);
  expect(plan.parameters.pipeline).toMatchObject([
    { segmenter: 'document', condition: { and: [{ not: { annotation: 'person' } }, { metadata: { name: 'kind' } }] } },
  ]);
  await page.getByRole('button', { name: 'Back to the plans' }).click();
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: /fran/i }).click();
  await expect(page.getByRole('heading', { name: 'Chaînes d’annotation' })).toBeVisible();
  await expectAccessible(page);
  await shot(page, '95-plans-french');
});

test('a plan of three steps is reordered by keyboard and drag, tried, and tried again from its drawer (S-053, S-056)', async () => {
  await page.goto(`/openProject/${project}/plans`);
  await page
    .getByRole('button', { name: 'New pipeline' })
    .or(page.getByRole('button', { name: 'Nouvelle chaîne' }))
    .click();
  await page.getByRole('button', { name: /Lang/ }).click();
  await page.getByRole('menuitem', { name: /english/i }).click();
  const components = page.getByRole('region', { name: 'Components' });
  for (const name of ['Add Whole document', 'Add Sentences', 'Add Paragraphs'])
    await components.getByRole('button', { name }).first().click();
  await expect(steps()).toHaveCount(3);
  const last = await steps().nth(2).getAttribute('aria-label');
  await steps().nth(2).getByRole('button').first().focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(steps().nth(1)).toHaveAttribute('aria-label', (last ?? '').replace('Step 3', 'Step 2'));
  await steps()
    .nth(0)
    .dragTo(steps().nth(2), { targetPosition: { x: 120, y: 40 } });
  await expect(page.getByText(/unsaved change/)).toBeVisible();
  const trial = page.getByRole('region', { name: 'Test', exact: true });
  await trial.getByLabel('Text', { exact: true }).fill('Marie sleeps. It rains.\n\nPaul wakes.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(trial.getByRole('list', { name: 'Results by step' }).getByRole('button')).toHaveCount(4);
  await trial.getByRole('radio', { name: 'Whole document' }).click();
  await expect(trial.locator('.ann-text', { hasText: 'Paul wakes.' })).toBeVisible();
  await expectAccessible(page);
  await shot(page, '96-plans-trial');
  await page.reload();
  await expect(steps(), 'unsaved changes are kept').toHaveCount(3);
  await page.getByRole('button', { name: 'Create plan' }).click();
  await expect(page.getByText('All changes saved')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the plans' }).click();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await dialog().getByRole('radio', { name: 'Document' }).click();
  await dialog().getByRole('combobox').click();
  await page.getByRole('option').first().click();
  await dialog().getByRole('button', { name: 'Run' }).click();
  await expect(dialog().getByRole('list', { name: 'Results by step' })).toBeVisible();
  await expectAccessible(page);
});
