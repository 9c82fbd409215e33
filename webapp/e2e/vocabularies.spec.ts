/** From a thesaurus file to linked annotations: import, annotator, synchronisation, the card of a term, links by hand. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { thesaurus } from './corpora';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const THESAURUS = thesaurus();

const DOCUMENTS = [
  { identifier: 'd1', title: 'Rapport', text: '\u{1F4DA} La bibliothèque soutient l’enseignement et l’éducation.' },
  { identifier: 'd2', title: 'Note', text: 'Une autre bibliothèque ouvre ses portes.' },
];

let page: Page;
let project = '';

const dialog = () => page.getByRole('dialog');
/** Opens the project, then one of its addresses. */
async function goTo(path: string): Promise<void> {
  await page.goto(`/openProject/${project}/gazetteers`);
  await expect(page.getByRole('tab', { selected: true })).toBeVisible();
  await page.goto(`/${path}`);
}

/** Drops a file as if it came from a folder. */
async function drop(path: string, target: Locator): Promise<void> {
  const dropped = await page.evaluateHandle(
    ([name, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0))], name));
      return transfer;
    },
    [basename(path), readFileSync(path, 'base64')] as const,
  );
  await target.dispatchEvent('drop', { dataTransfer: dropped });
}

/** Preferred forms of the terms of the annotation of these words in the first document. */
async function linkedTerms(words: string): Promise<readonly string[]> {
  type Read = { readonly annotations?: { readonly text: string; readonly terms?: { readonly preferredForm: string }[] }[] };
  const { annotations = [] } = await api<Read>(page, 'GET', `/projects/${project}/documents/d1`);
  return annotations.find(({ text }) => text === words)?.terms?.map(({ preferredForm }) => preferredForm) ?? [];
}

/** Opens the picker on the focused annotation and searches a term, by keyboard. */
async function pick(words: string, first: RegExp): Promise<void> {
  await page.keyboard.press('e');
  await page.keyboard.type(words);
  await expect(page.getByRole('listbox').getByRole('option').first()).toContainText(first);
}

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Vocabulaires', 'sequence_labelling', 'fr');
});
test.afterAll(() => page.context().close());

test('an empty project explains the three steps (S-047)', async () => {
  await goTo('gazetteers');
  await expect(page.getByText('No vocabulary yet')).toBeVisible();
  await expectAccessible(page);
  await shot(page, 'vocabularies-empty');
});

test('a thesaurus file is dropped and imported (D-021)', async () => {
  test.setTimeout(240_000);
  await page.getByRole('button', { name: 'Import terms' }).first().click();
  await drop(THESAURUS.file, dialog().locator('input[type=file]'));
  await expect(dialog().getByLabel('Name of the lexicon')).toHaveValue('unescothes');
  await expect(dialog().getByRole('combobox', { name: /Format/ })).toContainText(/SKOS|RDF/i);
  await expect(dialog().getByText('First terms')).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  await shot(page, 'vocabularies-import');
  await dialog().getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog().getByRole('button', { name: 'Continue with annotators' })).toBeVisible({ timeout: 200_000 });
  const imported = dialog().locator('[data-outcome=imported] b');
  await expect.poll(async () => Number((await imported.innerText()).replace(/\D/gu, ''))).toBeGreaterThanOrEqual(THESAURUS.concepts);
  await shot(page, 'vocabularies-report');
  const [lexicon] = await api<{ name: string; terms: number }[]>(page, 'GET', `/projects/${project}/lexicons?computeMetrics=true`);
  expect(lexicon?.terms ?? 0).toBeGreaterThanOrEqual(THESAURUS.concepts);
  await dialog().getByRole('button', { name: 'Continue with annotators' }).click();
});

