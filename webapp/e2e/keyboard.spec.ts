/**
 * Annotating a document without a mouse: words, nested and crossing spans, edges, label changes, accepting and rejecting, undo, categories,
 * the palette.
 */
import { expect, test, type Page } from '@playwright/test';
import { films } from './corpora';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const [first, second] = films();
const TEXT = first?.text ?? '';
const ARABIC = 'وصلت مريم إلى القاهرة في الصباح. ثم سافرت إلى دمشق.';
const LABELS = ['Person', 'Place', 'Work', 'Award'];

let page: Page;
let project = '';

interface Annotation {
  readonly identifier: string;
  readonly labelName: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly status?: string;
  readonly version?: number;
}
interface Document {
  readonly annotations?: readonly Annotation[];
  readonly categories?: readonly { labelName: string; start?: number | null }[];
  readonly sentences?: readonly { start: number; end: number; categories?: readonly { labelName: string }[] }[];
}

const document = (identifier = 'story') => api<Document>(page, 'GET', `/projects/${project}/documents/${identifier}`);
const saved = async (): Promise<readonly Annotation[]> => (await document()).annotations ?? [];
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
/** The last announcement to screen readers. */
const announcement = () => page.locator('.ann-surface [role=status]').innerText();
const text = () => page.getByRole('group', { name: /^Text of/ });
const settled = () => expect(page.getByText('All changes saved')).toBeVisible();

/** Runs a command or opens a page from the palette, by some of its letters. */
async function go(letters: string): Promise<void> {
  await press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
  await page.keyboard.type(letters);
  await press('Enter');
  await expect(page.getByRole('combobox', { name: 'Find anything' })).toHaveCount(0);
}

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage();
  await signIn(page);
  project = await makeProject(page, 'By keyboard');
  for (const label of LABELS) await api(page, 'POST', `/projects/${project}/labels`, { label });
  await api(page, 'POST', `/projects/${project}/label_sets`, { name: 'mood', label: 'Mood', nature: 'classification' });
  for (const label of ['Calm', 'Lively']) await api(page, 'POST', `/projects/${project}/labels`, { label, labelSetName: 'mood' });
  await importDocuments(page, project, [
    { identifier: 'story', title: 'Story', text: TEXT },
    { identifier: 'other', title: 'Other', text: second?.text },
    { identifier: 'arabic', title: 'Arabic', text: ARABIC },
  ]);
  await page.goto(`/openProject/${project}/documents`);
  await expect(page.getByRole('row').filter({ hasText: 'Story' })).toBeVisible();
});
test.afterAll(() => page.context().close());

test('opens a document and finds every key without a mouse', async () => {
  await press('/');
  await expect(page.getByRole('search').getByRole('textbox')).toBeFocused();
  await page.keyboard.type('"fishing village"');
  await press('Enter');
  await expect(page.getByText('1 document', { exact: true }).first()).toBeVisible();
  await page.getByRole('row').filter({ hasText: 'Story' }).focus();
  await press('Enter');
  await expect(text()).toBeVisible();
  await press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByText('Next annotation', { exact: true })).toBeVisible();
  await expect(sheet.getByText('Label: Person')).toBeVisible();
  await expect(sheet.getByText(/^Undo/)).toBeVisible();
  await shot(page, '60-help-sheet');
  await expectAccessible(page);
  await press('Escape');
  await expect(sheet).toHaveCount(0);
  await press('t');
  await expect(text()).toBeFocused();
});

test('annotates twenty spans by keys alone; each has the announced position', async () => {
  await press('Control+Home');
  const told: string[] = [];
  for (let n = 0; n < 20; n += 1) {
    await press('Shift+ArrowRight', String((n % 4) + 1));
    await expect.poll(announcement).toMatch(/ created: /);
    told.push(await announcement());
    // Continues from the last word, past the next one.
    await press('ArrowRight', 'ArrowRight');
  }
  await settled();
  const points = Array.from(TEXT);
  const wanted = told.map((words) => {
    const [, label, piece, start, end] = /^(\w+) created: (.+), (\d+) to (\d+)$/su.exec(words) ?? [];
    expect(points.slice(Number(start), Number(end)).join(''), words).toBe(piece);
    return `${String(label).toLowerCase()} ${String(start)} ${String(end)} ${String(piece)}`;
  });
  const kept = (await saved()).map((one) => `${one.labelName} ${String(one.start)} ${String(one.end)} ${one.text}`);
  expect(kept.sort()).toEqual(wanted.sort());
  expect(new Set(wanted).size).toBe(20);
  await shot(page, '61-twenty-spans');
  await expectAccessible(page);
});

test('nests and crosses spans, and cycles those at the cursor', async () => {
  // The word that ends the first span, inside it; then that word with the next, across its end.
  await press('Control+Home', 'ArrowRight', 'Shift+ArrowLeft', 'Shift+ArrowRight', '4');
  await expect.poll(announcement).toBe('Award created: Ellison, 5 to 12');
  await press('Escape', 'Shift+ArrowRight', '3');
  await expect.poll(announcement).toBe('Work created: Ellison was, 5 to 16');
  await settled();
  expect(await saved()).toHaveLength(22);
  await press('Control+Home', 'ArrowRight');
  const seen: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    await press('Space');
    seen.push((await announcement()).split(',')[0] ?? '');
  }
  expect(seen.sort()).toEqual(['Award', 'Person', 'Work']);
});

