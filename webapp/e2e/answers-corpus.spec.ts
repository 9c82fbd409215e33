/**
 * From a SQuAD file to a better search: import, a question, its citation, judging by keyboard, text beside hybrid search, an experiment whose
 * winner becomes the default.
 */
import { expect, test, type Page } from '@playwright/test';
import { answersCorpus, type AnswersCorpus } from './corpora';
import { api, expectAccessible, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const FOUND = answersCorpus();
test.skip(FOUND === undefined, 'No XQuAD: name a folder with the public corpora in ANNOTARIUM_CORPORA');
const CORPUS: AnswersCorpus = FOUND ?? { file: '', documents: 0, questions: 0, question: '', title: '', answer: '' };
const COUNT = CORPUS.questions.toLocaleString('en');

interface Defaults {
  readonly searchType: string;
  readonly reranker: string;
}

let page: Page;
let project = '';
/** The configuration that won, as the report names it. */
let winner = '';

const answer = (name = 'Answer') => page.getByRole('region', { name, exact: true });
const passages = () => page.getByRole('group', { name: /^Relevance of the passage/ });

async function look(name: string): Promise<void> {
  await shot(page, `corpus-${name}`);
  await expectAccessible(page);
}

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Encyclopedia', 'question_answering');
});
test.afterAll(() => page.context().close());

