/** Imports that explain themselves: chosen, checked, imported, reported; thirty office files, two of them broken. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { api, choose, expectAccessible, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const MAKER = fileURLToPath(new URL('../../core/bench/support/office_files.py', import.meta.url));
const FILES = 30;
let page: Page;
let project = '';
let folder = '';
/** The expected report text of each broken file. */
let broken: Record<string, string> = {};

const paths = () => readdirSync(folder).map((name) => join(folder, name));
const report = () => page.getByRole('region', { name: 'Import report' }).last();

test.beforeAll(async ({ browser }) => {
  folder = mkdtempSync(join(tmpdir(), 'office-'));
  broken = JSON.parse(execFileSync(process.env['PYTHON'] ?? 'python3', [MAKER, folder, String(FILES), '2'], { encoding: 'utf8' }));
  expect(Object.keys(broken)).toHaveLength(2);
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Office files', 'sequence_labelling', 'fr');
});
test.afterAll(() => page.context().close());

async function open(): Promise<void> {
  await page.goto(`/openProject/${project}/addDocuments`);
  await expect(page.getByRole('heading', { name: 'Import documents' })).toBeVisible();
  // File types are known once the server has listed its converters.
  await expect(page.getByText(/ · .*docx/)).toBeVisible();
}

test('shows what an import would do, and writes nothing (D-004, C-050)', async () => {
  await open();
  await shot(page, '70-import-empty');
  await page.getByLabel(/choose them/).setInputFiles(paths());
  await expect(page.getByText(`${String(FILES)} of ${String(FILES)} files ready`)).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  await shot(page, '71-import-files');
  await page.getByRole('button', { name: 'Check first' }).press('Enter');
  await expect(page.getByText('Check finished')).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText('Nothing has been imported yet.')).toBeVisible();
  await expect(page.getByText('No labels would be created.')).toBeVisible();
  await page.getByRole('radio', { name: 'cannot be imported 2' }).click();
  for (const name of Object.keys(broken)) await expect(report().getByText(name, { exact: false }).first()).toBeVisible();
  await expectAccessible(page);
  await shot(page, '72-import-check');
  expect(await api<unknown[]>(page, 'GET', `/projects/${project}/documents`)).toEqual([]);
});

test('imports the valid files and shows the reason and a fix for each broken one (V-012)', async () => {
  await page.getByRole('button', { name: `Import ${String(FILES)} files` }).click();
  await expect(page.getByText('Import finished')).toBeVisible({ timeout: 90_000 });
  await page.getByRole('radio', { name: 'refused 2' }).click();
  const rows = report().getByRole('row').filter({ hasText: 'What to do:' });
  await expect(rows).toHaveCount(2);
  for (const [name, words] of Object.entries(broken)) await expect(rows.filter({ hasText: name })).toContainText(new RegExp(words, 'i'));
  await expectAccessible(page);
  await shot(page, '73-import-report');
  expect(await api<unknown[]>(page, 'GET', `/projects/${project}/documents`)).toHaveLength(FILES - 2);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save report' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(3);
});

test('finds the report again among the jobs, searches it, opens a document from it (R-008)', async () => {
  await page.goto(`/openProject/${project}/jobs`);
  const row = page
    .getByRole('row')
    .filter({ hasText: /^.*Import of/ })
    .first();
  await row.getByRole('button', { name: 'Details' }).click();
  await page.getByLabel('Search the report').fill('.docx');
  await expect(report().getByRole('link').first()).toBeVisible();
  await expect(report().getByText('.odt')).toHaveCount(0);
  await expectAccessible(page);
  await shot(page, '74-import-jobs');
  await report().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/document\//);
  await expect(page.getByText('Première partie').first()).toBeVisible();
});

test('changes nothing the second time', async () => {
  await open();
  await page.getByLabel(/choose them/).setInputFiles(paths());
  await page.getByRole('button', { name: `Import ${String(FILES)} files` }).click({ timeout: 60_000 });
  await expect(page.getByText('Import finished')).toBeVisible({ timeout: 90_000 });
  await expect(page.getByRole('radio', { name: `unchanged ${String(FILES - 2)}` })).toBeVisible();
});

test('renders the form of the converter that will read the files, and counts the changes (D-005)', async () => {
  await open();
  const rows = 'code,body\n1,The first body of text.\n2,The second body of text.\n';
  await page.getByLabel(/choose them/).setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });
  await page.getByRole('button', { name: /Advanced settings/ }).click();
  const group = page.getByRole('group', { name: 'Reading files' });
  await expect(group.locator('form')).toBeVisible();
  await shot(page, '75-import-converter');
  await page.getByRole('switch', { name: /Skip texts/ }).click();
  await expect(page.getByText('1 changed')).toBeVisible();
  await choose(page, group.getByLabel('Files are read by'), 'Plain text');
  await expect(page.getByText('2 changed')).toBeVisible();
});

test('resumes a large file after a reload interrupted it (C-047)', async () => {
  const size = 20 * 1024 * 1024;
  const big = join(mkdtempSync(join(tmpdir(), 'big-')), 'big.txt');
  writeFileSync(big, 'All work and no play.\n'.repeat(size / 22));
  let pieces = 0;
  await page.route('**/api/uploads/_pieces/**', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    pieces += 1;
    return pieces === 2 ? route.abort() : route.continue();
  });
  await open();
  await page.getByLabel(/choose them/).setInputFiles(big);
  await expect.poll(() => pieces, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
  await page.unroute('**/api/uploads/_pieces/**');
  await open(); // the page is reloaded; the server still has the first chunk
  const offsets: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(new URL(request.url()).searchParams.get('offset') ?? '');
  });
  await page.getByLabel(/choose them/).setInputFiles(big);
  await expect(page.getByText('1 of 1 file ready')).toBeVisible({ timeout: 60_000 });
  expect(Number(offsets[0])).toBeGreaterThan(0);
});

test('accepts a folder with subfolders, whose names become categories (D-005)', async () => {
  const top = join(mkdtempSync(join(tmpdir(), 'folder-')), 'presse');
  for (const [name, text] of [
    ['sport', 'Un match.'],
    ['droit', 'Une loi.'],
  ] as const) {
    mkdirSync(join(top, name), { recursive: true });
    writeFileSync(join(top, name, 'a.txt'), text);
  }
  await open();
  await page.locator('input[webkitdirectory]').setInputFiles(top);
  await expect(page.getByText('presse/sport/a.txt')).toBeVisible();
  await page.getByRole('button', { name: /Advanced settings/ }).click();
  await page.getByRole('switch', { name: /Make categories/ }).click();
  await page.getByRole('button', { name: 'Check first' }).click();
  await expect(page.getByText(/2 labels would be created: /)).toBeVisible({ timeout: 60_000 });
  await shot(page, '76-import-folders');
});
