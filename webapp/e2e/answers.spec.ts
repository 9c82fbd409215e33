/** Questions: asking, following a citation into its document, a question that the documents do not answer. */
import { expect, test, type Page } from '@playwright/test';
import { expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const QUESTION = 'What were the lock gates made of?';
const documents = [
  {
    identifier: 'canal',
    title: 'The canal',
    text: 'The canal \u{1F6A2} is 66 km long. Its lock gates were made of oak by local carpenters. Barges carried coal until 1950.',
  },
  { identifier: 'river', title: 'The river', text: 'The river rises in the hills. Salmon return to the river every autumn.' },
  { identifier: 'question', title: '', text: QUESTION, metadata: { question: true } },
];
let page: Page;
let project = '';

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Waterways', 'question_answering');
});
test.afterAll(() => page.context().close());

const ask = async (question: string) => {
  const again = page.getByRole('button', { name: 'New question' });
  if (await again.isVisible()) await again.click();
  await page.getByLabel('Question', { exact: true }).fill(question);
  await page.getByLabel('Question', { exact: true }).press('Enter');
};
const answer = () => page.getByRole('region', { name: 'Answer' });

test('an empty project offers to import documents', async () => {
  await page.goto(`/openProject/${project}/answers`);
  await expect(page.getByText('This project has no documents yet')).toBeVisible();
  await shot(page, 'answers-empty');
  await expectAccessible(page);
  await importDocuments(page, project, documents);
});

test('an answer cites the sentence it stands on, and leads to it (R-025)', async () => {
  await page.reload();
  await ask(QUESTION);
  await expect(answer()).toContainText('Its lock gates were made of oak by local carpenters.');
  await shot(page, 'answers');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await shot(page, 'answers-390');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  const citation = answer().getByRole('link', { name: 'Passage 1: The canal' });
  await citation.hover();
  await expect(page.getByRole('tooltip')).toContainText('made of oak');
  await citation.click();
  await expect(page).toHaveURL(/\/document\//u);
  await expect(page.getByRole('heading', { name: 'The canal' }).first()).toBeVisible();
  await shot(page, 'answers-document');
  await page.goBack();
  await expect(answer()).toContainText('oak');
});

test('a follow-up question keeps the thread, also over a reload (S-027)', async () => {
  await page.getByLabel('Follow-up question').fill('And how long is it?');
  await page.getByLabel('Follow-up question').press('Enter');
  await expect(answer()).toHaveCount(2);
  await expect(answer().last()).toContainText('66 km');
  await page.getByRole('button', { name: 'Right' }).click();
  await expect(page.getByText('Thank you: marked as right.')).toBeVisible();
  await shot(page, 'answers-thread');
  await expectAccessible(page);
  await page.reload();
  await expect(answer()).toHaveCount(2);
  await page.goBack();
  await expect(answer()).toHaveCount(1);
});

test('says when the documents do not answer', async () => {
  await ask('Who won the football championship of 1998?');
  await expect(answer()).toContainText('The documents do not answer this question.');
  await shot(page, 'answers-none');
});
