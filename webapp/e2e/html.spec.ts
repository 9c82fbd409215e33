/** Formatted documents: a web page and a Markdown text are read and annotated with their layout; offsets are those of the plain text. */
import { expect, test, type Page } from '@playwright/test';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';
import { clickText, selectText } from './text';

test.describe.configure({ mode: 'serial' });

const PAGE = `<html><head><title>Town</title></head><body><h1>The 😀 town of Zürich</h1>
<p>Ada <b>Lovelace</b> met <i>Charles <a href="https://example.org/">Babbage</a></i> 👩‍💻 in 1833, and<br>wrote <code>notes</code>.</p>
<h2>What was there</h2><ul><li>A lake<ul><li>with boats</li></ul></li><li>A hill</li></ul><ol><li>First</li><li>Second</li></ol>
<blockquote><p>It can weave algebraic patterns.</p></blockquote>
<table><tr><th>City</th><th>Year</th><th>Note</th></tr><tr><td>Zürich</td><td>1833</td><td>a longer note that goes on over more than one line of its cell, to be sure</td></tr>
<tr><td>London</td><td></td><td>rain</td></tr></table><img src="https://example.org/spy.png" alt="A map of the lake">
<pre>def f(x):
    return x + 1</pre><script>window.hacked = true</script></body></html>`;
const MARKDOWN = '# Títle 𝔘\n\nSome **bold words** and *others*.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';

const TERMS = [
  { identifier: 'gate', lexicon: 'people', preferredForm: 'Ada of the gate' },
  {
    identifier: 't1',
    lexicon: 'wikidata',
    preferredForm: 'Ada Lovelace',
    properties: { wikidataId: 'Q7259', definition: 'A mathematician', statements: [{ propertyName: 'wrote', value: 'notes' }] },
  },
];

interface Held {
  readonly text: string;
  readonly annotations: readonly {
    readonly text: string;
    readonly start: number;
    readonly end: number;
    readonly labelName: string;
    readonly terms?: readonly { readonly identifier: string }[];
  }[];
}

let page: Page;
let project = '';
const surface = (title = 'Town') => page.getByRole('group', { name: `Text of ${title}` });
const switcher = () => page.getByRole('radiogroup', { name: 'How the text is shown' });
const read = (identifier: string) => api<Held>(page, 'GET', `/projects/${project}/documents/${identifier}`);

async function open(documentIdentifier: string, title: string): Promise<void> {
  await page.goto(`/document/${Buffer.from(JSON.stringify({ documentIdentifier })).toString('base64url')}`);
  await expect(surface(title)).toBeVisible();
}

/** The displayed text of each block, and the slice of the document it represents. */
const blocks = (title = 'Town') =>
  surface(title).evaluate((root) =>
    [...root.querySelectorAll<HTMLElement>('[data-start]')].map((block) => ({
      start: Number(block.dataset['start']),
      end: Number(block.dataset['end']),
      text: block.textContent ?? '',
      name: block.tagName,
    })),
  );

async function label(piece: string): Promise<void> {
  await selectText(page, surface(), piece);
  await page.getByRole('option', { name: 'Person' }).click();
  await expect.poll(async () => (await read('town.html')).annotations.some(({ text }) => text === piece)).toBe(true);
}

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage();
  await signIn(page);
  project = await makeProject(page, 'Looks');
  await api(page, 'POST', `/projects/${project}/labels`, { label: 'Person' });
  await page.request.post(`/api/projects/${project}/documents?wait=true`, {
    headers: { 'X-Requested-With': 'XMLHttpRequest' },
    multipart: { file: { name: 'town.html', mimeType: 'text/html', buffer: Buffer.from(PAGE) } },
  });
  await importDocuments(page, project, [
    {
      identifier: 'plain',
      title: 'Plain',
      text: 'Only a text of Ada.',
      altTexts: [{ name: 'summary', text: 'A short text 🎩' }],
      annotations: [{ start: 15, end: 18, text: 'Ada', labelName: 'person', terms: TERMS }],
    },
    { identifier: 'note', title: 'Note', text: MARKDOWN },
  ]);
  await page.goto(`/openProject/${project}/documents`);
  await expect(page.getByText('3 documents').first()).toBeVisible();
});
test.afterAll(() => page.context().close());

