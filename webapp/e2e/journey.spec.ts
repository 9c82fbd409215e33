/** The complete path of a user who annotates spans: from an empty installation to a retrained model and an exported corpus. */
import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { spanCorpus } from './corpora';
import { api, expectAccessible, importDocuments, makeProject, shot, signedInPage } from './studio';
import { clickText, selectText } from './text';

test.describe.configure({ mode: 'serial' });

const corpus = spanCorpus();
let page: Page;
let project = '';

test.beforeAll(async ({ browser }) => {
  page = await signedInPage(browser);
});

test.afterAll(() => page.context().close());

const rail = (name: string) => page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name, exact: true });

async function go(name: string): Promise<void> {
  await rail(name).click();
  await expect(page).toHaveTitle(new RegExp(`Annotarium.*${name}`));
}

test('creates a project and shows the import dialog (D-001, T-008)', async () => {
  const names = async () =>
    new Map((await api<{ name: string; nature: string }[]>(page, 'GET', '/projects')).map((made) => [made.name, made.nature]));
  const before = await names();
  await page.getByRole('button', { name: 'Create project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create project' });
  await dialog.getByLabel('Name').fill('Emerging entities');
  await expect(dialog.getByRole('radio', { name: 'Question answering' })).toBeChecked();
  await dialog.getByRole('radio', { name: 'Sequence labelling' }).check();
  await shot(page, '10-create');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByRole('dialog', { name: 'Import documents' })).toBeVisible();
  const [made] = [...(await names())].filter(([name]) => !before.has(name));
  expect(made?.[1]).toBe('sequence_labelling');
  project = made?.[0] ?? '';
});

test('imports a file, follows the job, reads the result of each item (D-004, T-010)', async () => {
  const dialog = page.getByRole('dialog', { name: 'Import documents' });
  const files = dialog.getByLabel(/choose them/);
  await files.setInputFiles(corpus.file);
  await files.setInputFiles({ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('[{"identifier": "cut", "text": ') });
  await expect(dialog.getByText('Ready', { exact: true })).toHaveCount(2);
  await shot(page, '11-import');
  await dialog.getByRole('button', { name: 'Import 2 files' }).click();
  await expect(dialog.getByText('Import finished')).toBeVisible({ timeout: 60_000 });
  await shot(page, '12-import-report');
  const report = dialog.getByRole('region', { name: 'Import report' });
  await expect(report.first()).toContainText(String(corpus.documents.length));
  await expectAccessible(page);
  await dialog.getByText(/^refused 1$/).click();
  await expect(dialog.getByRole('table', { name: 'Import report' })).toContainText('broken.json');
  await shot(page, '13-import-refused');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page).toHaveURL(/\/documents$/);
  await expect(page.getByText(`${String(corpus.documents.length)} documents`).first()).toBeVisible();
  await shot(page, '14-documents');
});

const total = (count: number) => page.getByText(`${String(count)} document${count === 1 ? '' : 's'}`, { exact: true }).first();

interface Found {
  readonly total: { readonly value: number };
  readonly hits: { document: { identifier: string } }[];
}
const found = (query: string) => api<Found>(page, 'POST', `/projects/${project}/documents/_search?${query}`);

