/** Spans by mouse: resized, moved, relabelled, accepted or rejected from their toolbar; categories of sentences. */
import { expect, test, type Page } from '@playwright/test';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';
import { clickText, selectText } from './text';

test.describe.configure({ mode: 'serial' });

const TEXT =
  'The familial adenomatous polyposis coli gene was mapped to chromosome five. Patients with ataxia telangiectasia 👩🏿‍🚒 were not studied.';

interface Annotation {
  readonly identifier: string;
  readonly version: number;
  readonly labelName: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly status?: string;
}

interface Held {
  readonly text: string;
  readonly annotations: readonly Annotation[];
  readonly sentences: readonly { readonly start: number; readonly categories?: readonly { labelName: string; status?: string }[] }[];
}

let page: Page;
let project = '';
const surface = () => page.getByRole('group', { name: 'Text of Genes' });
const read = () => api<Held>(page, 'GET', `/projects/${project}/documents/genes`);
const only = async () => (await read()).annotations[0];

async function open(documentIdentifier: string, title: string): Promise<void> {
  await page.goto(`/document/${Buffer.from(JSON.stringify({ documentIdentifier })).toString('base64url')}`);
  await expect(page.getByRole('group', { name: `Text of ${title}` })).toBeVisible();
}

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage();
  await signIn(page);
  project = await makeProject(page, 'Genes', 'sequence_labelling');
  for (const label of ['Disease', 'Gene']) await api(page, 'POST', `/projects/${project}/labels`, { label });
  await api(page, 'POST', `/projects/${project}/label_sets`, { name: 'claims', label: 'Claims', nature: 'classification' });
  for (const label of ['Finding', 'Method']) await api(page, 'POST', `/projects/${project}/labels`, { label, labelSetName: 'claims' });
  await importDocuments(page, project, [{ identifier: 'genes', title: 'Genes', text: TEXT }]);
  await page.goto(`/openProject/${project}/documents`);
  await expect(page.getByText('1 document').first()).toBeVisible();
  await open('genes', 'Genes');
});
test.afterAll(() => page.context().close());

async function dragHandle(edge: 'start' | 'end', id: string, to: string): Promise<void> {
  const box = await page.locator(`[data-handle="${edge}"][data-handle-of="${id}"]`).boundingBox();
  const target = await surface().evaluate((root, wanted) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
      const at = node.data.indexOf(wanted);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      return { x: (left + right) / 2, y: (top + bottom) / 2 };
    }
    throw new Error(`Not on screen: ${wanted}`);
  }, to);
  if (box === null) throw new Error('No handle');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(target.x, target.y, { steps: 5 });
}

test('resizes a span by its edges; it stays the same annotation (S-008, C-066)', async () => {
  await selectText(page, surface(), 'polyposis');
  await page.getByRole('option', { name: 'Disease' }).click();
  await expect.poll(async () => (await only())?.text).toBe('polyposis');
  const first = await only();
  const id = first?.identifier ?? '';
  await expect(page.locator(`[data-handle-of="${id}"]`)).toHaveCount(2);

  await dragHandle('end', id, 'col');
  // Drawn at its new position before the button is released; nothing has been sent yet.
  await expect(page.locator('mark', { hasText: 'polyposis coli' })).toBeVisible();
  expect((await only())?.text).toBe('polyposis');
  await shot(page, '50-resize');
  await page.mouse.up();
  await expect.poll(async () => (await only())?.text).toBe('polyposis coli');

  await dragHandle('start', id, 'famil');
  await page.mouse.up();
  await expect.poll(async () => (await only())?.text).toBe('familial adenomatous polyposis coli');

  const last = await only();
  expect(last?.identifier).toBe(id);
  expect(last?.version).toBe((first?.version ?? 0) + 2);
  expect([...TEXT].slice(last?.start, last?.end).join('')).toBe('familial adenomatous polyposis coli');
});

