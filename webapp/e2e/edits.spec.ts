/** Edits of more than one annotation: copies to equal texts, one shared undo, hotkeys stored per user, screen reader announcements. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';
import { clickText } from './text';

test.describe.configure({ mode: 'serial' });

const OWN = ['The goal came late.', 'Ada Lovelace spoke in Halden.', 'the goal  came late.'];
const OTHER = ['The goal came late.', 'Late came the goals of Halden.'];
const LONG = 'A label whose name is far longer than any chip of a filter can ever show';

let page: Page;
let project = '';

interface Annotation {
  readonly identifier: string;
  readonly labelName: string;
  readonly text: string;
}
interface Sentence {
  readonly categories?: readonly { labelName: string; status?: string }[];
}
interface Document {
  readonly annotations?: readonly Annotation[];
  readonly sentences?: readonly Sentence[];
}

function cut(sentences: readonly string[]) {
  let at = 0;
  return sentences.map((sentence) => {
    const start = at;
    at += sentence.length + 1;
    return { start, end: start + sentence.length };
  });
}

const read = (identifier: string) => api<Document>(page, 'GET', `/projects/${project}/documents/${identifier}`);
const spans = async () => ((await read('d1')).annotations ?? []).map(({ text, labelName }) => `${text}/${labelName}`);
/** Numbers of the sentences of both documents that have a category. */
const categorised = async () => {
  const found: string[] = [];
  for (const name of ['d1', 'd2'])
    (await read(name)).sentences?.forEach(({ categories = [] }, at) => {
      if (categories.some(({ status }) => status === 'OK')) found.push(`${name}.${String(at)}`);
    });
  return found;
};
const surface = (on = page) => on.getByRole('group', { name: 'Text of Match' });
const announced = () => page.locator('.ann-surface [role=status]');
const saved = () => expect(page.getByText('All changes saved')).toBeVisible();

async function open(on = page): Promise<void> {
  await on.goto(`/openProject/${project}/documents`);
  await expect(on.getByText('2 documents', { exact: true })).toBeVisible();
  await on.goto(`/document/${Buffer.from(JSON.stringify({ documentIdentifier: 'd1' })).toString('base64url')}`);
  await surface(on).waitFor();
}

async function start(browser: Browser): Promise<Page> {
  const made = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(made);
  return made;
}

test.beforeAll(async ({ browser }) => {
  page = await start(browser);
  project = await makeProject(page, 'Acts');
  await importDocuments(page, project, [
    { identifier: 'd1', title: 'Match', text: OWN.join(' '), sentences: cut(OWN) },
    { identifier: 'd2', title: 'Report', text: OTHER.join(' '), sentences: cut(OTHER) },
  ]);
  await api(page, 'POST', `/projects/${project}/labels`, { label: 'Person', guideline: 'People with a name.' });
  await api(page, 'POST', `/projects/${project}/labels`, { label: 'Place' });
  await api(page, 'POST', `/projects/${project}/label_sets`, { name: 'topic', label: 'Topic', nature: 'classification' });
  await api(page, 'POST', `/projects/${project}/labels`, { label: 'Sport', labelSetName: 'topic' });
});
test.afterAll(() => page.context().close());

test('a screen reader finds and announces each edit', async () => {
  await open();
  const text = surface();
  await text.focus();
  await page.keyboard.press('Control+Home');
  for (const key of ['Control+ArrowDown', 'Shift+ArrowRight']) await page.keyboard.press(key);
  await expect(announced()).toHaveText(/^Selected: Ada/);
  await page.keyboard.press('1');
  await expect(announced()).toHaveText(/^Person created: Ada Lovelace, 20 to 32$/);
  await saved();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Tab');
  await expect(announced()).toHaveText('Person, confirmed: Ada Lovelace');
  const active = await text.getAttribute('aria-activedescendant');
  const mark = page.locator(`[id="${active ?? ''}"]`);
  await expect(mark).toHaveText('Ada Lovelace');
  await expect(mark).toHaveAttribute('aria-description', /^Person, confirmed/);
  // The accessibility tree, not the elements.
  expect(await text.ariaSnapshot()).toMatch(/mark: Ada Lovelace/);
  await page.keyboard.press('2');
  await expect(announced()).toHaveText('Now Place: Ada Lovelace');
  await saved();
  await page.keyboard.press('Delete');
  await expect(announced()).toHaveText('Place removed from Ada Lovelace');
  await expect(text.locator('mark')).toHaveCount(0);
  await saved();
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('status').filter({ hasText: /taken back|undone/i })).toHaveCount(1);
  await expect.poll(spans).toEqual(['Ada Lovelace/place']);
  await expectAccessible(page);
});

test('the undo of the notification and that of the keyboard are the same', async () => {
  const message = page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: 'Annotation removed' });
  await clickText(page, surface(), 'Lovelace');
  await page.keyboard.press('Delete');
  await expect(message.first()).toBeVisible();
  await expect.poll(spans).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect.poll(spans).toEqual(['Ada Lovelace/place']);
  await expect(message).toHaveCount(0);
  await clickText(page, surface(), 'Lovelace');
  await page.keyboard.press('Delete');
  await message.first().getByRole('button', { name: 'Undo' }).click();
  await expect.poll(spans).toEqual(['Ada Lovelace/place']);
  await saved();
  // The previous operation is undone next: the other label.
  await page.keyboard.press('Control+z');
  await expect.poll(spans).toEqual(['Ada Lovelace/person']);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(spans).toEqual(['Ada Lovelace/place']);
});