test('finds documents by a word and by facets, changes pages, restores its position on reload (S-006, T-013, W-016, R-031)', async () => {
  const everything = corpus.documents.length;
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByText(`26–50 of ${String(everything)}`)).toBeVisible();
  await page.reload();
  await expect(page.getByText(`26–50 of ${String(everything)}`)).toBeVisible();

  const search = page.getByRole('search').getByRole('textbox');
  await search.fill(corpus.word);
  await search.press('Enter');
  const byWord = (await found(`query=${corpus.word}&simpleQuery=true`)).total.value;
  expect(byWord).toBeGreaterThan(0);
  expect(byWord).toBeLessThan(everything);
  await expect(total(byWord)).toBeVisible();
  await expect(page.locator('mark').first()).toContainText(new RegExp(corpus.word, 'i'));
  await expect(page.getByText(/^26–50 of/)).toHaveCount(0);
  await page.reload();
  await expect(search).toHaveValue(corpus.word);
  await expect(total(byWord)).toBeVisible();
  await shot(page, '15-search');
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect(total(everything)).toBeVisible();

  const value = page.getByRole('checkbox', { name: new RegExp(`^${corpus.labels[0]}, `) }).first();
  const carrying = (await found(`selectedFacets=${encodeURIComponent(`+label:${corpus.labels[0]}`)}`)).total.value;
  await value.click();
  await expect(total(carrying)).toBeVisible();
  await value.click();
  await expect(total(everything - carrying)).toBeVisible();
  await page.reload();
  await expect(total(everything - carrying)).toBeVisible();
  await expect(value).toHaveAttribute('aria-checked', 'mixed');
  await shot(page, '16-facet-excluded');
  await value.click();
  await expect(total(everything)).toBeVisible();
});

const STRANGE = 'Ana 👩🏽‍🚀 Núñez wrote to Zu\u0308rich.\r\nשלום ירושלים בירת ישראל\r\nThen 🏳️‍🌈🎬 José left Париж 😀 at dawn.';

interface Annotation {
  readonly identifier: string;
  readonly start: number;
  readonly end: number;
  readonly text?: string;
  readonly labelName: string;
  readonly status?: string;
  readonly creationMode?: string;
  readonly createdBy?: string;
}
interface Document {
  readonly identifier: string;
  readonly text: string;
  readonly annotations: readonly Annotation[];
}
const read = (identifier: string) => api<Document>(page, 'GET', `/projects/${project}/documents/${identifier}`);
const surface = () => page.getByRole('group', { name: /^Text of/ });
const saved = () => expect(page.getByText('All changes saved')).toBeVisible();

async function openDocument(identifier: string): Promise<void> {
  await go('Documents');
  const search = page.getByRole('search').getByRole('textbox');
  await search.fill(`"${identifier}"`);
  await search.press('Enter');
  await expect(total(1)).toBeVisible();
  await page.getByRole('row').filter({ hasText: identifier }).first().click();
  await expect(surface()).toBeVisible();
}

test('labels a mouse selection, whatever the text (S-008, T-015, W-026)', async () => {
  await importDocuments(page, project, [{ identifier: 'strange-signs', title: 'Strange signs', text: STRANGE }]);
  await openDocument('strange-signs');
  const pieces = ['👩🏽‍🚀', 'Zu\u0308rich', 'ירושלים', 'José', 'Париж', '🏳️‍🌈🎬'];
  for (const currentText of pieces) {
    await selectText(page, surface(), currentText);
    await expect(page.getByRole('listbox', { name: 'Labels' })).toBeVisible();
    await page.keyboard.press('1');
    await saved();
  }
  await shot(page, '17-strange');
  await expect.poll(async () => (await read('strange-signs')).annotations.length).toBe(pieces.length);
  const { text, annotations } = await read('strange-signs');
  expect(text).toBe(STRANGE);
  const points = [...text];
  for (const { start, end, text: own, creationMode, createdBy } of annotations) {
    expect(own).toBe(points.slice(start, end).join(''));
    expect({ creationMode, createdBy }).toEqual({ creationMode: 'manual', createdBy: 'admin' });
  }
  expect(new Set(annotations.map(({ text: own }) => own))).toEqual(new Set(pieces));
});

test('changes a label, rejects, deletes and restores it (S-008, T-016)', async () => {
  const at = async (currentText: string) => (await read('strange-signs')).annotations.filter(({ text }) => text === currentText);
  const before = (await at('José'))[0]?.labelName;
  await clickText(page, surface(), 'José');
  await page.keyboard.press('2');
  await saved();
  await expect.poll(async () => (await at('José'))[0]?.labelName).not.toBe(before);

  await clickText(page, surface(), 'Париж');
  await page.keyboard.press('n');
  await saved();
  await expect.poll(async () => (await at('Париж')).map(({ status }) => status)).toEqual(['KO']);

  await clickText(page, surface(), 'ירושלים');
  await page.keyboard.press('Delete');
  await expect.poll(async () => (await at('ירושלים')).length).toBe(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await at('ירושלים')).length).toBe(1);
  await expectAccessible(page);
});

