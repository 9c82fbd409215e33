/** The import dialog asks for the meaning of empty lists of labels, and has help (D-004); light and dark, wide and narrow. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { api, expectAccessible, makeProject, shot, signIn } from './studio';

const DOCUMENTS = [
  { identifier: 'a', title: 'A', text: 'Rome is a city.', annotations: [], categories: [] },
  { identifier: 'b', title: 'B', text: 'It rains.', annotations: [], categories: [] },
];

test('the dialog asks for the meaning of empty lists, explains itself, and the answer is stored with the documents (D-004)', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signIn(page);
  const project = await makeProject(page, 'Empty lists', 'sequence_labelling', 'en');
  const file = join(mkdtempSync(join(tmpdir(), 'empty-')), 'documents.json');
  writeFileSync(file, JSON.stringify(DOCUMENTS));
  await page.goto(`/openProject/${project}/addDocuments`);
  await page.getByRole('button', { name: 'Help' }).last().click();
  await expect(page.getByRole('region', { name: 'Help with importing' })).toBeVisible();
  await shot(page, '75-import-help');
  await page.getByRole('button', { name: 'Help' }).last().click();
  await page.getByLabel(/choose them/).setInputFiles(file);
  const question = page.getByRole('group', { name: /empty list of annotations/ });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await question.scrollIntoViewIfNeeded();
  await shot(page, '75-empty-lists');
  await page.emulateMedia({ colorScheme: 'dark' });
  await shot(page, '75-empty-lists-dark');
  await page.setViewportSize({ width: 390, height: 844 });
  await question.scrollIntoViewIfNeeded();
  await shot(page, '75-empty-lists-narrow-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await question.getByRole('radio', { name: /They have been reviewed/ }).check();
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(page).toHaveURL(/documents/, { timeout: 60_000 });
  const found = await api<{ identifier: string; reviewed: boolean }[]>(page, 'GET', `/projects/${project}/documents`);
  expect(found.map(({ reviewed }) => reviewed)).toEqual([true, true]);
  await page.context().close();
});