test('S-011: headings, lists, tables and emphasis are drawn, every block is its slice of the text', async () => {
  await open('town.html', 'Town');
  await switcher().getByRole('radio', { name: 'Formatted' }).click();
  await expect(surface().getByRole('heading', { name: 'What was there' })).toBeVisible();
  const { text } = await read('town.html');
  for (const block of await blocks()) expect(block.text).toBe(text.slice(block.start, block.end));
  expect((await blocks()).map(({ name }) => name)).toEqual(expect.arrayContaining(['H2', 'H3', 'PRE']));
  await expect(surface().getByRole('listitem')).toHaveCount(5);
  await expect(surface().getByRole('columnheader')).toHaveText(['City', 'Year', 'Note']);
  await expect(surface().locator('strong')).toHaveText('Lovelace');
  await expect(surface().getByRole('img', { name: 'A map of the lake' })).toBeVisible();
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  expect(await surface().locator('a[href], img, script, style').count()).toBe(0);
  await shot(page, 'html-light');
  await expectAccessible(page);
});

test('S-011: a selection in the formatted text is annotated at its offsets, across emphasis and in cells', async () => {
  for (const piece of ['Ada Lovelace met', 'Babbage 👩‍💻 in', 'with boats', 'London', 'return x']) await label(piece);
  const { text, annotations } = await read('town.html');
  for (const { start, end, text: covered } of annotations) expect([...text].slice(start, end).join('')).toBe(covered);
  const marked = () => surface().locator('mark').allTextContents();
  await expect.poll(async () => (await marked()).join('')).toContain('Ada Lovelace met');
  await shot(page, 'html-marks');
  await switcher().getByRole('radio', { name: 'Plain text' }).click();
  await expect(surface().getByRole('heading', { name: 'What was there' })).toHaveCount(0);
  await expect.poll(async () => (await marked()).join('')).toContain('Ada Lovelace met');
  await switcher().getByRole('radio', { name: 'Formatted' }).click();
});

test('S-011: the keyboard navigates and annotates the formatted text, from cell to cell', async () => {
  await clickText(page, surface(), '1833');
  await page.keyboard.press('Escape');
  await clickText(page, surface(), 'City');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('1');
  await expect.poll(async () => (await read('town.html')).annotations.map(({ text }) => text)).toContain('Year\tNote');
});

test('the choice is stored, a document without formatting has no switch, Markdown has one where texts are Markdown', async () => {
  await page.reload();
  await expect(surface().getByRole('heading', { name: 'What was there' })).toBeVisible();
  await open('plain', 'Plain');
  await expect(switcher()).toHaveCount(0);
  await open('note', 'Note');
  await expect(switcher()).toHaveCount(0);
  await api(page, 'PATCH', `/projects/${project}/config`, { markdownContent: true });
  await page.reload();
  await expect(surface('Note').getByRole('heading', { name: 'Títle 𝔘' })).toBeVisible();
  const { text } = await read('note');
  expect(text).toBe(MARKDOWN);
  for (const block of await blocks('Note')) expect(block.text).toBe(text.slice(block.start, block.end));
  await shot(page, 'html-markdown');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await open('town.html', 'Town');
  await expect(surface().getByRole('heading', { name: 'What was there' })).toBeVisible();
  await shot(page, 'html-dark');
  await expectAccessible(page);
});

test('S-017: alternative texts are shown next to the document', async () => {
  await page.emulateMedia({ colorScheme: 'light' });
  await open('plain', 'Plain');
  const facts = page.getByRole('region', { name: 'Document', exact: true });
  await facts.getByText('summary').click();
  await expect(facts.getByText('A short text 🎩')).toBeVisible();
});

test('W-019, W-021: the details of an annotation show its terms, to copy, remove and restore', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await clickText(page, surface('Plain'), 'Ada');
  const card = page.getByRole('article', { name: 'Term Ada Lovelace' });
  await expect(card.getByText('A mathematician', { exact: true })).toBeVisible();
  await expect(card.getByText('wrote', { exact: true })).toBeVisible();
  await card.getByText('As JSON').click();
  await shot(page, 'html-term-card');
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Copy Ada Lovelace as JSON' }).click();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as (typeof TERMS)[number];
  expect(copied).toMatchObject({ identifier: 't1', preferredForm: 'Ada Lovelace', properties: { wikidataId: 'Q7259' } });
  await card.getByRole('button', { name: 'Unlink Ada Lovelace from the annotation' }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('article', { name: 'Term Ada of the gate' })).toBeVisible();
  const storedTerms = async () => (await read('plain')).annotations[0]?.terms?.map(({ identifier }) => identifier);
  await expect.poll(storedTerms).toEqual(['gate']);
  await page.keyboard.press('Control+z');
  await expect.poll(storedTerms).toEqual(['gate', 't1']);
  await expect(card).toBeVisible();
});
