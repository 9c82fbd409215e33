/** Saved questions: import, asking one, judging its passages by keyboard, measuring two searches; French. */
import { expect, test, type Page } from '@playwright/test';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const TOPICS = ['lock gates are made of oak', 'seals are replaced every four years', 'divers sign a permit at night'];
const documents = Array.from({ length: 9 }, (_, n) => ({
  identifier: `d${n}`,
  title: `Manual ${n + 1}`,
  text: `In manual ${n + 1} the ${TOPICS[n % TOPICS.length]}.`,
  metadata: { kind: n % 2 === 0 ? 'manual' : 'supplement' },
}));
const OAK = 'What are the lock gates made of?';
const questions = [
  { text: OAK, answers: ['oak'] },
  ...Array.from({ length: 5 }, (_, n) => ({
    text: `When are the seals of gate ${n} replaced?`,
    judgements: [{ documentIdentifier: 'd1', start: 0, end: 40, grade: 2 }],
  })),
];
let page: Page;
let project = '';

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Harbour', 'question_answering');
  await importDocuments(page, project, documents);
});
test.afterAll(() => page.context().close());

const saved = () => page.getByRole('list', { name: 'Saved questions' });
const passages = () => page.getByRole('group', { name: /^Relevance of the passage/ });

test('questions are imported, and one is asked (W-010, W-011, C-012, D-017, S-028)', async () => {
  await page.goto(`/openProject/${project}/answers`);
  const drawer = page.getByRole('complementary', { name: 'Filters and questions' });
  expect((await drawer.boundingBox())?.width).toBe(358);
  await expect(drawer.getByRole('button', { name: 'Kind', exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Questions' }).click();
  await page.getByRole('button', { name: 'Import questions' }).first().click();
  const file = { name: 'questions.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(questions)) };
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await expect(saved().getByRole('listitem')).toHaveCount(6);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await saved().getByRole('button', { name: OAK, exact: false }).first().click();
  await expect(passages().first()).toBeVisible();
});

test('passages are judged by keyboard, for everybody (S-028)', async () => {
  await expect(page.getByText('No passage judged yet')).toBeVisible(); // the saved question has been found
  await page.getByRole('tab', { name: /^Questions/ }).focus();
  for (const key of ['j', '2', 'j', '0']) await page.keyboard.press(key);
  await expect(page.getByText('2 passages judged, 1 relevant')).toBeVisible();
  await expect(saved().getByText('1 relevant of 2 judged')).toBeVisible();
  await shot(page, 'questions-judged');
  await expectAccessible(page);
  const { questions: known } = await api<{ questions: { identifier: string; text: string }[] }>(
    page,
    'GET',
    `/projects/${project}/questions`,
  );
  const oak = known.find(({ text }) => text === OAK)?.identifier ?? '';
  const judged = await api<{ grade: number }[]>(page, 'GET', `/projects/${project}/questions/${oak}/judgements`);
  expect(judged.map(({ grade }) => grade)).toEqual([2, 0]);
});

test('two searches are measured on the judged questions; French', async () => {
  await page.goto('/compare-search');
  await page.getByRole('radio', { name: 'Saved questions' }).click();
  const b = page.getByRole('region', { name: 'Search B' });
  await b.getByRole('button', { name: 'Add a filter to search B' }).click();
  await b.getByRole('textbox', { name: 'Text' }).fill('oak');
  await b.getByRole('textbox', { name: 'Text' }).press('Enter');
  await page.getByRole('button', { name: 'Measure both searches' }).click();
  await expect(page.getByText('6 judged questions')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Figures of both searches' }).getByRole('row')).toHaveCount(6);
  await shot(page, 'questions-figures');
  await expectAccessible(page);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /language/i })
    .click();
  await page.getByRole('menuitem', { name: /français/i }).click();
  await expect(page.getByRole('heading', { name: 'Mesurées sur les questions enregistrées' })).toBeVisible();
  await shot(page, 'questions-figures-fr');
  await page.goto('/answers');
  await expect(page.getByRole('tab', { name: /^Questions/ })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('searchbox', { name: 'Filtrer les questions' })).toBeVisible();
  await expectAccessible(page);
});