test('copies a category to all equal and similar sentences', async () => {
  await open();
  await page.getByRole('button', { name: 'Categories of sentence 1' }).click();
  const panel = page.getByRole('group', { name: 'Categories of the sentence' });
  await panel.getByRole('option', { name: /Sport/ }).click();
  await saved();
  await expect.poll(categorised).toEqual(['d1.0']);
  await page.getByRole('button', { name: 'Categories of sentence 1' }).click();
  await panel.getByRole('button', { name: 'Assign Sport to similar ones' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign Sport to all sentences like this one' });
  await expect(dialog.getByText('1 sentence (documents: 1).')).toBeVisible();
  await expectAccessible(page);
  await shot(page, 'acts-alike');
  await dialog.getByRole('button', { name: 'Assign to 1' }).click();
  await expect.poll(categorised).toEqual(['d1.0', 'd1.2']);
  const message = page.getByText('1 sentence categorised', { exact: true });
  await expect(message).toBeVisible();
  await page.getByRole('button', { name: 'Undo last change' }).click();
  await expect.poll(categorised).toEqual(['d1.0']);
  await expect(message).toBeHidden();
  await page.getByRole('button', { name: 'Categories of sentence 1' }).click();
  await panel.getByRole('button', { name: 'Assign Sport to similar ones' }).click();
  await dialog.getByText('Whole corpus').click();
  await dialog.getByRole('radio', { name: 'Similar' }).click();
  await dialog.getByRole('combobox', { name: 'Words in common' }).click();
  await page.getByRole('option', { name: /^60\s?%$/ }).click();
  await expect(dialog.getByText('3 sentences (documents: 2).')).toBeVisible();
  await shot(page, 'acts-alike-corpus');
  await dialog.getByRole('button', { name: 'Assign to 3' }).click();
  await expect.poll(categorised, { timeout: 30_000 }).toEqual(['d1.0', 'd1.2', 'd2.0', 'd2.1']);
  const jobs = await api<{ id: string; undoable?: boolean; description: string }[]>(page, 'GET', `/projects/${project}/jobs`);
  const job = jobs.find(({ description }) => description.startsWith('Adding the category Sport'));
  expect(job?.undoable).toBe(true);
  await api(page, 'POST', `/projects/${project}/job/${job?.id ?? ''}/_undo`);
  await expect.poll(categorised, { timeout: 30_000 }).toEqual(['d1.0']);
});

test('hotkeys of labels are the same on another machine', async ({ browser }) => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('label keys');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Label keys' });
  await dialog.getByRole('textbox', { name: 'Key of Place' }).fill('w');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  const other = await start(browser);
  await open(other);
  await expect(other.locator('.ann-label-row').filter({ hasText: 'Place' }).getByText('W', { exact: true })).toBeVisible();
  await surface(other).focus();
  for (const key of ['Control+Home', 'Control+ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Shift+ArrowRight', 'w'])
    await other.keyboard.press(key);
  await expect.poll(spans).toContain('in Halden/place');
  await other.context().close();
});

test('the label drawer is 400 px wide and explains the extension of selections (C-013, D-016)', async () => {
  await open();
  const drawer = page.getByRole('region', { name: 'Labels' });
  const frame = await drawer.evaluate((element) => element.closest('aside')?.getBoundingClientRect().width);
  expect(frame).toBe(400);
  await drawer.getByRole('button', { name: 'About extending the selection' }).click();
  const help = page.getByRole('dialog');
  for (const mode of ['As selected', 'To the next space', 'To the next space or punctuation mark'])
    await expect(help.getByText(mode, { exact: true })).toBeVisible();
  await expectAccessible(page);
  await help.getByRole('button', { name: 'Close' }).last().click();
  await expect(help).toBeHidden();
});

test('no text of the drawer is truncated in French', async () => {
  const language = page.getByRole('banner').getByRole('button', { name: /language|langue/i });
  await language.click();
  await page.getByRole('menuitem', { name: /français/i }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  const select = page.getByRole('combobox', { name: 'Étendre la sélection' });
  await select.selectOption('space-or-punctuation');
  const cut = await select.evaluate((element: HTMLSelectElement) => {
    const style = getComputedStyle(element);
    const pen = document.createElement('canvas').getContext('2d');
    if (pen === null) throw new Error('No canvas');
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const arrow = 18;
    return pen.measureText(element.selectedOptions[0]?.text ?? '').width + arrow - element.clientWidth;
  });
  expect(cut).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await shot(page, 'acts-drawer-french');
  await language.click();
  await page.getByRole('menuitem', { name: /english/i }).click();
});

test('a filter chip is truncated at 150 px, its full text is in a tooltip (C-009)', async () => {
  await api(page, 'POST', `/projects/${project}/labels`, { label: LONG, name: 'long' });
  await api(page, 'POST', `/projects/${project}/annotations`, { documentIdentifier: 'd2', labelName: 'long', start: 0, end: 3 });
  await page.goto(`/openProject/${project}/documents`);
  await expect(page.getByText('2 documents', { exact: true })).toBeVisible();
  const address = { selectedFacets: [{ facetName: 'label', facetValue: 'long', facetSelector: '+' }] };
  await page.goto(`/documents/${Buffer.from(JSON.stringify(address)).toString('base64url')}`);
  const remove = page.getByRole('button', { name: /^Remove Label: A label whose/ }).first();
  await expect(remove).toBeVisible();
  const width = await remove.evaluate((element) => element.previousElementSibling?.getBoundingClientRect().width ?? 0);
  expect(width).toBeLessThanOrEqual(150);
  expect(width).toBeGreaterThan(100);
  await remove.locator('xpath=preceding-sibling::*[1]').hover();
  await expect(page.getByRole('tooltip')).toHaveText(/^Label: A label whose/);
});
