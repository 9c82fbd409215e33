/** S-045: which way of searching finds the judged passages best, measured, read question by question, and made the default. */
import { expect, test, type Page } from '@playwright/test';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

let page: Page;
let project = '';

const PLACES = ['Arlon', 'Bruges', 'Cassel', 'Dinant', 'Eupen', 'Furnes', 'Gand', 'Huy'];
const FILLER = Array.from({ length: 26 }, (_, n) => `filler${n}`).join(' ');
/** The short one answers; the long one has the words more often, but far apart. */
const documents = PLACES.flatMap((place) => {
  const gates = Array.from({ length: 6 }, () => 'gate').join(' ');
  return [
    { identifier: `${place}-answer`, title: 'Notes', text: `The gate of ${place} was painted green.` },
    {
      identifier: `${place}-other`,
      title: 'List',
      text: `${gates} ${FILLER} ${Array.from({ length: 6 }, () => place).join(' ')} ${FILLER}`,
    },
  ];
});

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'City gates', 'question_answering');
  await importDocuments(page, project, documents);
  for (const place of PLACES) {
    await api(page, 'POST', `/projects/${project}/questions`, { identifier: `q-${place}`, text: `Gate of ${place}?`, answers: ['green'] });
    const documentIdentifier = `${place}-answer`;
    const end = documents.find(({ identifier }) => identifier === documentIdentifier)?.text.length ?? 0;
    await api(page, 'PUT', `/projects/${project}/questions/q-${place}/judgements`, { documentIdentifier, start: 0, end, grade: 1 });
  }
});
test.afterAll(() => page.context().close());

test('an experiment is created, launched and read (S-045, C-076)', async () => {
  await page.goto(`/openProject/${project}/experiments`);
  await expect(page.getByRole('tab', { name: /^Search quality/ })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('No search quality measured yet')).toBeVisible();
  await shot(page, 'quality-empty');
  await expectAccessible(page);
  await page.getByRole('button', { name: /New experiment/ }).click();
  const dialog = page.getByRole('dialog', { name: 'New search quality experiment' });
  await dialog.getByRole('checkbox', { name: 'Words and ranks' }).check();
  await expect(dialog.getByText('2 configurations on 8 judged questions: 16 searches.')).toBeVisible();
  await shot(page, 'quality-dialog');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create and launch' }).click();
  await expect(page.getByRole('button', { name: 'Open report' })).toBeVisible({ timeout: 60_000 });
  await shot(page, 'quality-list');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Open report' }).click();
  await expect(page.getByRole('region', { name: 'Best configuration' }).getByRole('heading')).toHaveText(
    'Text · reranker: Words and ranks',
  );
  await expect(page.getByText('Gate of Arlon?')).toBeVisible();
  await shot(page, 'quality-report');
  await expectAccessible(page);
});

test('the winner becomes the default, which the settings show and reset', async () => {
  await page.getByRole('button', { name: 'Make it the default' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change how this project searches?' });
  await shot(page, 'quality-make-default');
  await dialog.getByRole('button', { name: 'Make it the default' }).click();
  await expect(page.getByText(/It is the default of this project/)).toBeVisible();
  await page.getByRole('link', { name: 'Compare the searches: Gate of Arlon?' }).click();
  await expect(page.getByText('Reranker: Words and ranks', { exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Results of search A' }).getByRole('listitem').first()).toContainText('painted green');
  await shot(page, 'quality-compare');
  await expectAccessible(page);
  await page.goto(`/openProject/${project}/settings/search`);
  const card = page.getByRole('region', { name: 'Default search' });
  await expect(card.getByRole('combobox', { name: 'Reranker' })).toHaveText('Words and ranks');
  await card.scrollIntoViewIfNeeded();
  await shot(page, 'quality-settings');
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Reset' }).click();
  await expect(card.getByRole('combobox', { name: 'Reranker' })).toHaveText('None');
});