test('shows and creates annotations in the segments too (S-018, S-019, S-020)', async () => {
  await go('Explore');
  const cards = page.getByRole('list', { name: 'Search results' });
  await expect(cards.locator('mark[data-spans]').first()).toBeVisible();
  await shot(page, '19-explore');
  const search = page.getByRole('search').getByRole('textbox');
  await search.fill('dawn');
  await search.press('Enter');
  const segment = page.getByRole('group', { name: /Strange signs/ });
  await selectText(page, segment, 'dawn');
  await page.keyboard.press('3');
  const dawn = async () => (await read('strange-signs')).annotations.filter(({ text }) => text === 'dawn');
  await expect.poll(async () => (await dawn()).length).toBe(1);
  const { start, end } = (await dawn())[0] ?? { start: 0, end: 0 };
  expect([...STRANGE].slice(start, end).join('')).toBe('dawn');
  await page.getByRole('link', { name: 'Strange signs' }).first().click();
  await expect(surface()).toBeVisible();
});

test('adds a label where it is needed (T-012, W-018)', async () => {
  await page.getByRole('button', { name: /^Add a label to/ }).click();
  await page.getByLabel('New label').fill('Festival');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /Festival \d/ })).toBeVisible();
  await page.getByLabel('New label').press('Escape');
  await expect(page.getByLabel('New label')).toHaveCount(0);
  const labels = await api<{ name: string; label: string }[]>(page, 'GET', `/projects/${project}/labels`);
  expect(labels.map(({ label }) => label)).toContain('Festival');
  await shot(page, '18-label-added');
});

interface Experiment {
  readonly name: string;
  readonly models: number;
  readonly running: boolean;
  readonly uptodate: boolean;
  readonly timestamp: number;
  readonly report?: { readonly microAvg?: { readonly f1?: number } };
}
const experiments = () => api<Experiment[]>(page, 'GET', `/projects/${project}/experiments`);
const trained = (models: number) =>
  expect.poll(async () => (await experiments()).map((one) => [one.running, one.models]), { timeout: 90_000 }).toEqual([[false, models]]);

