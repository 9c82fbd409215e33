/** Suggestions corrected by one key each: a missed span added, a boundary moved, a segment said to be read; and undone. */
import { expect, test, type Page } from '@playwright/test';
import { films } from './corpora';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

interface Listed {
  readonly suggestions: readonly {
    readonly _id: string;
    readonly documentIdentifier: string;
    readonly annotations: readonly { readonly start: number; readonly end: number; readonly text: string }[];
  }[];
  readonly total: { readonly value: number };
}
interface Annotation {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly status?: string | null;
}

let page: Page;
let project = '';

const card = () => page.getByRole('article');
const listed = () => api<Listed>(page, 'GET', `/projects/${project}/suggestions?size=500`);
const annotations = async (document: string) =>
  (await api<{ annotations?: readonly Annotation[] }>(page, 'GET', `/projects/${project}/documents/${document}`)).annotations ?? [];
const current = async () => {
  const id = new URL(page.url()).searchParams.get('sugId');
  const { suggestions } = await listed();
  const found = suggestions.find(({ _id }) => _id === id) ?? suggestions[0];
  if (found === undefined) throw new Error('No suggestion');
  return found;
};

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Biographies to review');
  await importDocuments(page, project, films());
  await page.goto(`/openProject/${project}/suggestions`);
  await page.getByRole('button', { name: 'Start a suggester' }).click();
  await expect(card()).toBeVisible({ timeout: 120_000 });
});
test.afterAll(() => page.context().close());

test('a segment that was read: all that is proposed is rejected, and one undo proposes it again', async () => {
  const before = await listed();
  const one = await current();
  await page.keyboard.press('d');
  await expect.poll(async () => (await listed()).total.value).toBe(before.total.value - 1);
  const made = await annotations(one.documentIdentifier);
  const rejected = made.filter(({ status }) => status === 'KO').map(({ start, end }) => [start, end]);
  for (const { start, end } of one.annotations) expect(rejected).toContainEqual([start, end]);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await listed()).total.value).toBe(before.total.value);
  expect((await annotations(one.documentIdentifier)).filter(({ status }) => status === 'KO')).toEqual([]);
});

test('the boundary of a proposed span is moved and accepted; one undo takes both answers back', async () => {
  const one = await current();
  const text = card().getByRole('listitem').and(page.locator('[aria-current]')).locator('strong');
  const proposed = (await text.textContent()) ?? '';
  await page.keyboard.press('Shift+ArrowRight');
  let moved = (await text.textContent()) ?? '';
  if (moved === proposed) {
    // At the end of its segment it can only be moved at its start.
    await page.keyboard.press('Alt+ArrowLeft');
    moved = (await text.textContent()) ?? '';
  }
  expect(moved.length).toBeGreaterThan(proposed.length);
  await expect(card().getByText(`instead of ${proposed}`)).toBeVisible();
  await expectAccessible(page);
  await shot(page, '95-suggestions-moved');
  await page.keyboard.press('y');
  const textOfMarks = async (status: string) =>
    (await annotations(one.documentIdentifier)).filter((item) => item.status === status).map((item) => item.text);
  await expect.poll(() => textOfMarks('OK')).toContain(moved);
  expect(await textOfMarks('KO')).toContain(proposed);
  await page.keyboard.press('Control+z');
  await expect.poll(() => textOfMarks('OK')).not.toContain(moved);
  await expect.poll(() => textOfMarks('KO')).toEqual([]);
});

test('a span that was missed is added from the keyboard; the suggestion stays', async () => {
  const before = await listed();
  const one = await current();
  const known = (await annotations(one.documentIdentifier)).length;
  await page.keyboard.press('a');
  await expect(page.getByRole('group', { name: 'Text of the suggestion' })).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowLeft');
  await shot(page, '96-suggestions-selected');
  await page.keyboard.press('1');
  await expect.poll(async () => (await annotations(one.documentIdentifier)).length).toBe(known + 1);
  expect((await listed()).total.value).toBe(before.total.value);
  await expectAccessible(page);
  await shot(page, '97-suggestions-added');
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await annotations(one.documentIdentifier)).length).toBe(known);
});