test('an annotator is created over it and synchronised with the corpus annotation (S-049)', async () => {
  test.setTimeout(180_000);
  await importDocuments(page, project, DOCUMENTS);
  await page.getByRole('button', { name: 'New annotator' }).click();
  await dialog().getByLabel('Name', { exact: true }).fill('Thèmes');
  const lexicons = dialog().getByRole('combobox', { name: /Lexicons/ });
  await lexicons.click();
  await page.getByRole('option').first().click();
  await expectAccessible(page);
  await shot(page, 'vocabularies-form');
  await dialog().getByRole('button', { name: 'Create annotator' }).click();
  await page.getByRole('button', { name: 'Synchronise', exact: true }).click();
  await dialog().getByRole('button', { name: 'Synchronise', exact: true }).click();
  await expect(page.getByText('Up to date').first()).toBeVisible({ timeout: 120_000 });
  await expect
    .poll(
      async () => {
        const { annotations = [] } = await api<{ annotations?: { terms?: unknown[] }[] }>(page, 'GET', `/projects/${project}/documents/d2`);
        return annotations.filter(({ terms = [] }) => terms.length > 0).length;
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
  await shot(page, 'vocabularies-annotators');
});

test('its terms are searched, and its hierarchy is opened by keyboard (S-048)', async () => {
  await page.getByRole('tab', { name: 'Terms' }).click();
  await page.getByLabel('Search the terms').fill('bibliothèque');
  await page.keyboard.press('Enter');
  await expect(page.locator('tbody tr mark').first()).toBeVisible();
  expect(await page.locator('tbody tr').count()).toBeLessThanOrEqual(8);
  await expectAccessible(page);
  await shot(page, 'vocabularies-terms');
  await page.getByRole('radio', { name: 'Hierarchy' }).click();
  const tree = page.getByRole('tree');
  await expect(tree.getByRole('treeitem').first()).toBeVisible();
  await tree.focus();
  const closed = tree.getByRole('treeitem', { expanded: false }).first();
  await closed.click();
  await tree.focus();
  await page.keyboard.press('ArrowRight');
  await expect(tree.locator('[aria-level="2"]').first()).toBeVisible();
  await expectAccessible(page);
  await shot(page, 'vocabularies-tree');
});

test('a term leads from the text to its card and its other occurrences, is unlinked and linked by keyboard (W-021)', async () => {
  await goTo('documents');
  await page.getByRole('row', { name: /Rapport/ }).click();
  await page.getByText('bibliothèque', { exact: true }).first().click();
  const card = page.getByRole('article', { name: /Term / }).first();
  await expect(card).toBeVisible();
  await expectAccessible(page);
  await shot(page, 'vocabularies-card');
  await expect(card.getByRole('link', { name: /segments? with this term/ })).toBeVisible();
  expect(await linkedTerms('bibliothèque')).toEqual(['Bibliothèque']);
  await page.getByText('bibliothèque', { exact: true }).first().click();
  await page.keyboard.press('u');
  await expect.poll(() => linkedTerms('bibliothèque')).toEqual([]);
  await pick('éducation', /^Éducation\s*unescothes/);
  await page.keyboard.press('Enter');
  await expect.poll(() => linkedTerms('bibliothèque')).toEqual(['Éducation']);
  await page.keyboard.press('u');
  await expect.poll(() => linkedTerms('bibliothèque')).toEqual([]);
  await pick('bibliothèque', /^Bibliothèque\s*unescothes/);
  await expectAccessible(page);
  await shot(page, 'vocabularies-picker');
  await page.keyboard.press('Enter');
  await expect.poll(() => linkedTerms('bibliothèque')).toEqual(['Bibliothèque']);
});

test('the other occurrences of a term are one link away', async () => {
  await page
    .getByRole('article', { name: /Term / })
    .first()
    .getByRole('link', { name: /segments? with this term/ })
    .click();
  await expect(page).toHaveURL(/\/explore\//);
  await expect(page.getByText('Une autre bibliothèque ouvre ses portes.')).toBeVisible();
});

test('it is readable in French, in the dark, and on a phone', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const tab of ['lexicons', 'annotators', 'terms', 'settings']) {
    await page.setViewportSize({ width: 390, height: 844 });
    await goTo(`gazetteers/${tab}`);
    await expect(page.getByRole('tab', { selected: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expectAccessible(page);
    await shot(page, `vocabularies-${tab}-phone-dark`);
  }
  await page.setViewportSize({ width: 1920, height: 1000 });
  await page
    .getByRole('banner')
    .getByRole('button', { name: /language/i })
    .click();
  await page.getByRole('menuitem', { name: /français/i }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await goTo('gazetteers/lexicons');
  await expect(page.getByRole('heading', { name: 'Vocabulaires', level: 1 })).toBeVisible();
  await expectAccessible(page);
  await shot(page, 'vocabularies-fr-wide');
  await goTo('documents');
  await page.getByRole('row', { name: /Rapport/ }).click();
  const words = page.getByText('bibliothèque', { exact: true }).first();
  await words.click();
  await expect(page.getByRole('article', { name: /bibliothèque/iu }).first()).toBeVisible();
  await expectAccessible(page);
  await shot(page, 'vocabularies-fr-card-dark');
  await words.click();
  await pick('enseignement', /enseignement/iu);
  await expectAccessible(page);
  await shot(page, 'vocabularies-fr-picker-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await shot(page, 'vocabularies-fr-picker-light');
});