test('cancels a resize with Escape', async () => {
  const id = (await only())?.identifier ?? '';
  const { version } = (await only()) ?? {};
  await dragHandle('end', id, 'mapped');
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(page.locator('mark', { hasText: 'mapped' })).toHaveCount(0);
  expect((await only())?.version).toBe(version);
});

test('relabels and rejects from the toolbar next to the span (S-008)', async () => {
  await clickText(page, surface(), 'polyposis');
  const bar = page.getByRole('toolbar', { name: 'Actions on Disease' });
  await expect(bar).toBeVisible();
  await shot(page, '51-span-bar');
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'Change label: Disease' }).click();
  await page.getByRole('option', { name: 'Gene' }).click();
  await expect.poll(async () => (await only())?.labelName).toBe('gene');

  await clickText(page, surface(), 'polyposis');
  await page.getByRole('toolbar').getByRole('button', { name: 'Reject' }).click();
  await expect.poll(async () => (await only())?.status).toBe('KO');
});

test('opens the picker from the details of a span, deletes from its toolbar (S-008)', async () => {
  await selectText(page, surface(), 'ataxia telangiectasia');
  await page.getByRole('option', { name: 'Disease' }).click();
  const details = page.getByRole('region', { name: 'Disease' });
  await expect(details).toContainText('ataxia telangiectasia');
  await details.getByRole('button', { name: 'Change label' }).click();
  await page.getByRole('option', { name: 'Gene' }).click();
  const ataxia = async () => (await read()).annotations.find(({ text }) => text === 'ataxia telangiectasia');
  await expect.poll(async () => (await ataxia())?.labelName).toBe('gene');
  await clickText(page, surface(), 'ataxia');
  await page.getByRole('toolbar').getByRole('button', { name: 'Remove annotation' }).click();
  await expect.poll(ataxia).toBeUndefined();
});

test('copies an annotation to all equal occurrences of the document', async () => {
  await importDocuments(page, project, [
    {
      identifier: 'again',
      title: 'Again',
      text: 'Gaucher disease is rare. Gaucher disease runs in families. Gaucherian is another word.',
      annotations: [
        { start: 0, end: 15, labelName: 'disease', terms: [{ identifier: 'D005776', lexicon: 'mesh', preferredForm: 'Gaucher Disease' }] },
      ],
    },
  ]);
  await open('again', 'Again');
  const again = page.getByRole('group', { name: 'Text of Again' });
  await clickText(page, again, 'Gaucher');
  // The details show the term of the annotation.
  await expect(page.getByRole('article', { name: 'Term Gaucher Disease' })).toBeVisible();
  await shot(page, '53-term');
  await expectAccessible(page);
  await page.getByRole('toolbar').getByRole('button', { name: 'Copy to all identical occurrences' }).click();
  const dialog = page.getByRole('dialog', { name: /^Copy/ });
  await dialog.getByRole('button', { name: 'Copy to 1 occurrence' }).click();
  const places = async () =>
    (await api<Held>(page, 'GET', `/projects/${project}/documents/again`)).annotations.map(({ start, text }) => [start, text]);
  await expect.poll(places).toEqual([
    [0, 'Gaucher disease'],
    [25, 'Gaucher disease'],
  ]);
  await expect(page.locator('mark', { hasText: 'Gaucher disease' })).toHaveCount(2);
});

test('assigns and removes the category of a sentence (S-009)', async () => {
  await open('genes', 'Genes');
  const second = async () => (await read()).sentences[1]?.categories?.map(({ labelName }) => labelName) ?? [];
  await page.getByRole('button', { name: 'Categories of sentence 2' }).click();
  await page.getByRole('option', { name: 'Finding' }).click();
  await expect.poll(second).toEqual(['finding']);
  await expect(page.locator('[data-category="Finding"]')).toBeVisible();
  await page.locator('[data-category="Finding"]').click();
  const panel = page.getByRole('group', { name: 'Categories of the sentence' });
  await shot(page, '52-sentence');
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Remove Finding' }).click();
  await expect.poll(second).toEqual([]);
  await expect(page.locator('[data-category="Finding"]')).toHaveCount(0);
});