test('trains a model and reads its report (S-043, S-044, T-026)', async () => {
  await go('Experiments');
  await page.getByRole('button', { name: 'New experiment' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New experiment' });
  await expect(dialog.getByRole('region', { name: 'Parameters' })).toBeVisible();
  await dialog.getByLabel('Name', { exact: true }).fill('First CRF');
  await shot(page, '20-experiment-form');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create experiment' }).click();
  await page.getByRole('button', { name: 'Launch', exact: true }).click();
  await page
    .getByRole('dialog', { name: /^Launch/ })
    .getByRole('button', { name: 'Launch' })
    .click();
  await expect(page.getByText('Up to date').first()).toBeVisible({ timeout: 90_000 });
  await trained(1);
  await shot(page, '21-experiment');
  await page.getByRole('button', { name: 'Open report' }).click();
  const f1 = (await experiments())[0]?.report?.microAvg?.f1 ?? 0;
  expect(f1).toBeGreaterThan(0);
  await expect(page.getByText(f1.toFixed(2).replace(/^0/, '')).first()).toBeVisible();
  await shot(page, '22-report');
  await expectAccessible(page);
});

test('tries the model on an entered text (S-056, R-021)', async () => {
  await go('Test');
  const text = corpus.documents.find(({ annotations }) => (annotations ?? []).length > 1)?.text ?? '';
  await page.getByLabel('Text to annotate').fill(text);
  await page.getByRole('button', { name: 'Annotate', exact: true }).click();
  await expect(page.getByText(/\d+ results?/)).toBeVisible();
  await shot(page, '23-test');
  await expectAccessible(page);
});

const automatic = async () => {
  const answer = await api<{ aggregations: { name: string; buckets: { key: string; doc_count: number }[] }[] }>(
    page,
    'POST',
    `/projects/${project}/documents/_search?facet=true`,
  );
  const modes = answer.aggregations.find(({ name }) => name === 'creationMode')?.buckets ?? [];
  return modes.find(({ key }) => key === 'automatic')?.doc_count ?? 0;
};

test('lets the model annotate the corpus (D-012, W-024, T-023)', async () => {
  await page.getByRole('button', { name: 'Project actions' }).click();
  await page.getByRole('menuitem', { name: 'Annotate the corpus' }).click();
  const dialog = page.getByRole('dialog', { name: 'Annotate the corpus' });
  await expect(dialog.getByLabel('Annotator')).toContainText('First CRF');
  await shot(page, '24-annotate');
  await dialog.getByRole('button', { name: 'Annotate' }).click();
  await expect.poll(automatic, { timeout: 60_000 }).toBeGreaterThan(0);
});

const everyAnnotation = async (): Promise<Map<string, string>> => {
  const documents = await api<Document[]>(page, 'GET', `/projects/${project}/documents`);
  return new Map(
    documents.flatMap(({ identifier, annotations }) =>
      annotations
        .filter(({ creationMode }) => creationMode === 'manual')
        .map(({ identifier: id, text, status }) => [id, `${identifier} ${text ?? ''} ${status ?? ''}`]),
    ),
  );
};

/** The annotations created since. */
async function appeared(before: Map<string, string>): Promise<string[]> {
  return [...(await everyAnnotation())].filter(([id]) => !before.has(id)).map(([, said]) => said);
}

test('answers suggestions: accept, reject, skip (S-037, T-021)', async () => {
  await go('Suggestions');
  await page.getByRole('button', { name: 'Start a suggester' }).click();
  const card = page.getByRole('article', { name: 'Current suggestion' });
  await expect(card).toBeVisible({ timeout: 90_000 });
  await shot(page, '25-suggestion');
  await expectAccessible(page);
  const currentText = () => card.locator('li[aria-current] strong').innerText();

  let before = await everyAnnotation();
  const accepted = await currentText();
  await card.getByRole('button', { name: /^Accept( Y)?$/ }).click();
  await expect.poll(() => appeared(before)).toEqual([expect.stringContaining(`${accepted} OK`)]);

  before = await everyAnnotation();
  const rejected = await currentText();
  await card.getByRole('button', { name: /^Reject/ }).click();
  await expect.poll(() => appeared(before)).toEqual([expect.stringContaining(`${rejected} KO`)]);

  // The undo of the other screens: the answer is removed, its proposal is open again and focused.
  await page.keyboard.press('Control+z');
  await expect.poll(() => appeared(before)).toEqual([]);
  await expect.poll(currentText).toBe(rejected);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => appeared(before)).toEqual([expect.stringContaining(`${rejected} KO`)]);

  before = await everyAnnotation();
  const suggestions = async () => (await api<{ total: { value: number } }>(page, 'GET', `/projects/${project}/suggestions`)).total.value;
  const left = await suggestions();
  await card.getByRole('button', { name: /^Skip segment/ }).click();
  await expect.poll(suggestions).toBe(left - 1);
  expect(await appeared(before)).toEqual([]);
});

test('trains again with the confirmed answers (T-026)', async () => {
  await go('Experiments');
  const first = (await experiments())[0]?.timestamp ?? 0;
  await page.getByRole('row').filter({ hasText: 'First CRF' }).click();
  await page.getByRole('button', { name: 'Launch again' }).click();
  await page
    .getByRole('dialog', { name: /^Launch/ })
    .getByRole('button', { name: 'Launch' })
    .click();
  await expect.poll(async () => (await experiments())[0]?.timestamp ?? 0, { timeout: 90_000 }).toBeGreaterThan(first);
  await expect.poll(async () => (await experiments()).map(({ uptodate, running }) => [uptodate, running])).toEqual([[true, false]]);
  await expect(page.getByText('Up to date').first()).toBeVisible();
});

const JOB = (words: RegExp | string) => page.getByRole('row').filter({ hasText: words });

test('follows its jobs: what ran, a cancelled one, the cause of a failed one (S-059, R-008, T-023)', async () => {
  await go('Jobs');
  for (const words of ['Import of corpus.json', 'Training First CRF']) await expect(JOB(words).first()).toContainText('Completed');
  await expect(JOB('Corpus annotation').first()).toContainText('Completed');
  await expect(JOB('Training and suggestion').first()).toContainText('Completed');

  await api(page, 'POST', `/projects/${project}/experiments`, {
    engine: 'crf',
    label: 'Endless',
    parameters: { iterations: 500, c1: 0, c2: 0 },
  });
  await api(page, 'POST', `/projects/${project}/experiments/endless/_launch`, {});
  await JOB('Training Endless').getByRole('button', { name: 'Cancel' }).click();
  await expect(JOB('Training Endless')).toContainText('Cancelled', { timeout: 30_000 });
  await shot(page, '26-jobs');
  await expectAccessible(page);
});

const FIELDS = ['identifier', 'title', 'text', 'metadata', 'annotations', 'categories', 'sentences'];

/** What must survive export and import. */
function essence(documents: Record<string, unknown>[]): unknown[] {
  const mark = (item: Record<string, unknown>) =>
    Object.fromEntries(
      ['start', 'end', 'text', 'labelName', 'status', 'creationMode', 'createdBy', 'score'].map((key) => [key, item[key]]),
    );
  const sorted = (items: unknown) =>
    ((items ?? []) as Record<string, unknown>[]).map(mark).sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  return documents
    .map((one) => ({
      ...Object.fromEntries(FIELDS.map((key) => [key, one[key]])),
      annotations: sorted(one['annotations']),
      categories: sorted(one['categories']),
      sentences: ((one['sentences'] ?? []) as { start: number; end: number }[]).map(({ start, end }) => [start, end]),
    }))
    .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

test('copies the documents to another project without loss (W-024)', async () => {
  await page.getByRole('button', { name: 'Project actions' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download').catch(() => null),
    page.getByRole('menuitem', { name: /^Export the documents/ }).click(),
  ]);
  const file = await download?.path();
  expect(file).toBeTruthy();

  const second = await makeProject(page, 'Second home');
  await page.goto(`/openProject/${second}`);
  await page.getByRole('button', { name: 'Project actions' }).click();
  await page.getByRole('menuitem', { name: 'Import documents' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import documents' });
  await dialog
    .getByLabel(/choose them/)
    .setInputFiles({ name: 'documents.json', mimeType: 'application/json', buffer: readFileSync(file ?? '') });
  await dialog.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(page.getByText('Documents imported')).toBeVisible({ timeout: 60_000 });
  const documents = (name: string) => api<Record<string, unknown>[]>(page, 'GET', `/projects/${name}/documents`);
  const [here, there] = [essence(await documents(project)), essence(await documents(second))];
  expect(there).toHaveLength(corpus.documents.length + 1);
  expect(there).toEqual(here);
});

test('a failed job is reported with a link to its cause (T-023, S-059, E-025)', async () => {
  const empty = await makeProject(page, 'Nothing labelled');
  await importDocuments(page, empty, [{ identifier: 'alone', text: 'One sentence without any label.' }]);
  await api(page, 'POST', `/projects/${empty}/experiments`, { engine: 'crf', label: 'Hopeless', parameters: {} });
  await page.goto(`/openProject/${empty}/experiments`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await api(page, 'POST', `/projects/${empty}/experiments/hopeless/_launch`, {});
  await expect(page.getByText("Oops... the job 'Training Hopeless' has failed.")).toBeVisible();
  await page.getByRole('link', { name: 'See the jobs' }).click();
  const row = JOB('Training Hopeless');
  await expect(row).toContainText('Failed');
  await row.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByText(/There are 0 annotated segments outside the test part/)).toBeVisible();
  await expect(page.getByText(/Annotate more segments/)).toBeVisible();
  await shot(page, '27-failed-job');
  await expectAccessible(page);
});