test('moves both edges in one change of the same annotation; cancels with Escape', async () => {
  await press('Control+Home', 'Tab');
  const before = (await saved()).find(({ start, end }) => start === 0 && end === 12);
  expect(before?.text).toBe('Mara Ellison');
  await expect.poll(announcement).toContain('Mara Ellison');
  await press('r', 'ArrowRight', 'ArrowRight', 'Control+ArrowLeft', 'r', 'Control+ArrowRight');
  await expect.poll(announcement).toBe('ara Ellison was bor');
  await shot(page, '62-moving-an-end');
  await press('Enter');
  await settled();
  const after = (await saved()).find(({ identifier }) => identifier === before?.identifier);
  expect(after).toMatchObject({ start: 1, end: 20, text: 'ara Ellison was bor', version: (before?.version ?? 0) + 1 });
  await press('r', 'ArrowLeft', 'Escape');
  await expect.poll(announcement).toBe('The annotation is unchanged');
  await press('Control+z');
  await expect.poll(async () => (await saved()).find(({ identifier }) => identifier === before?.identifier)?.text).toBe('Mara Ellison');
});

test('changes the label, accepts, rejects, removes and undoes', async () => {
  await press('Escape', 'Escape', 'Control+Home', 'Tab');
  const [one] = (await saved()).filter(({ start, end }) => start === 0 && end === 12);
  const now = async () => (await saved()).find(({ identifier }) => identifier === one?.identifier);
  await press('2');
  await expect.poll(announcement).toBe('Now Place: Mara Ellison');
  await expect.poll(async () => (await now())?.labelName).toBe('place');
  await press('Enter');
  await page.keyboard.type('wor');
  await press('Enter');
  await expect.poll(async () => (await now())?.labelName).toBe('work');
  await press('y');
  await expect.poll(announcement).toBe('Work accepted: Mara Ellison');
  await go('remove the annotation');
  await expect.poll(now).toBeUndefined();
  await settled();
  await press('Control+z');
  await expect.poll(async () => (await now())?.labelName).toBe('work');
});

test('assigns categories to the document and to the sentence at the cursor', async () => {
  await press('Escape', 'Escape', 'Shift+C');
  await expect(page.getByRole('combobox', { name: 'Categories of the document' })).toBeFocused();
  await page.keyboard.type('cal');
  await press('Enter');
  await expect.poll(async () => ((await document()).categories ?? []).map(({ labelName }) => labelName)).toContain('calm');
  await press('t', 'Control+Home', 'Control+ArrowDown', 'c');
  await expect(page.getByRole('combobox', { name: 'Filter labels' })).toBeFocused();
  await page.keyboard.type('liv');
  await press('Enter');
  await expect(text()).toBeFocused();
  await expect
    .poll(async () =>
      (await document()).sentences?.map(({ categories = [] }) => categories.map(({ labelName }) => labelName).join()).slice(0, 3),
    )
    .toEqual(['', 'lively', '']);
});

test('accepts custom hotkeys for labels and refuses keys in use', async () => {
  await go('label keys');
  const dialog = page.getByRole('dialog', { name: 'Label keys' });
  await expect(dialog).toBeVisible();
  await dialog.getByLabel('Key of Person').focus();
  await page.keyboard.type('p');
  await press('Tab');
  await page.keyboard.type('y');
  await expect(dialog.getByText('“Y” is already in use: Accept the annotation.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await shot(page, '63-keys-of-labels');
  await expectAccessible(page);
  await press('Backspace');
  await page.keyboard.type('p');
  await expect(dialog.getByText('“P” is already the key of Person.')).toBeVisible();
  await press('Backspace');
  await page.keyboard.type('b');
  await press('Enter');
  await expect(dialog).toHaveCount(0);
  await press('t', 'Control+End', 'Shift+ArrowLeft', 'p');
  await expect.poll(announcement).toMatch(/^Person created: /);
  await settled();
  await page.reload();
  await expect(text()).toBeVisible();
  await press('t', 'Control+End', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'b');
  await expect.poll(announcement).toMatch(/^Place created: /);
  await settled();
});

test('moves from document to document; in Arabic the arrows follow the text direction', async () => {
  await press('Escape', 'Escape');
  await go('back to the list');
  await expect(page).toHaveURL(/\/documents/);
  await page.goto('/documents');
  await expect(page.getByRole('row').filter({ hasText: 'Story' })).toBeVisible();
  await page.getByRole('row').filter({ hasText: 'Arabic' }).focus();
  await press('Enter');
  await expect(text()).toBeVisible();
  await press('t', 'Control+Home', 'ArrowLeft');
  await expect.poll(announcement).toBe('مريم');
  await press('ArrowRight');
  await expect.poll(announcement).toBe('وصلت');
  await press('ArrowLeft', 'Shift+ArrowLeft', 'p');
  await expect.poll(announcement).toBe('Person created: مريم إلى, 5 to 13');
  await settled();
  await shot(page, '64-arabic');
  await press('Escape', 'Escape', 'Escape');
  const heading = page.getByRole('heading', { level: 1 });
  const title = await heading.first().innerText();
  await press('Alt+ArrowLeft');
  await expect(heading.first()).not.toHaveText(title);
});

test('the palette and the help sheet have no accessibility violations, in dark mode and in French', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
  await shot(page, '65-palette-dark');
  await expectAccessible(page);
  await page.keyboard.type('zzzz');
  await expect(page.getByText('Search the documents for “zzzz”')).toBeVisible();
  await expectAccessible(page);
  await press('Escape');
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: 'Français' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await press('?');
  await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeVisible();
  await shot(page, '66-help-french-dark');
  await expectAccessible(page);
});