test('a SQuAD file brings documents, questions and judgements (C-012, D-017)', async () => {
  await page.goto(`/openProject/${project}/answers`);
  await page.getByRole('tab', { name: 'Questions' }).click();
  await look('empty');
  await page.getByRole('button', { name: 'Import questions' }).first().click();
  await page.locator('input[type=file]').first().setInputFiles(CORPUS.file);
  await look('import');
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(page.getByRole('tab', { name: `Questions ${COUNT}` })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const stored = await api<{ documents: number }>(page, 'GET', `/projects/${project}/_info?computeMetrics=true`);
  expect(stored.documents).toBe(CORPUS.documents + CORPUS.questions);
});

test('a question is answered; its citation opens the sentence (R-025)', async () => {
  await page.getByLabel('Question', { exact: true }).fill(CORPUS.question);
  await page.getByLabel('Question', { exact: true }).press('Enter');
  await expect(answer()).toContainText(CORPUS.answer);
  await look('answer');
  const citation = answer()
    .getByRole('link', { name: `: ${CORPUS.title}` })
    .first();
  await citation.hover();
  const cited = page.getByRole('tooltip').locator('mark');
  await expect(cited).toContainText(CORPUS.answer);
  const sentence = (await cited.innerText()).trim();
  await citation.click();
  await expect(page.getByRole('heading', { name: CORPUS.title }).first()).toBeVisible();
  const shown = page.locator('.ann-hit');
  await expect(shown.first()).toBeInViewport();
  await expect.poll(async () => (await shown.allInnerTexts()).join('').trim()).toBe(sentence);
  await look('document');
  await page.goBack();
  await expect(answer()).toContainText(CORPUS.answer);
});

test('its passages are judged by keyboard (S-028)', async () => {
  await page.getByRole('tab', { name: /^Questions/ }).focus();
  await expect(passages().first()).toBeVisible();
  await expect(
    page
      .getByText('No passage judged yet')
      .or(page.getByText(/passages? judged,/))
      .first(),
  ).toBeVisible();
  for (const key of ['j', '3', 'j', '0']) await page.keyboard.press(key);
  await expect(page.getByText('2 passages judged, 1 relevant')).toBeVisible();
  await look('judged');
});

test('text and hybrid search are compared, with vectors from the settings (S-031, T-031)', async () => {
  await page.goto('/settings/search');
  const card = page.getByRole('region', { name: 'Search by meaning' });
  await card.getByRole('button', { name: 'Compute vectors' }).click();
  await expect(card.getByText('Ready', { exact: true })).toBeVisible({ timeout: 90_000 });
  await look('vectors');
  await page.goto('/answers');
  await page.getByRole('searchbox', { name: 'Filter questions' }).fill(CORPUS.question);
  await page.getByRole('list', { name: 'Saved questions' }).getByRole('button', { name: CORPUS.question }).first().click();
  await expect(answer()).toContainText(CORPUS.answer);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  for (const letter of ['A', 'B']) {
    const results = page.getByRole('list', { name: `Results of search ${letter}` });
    await expect(results.getByRole('listitem').filter({ hasText: CORPUS.answer }).first()).toBeVisible();
  }
  await look('compare');
  await page.getByRole('radio', { name: 'Saved questions' }).click();
  await page.getByRole('button', { name: 'Measure both searches' }).click();
  await expect(page.getByText(`${COUNT} judged questions`)).toBeVisible({ timeout: 120_000 });
  await look('figures');
});

test('an experiment finds the best search, which becomes the default (S-045, C-076)', async () => {
  await page.goto('/experiments');
  await page.getByRole('button', { name: /New experiment/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Hybrid' }).check();
  await dialog.getByRole('checkbox', { name: 'Words and ranks' }).check();
  await look('experiment-dialog');
  await dialog.getByRole('button', { name: 'Create and launch' }).click();
  await page.getByRole('button', { name: 'Open report' }).click({ timeout: 120_000 });
  const best = page.getByRole('region', { name: 'Best configuration' });
  winner = await best.getByRole('heading').innerText();
  await look('report');
  await best.getByRole('button', { name: 'Make it the default' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make it the default' }).click();
  await expect(best.getByText(/It is the default of this project/)).toBeVisible();
  await best.getByRole('link', { name: 'Open the settings' }).click();
  const card = page.getByRole('region', { name: 'Default search' });
  await expect(card.getByRole('link', { name: /^Chosen by the experiment/ })).toBeVisible();
  const { searchDefaults } = await api<{ searchDefaults: Defaults }>(page, 'GET', `/projects/${project}/_info?computeMetrics=true`);
  for (const [field, value] of [
    ['Search type', searchDefaults.searchType === 'hybrid' ? 'Hybrid' : 'Text'],
    ['Reranker', searchDefaults.reranker === '' ? 'None' : 'Words and ranks'],
  ] as const) {
    await expect(card.getByRole('combobox', { name: field })).toHaveText(value);
    if (value !== 'None') expect(winner).toContain(value);
  }
  await card.scrollIntoViewIfNeeded();
  await look('default');
});

test('a new question is searched as the winner does', async () => {
  const { searchDefaults } = await api<{ searchDefaults: Defaults }>(page, 'GET', `/projects/${project}/_info?computeMetrics=true`);
  await page.goto('/answers');
  const response = page.waitForResponse((one) => one.url().includes('/segments/_do_search?') && one.url().includes('asyncAnswer=true'));
  await page.getByLabel('Question', { exact: true }).fill(`${CORPUS.question} `);
  await page.getByLabel('Question', { exact: true }).press('Enter');
  const found = (await (await response).json()) as { readonly searchType: string };
  expect(found.searchType).toBe(searchDefaults.searchType);
  await expect(answer()).toContainText(CORPUS.answer);
});

test('its screens are accessible in French', async () => {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /language/i })
    .click();
  await page.getByRole('menuitem', { name: /français/i }).click();
  await page.goto('/answers');
  await page.getByRole('tab', { name: /^Questions/ }).click();
  await page.getByRole('searchbox', { name: 'Filtrer les questions' }).fill(CORPUS.question);
  await page.getByRole('list', { name: 'Questions enregistrées' }).getByRole('button', { name: CORPUS.question }).first().click();
  await expect(answer('Réponse')).toContainText(CORPUS.answer);
  await look('fr-answer');
  await page.goto('/experiments');
  await expect(page.getByRole('tab', { name: 'Qualité de la recherche' })).toBeVisible();
  await look('fr-experiments');
  await page.goto('/settings/search');
  await expect(page.getByRole('region', { name: 'Recherche par défaut' }).getByRole('combobox').first()).toBeVisible();
  await look('fr-settings');
});
