/** The studio on a phone, by touch: reading, labelling a word, searching, reviewing suggestions, the dashboard. */
import { expect, test, type CDPSession, type Locator, type Page } from '@playwright/test';
import { films } from './corpora';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const REVIEWED = 20;
const WIDTH = 390;

let page: Page;
let finger: CDPSession;
let project = '';

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: WIDTH, height: 844 }, hasTouch: true, isMobile: true })).newPage();
  finger = await page.context().newCDPSession(page);
  await signIn(page);
  project = await makeProject(page, 'Biographies on a phone');
  await importDocuments(page, project, films());
});
test.afterAll(() => page.context().close());

const touches = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) =>
  finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });

/** Moves a finger and holds it still before it leaves: the tap after a flung finger only stops the movement. */
async function drag(from: number, to: number, y: number): Promise<void> {
  await touches('touchStart', { x: from, y });
  for (let step = 1; step <= 6; step += 1) await touches('touchMove', { x: from + ((to - from) * step) / 6, y });
  for (let still = 0; still < 4; still += 1) {
    await page.waitForTimeout(100);
    await touches('touchMove', { x: to, y: y + (still % 2) });
  }
  await touches('touchEnd');
}

async function swipe(target: Locator, distance: number): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('Nothing to swipe');
  const from = box.x + box.width / 2;
  await drag(from, from + distance, box.y + Math.min(60, box.height / 2));
}

/** The width of the page is that of the window: nothing makes it scroll sideways. */
const fits = () => page.evaluate((width) => Math.max(document.documentElement.scrollWidth, window.innerWidth) <= width, WIDTH);

/** Visible buttons and links of the page that a finger would miss: the target, with what enlarges it, is under 44 px. */
const smallTargets = () =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('nav[aria-label] a, nav[aria-label] button, [role=toolbar] button, main button')]
      .filter((one) => one.getClientRects().length > 0 && one.closest('.ann-root, [role=radiogroup]') === null)
      .map((one) => ({ one, box: one.getBoundingClientRect(), more: getComputedStyle(one, '::after').position === 'absolute' ? 8 : 0 }))
      .filter(({ box, more }) => box.height + more < 43.5)
      .map(({ one, box }) => `${one.textContent ?? ''} ${one.getAttribute('aria-label') ?? ''} ${String(Math.round(box.height))}`),
  );

/** Toolbars and tabs of which a part is reached only by scrolling sideways. */
const sideways = () =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        '[role=toolbar], [role=tablist], section:has([role=toolbar]), section:has([role=toolbar]) div',
      ),
    ]
      .filter((one) => one.clientWidth > 1 && getComputedStyle(one).overflowX !== 'hidden' && one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.tagName} ${one.className} ${String(one.scrollWidth)} > ${String(one.clientWidth)}`),
  );

/** What a floating notice lies over: titles, controls, dialogs and the bottom bar; empty without a notice. */
const covered = () =>
  page.evaluate(() => {
    const stack = document.querySelector('[data-corner]');
    const notes = [...(stack?.querySelectorAll('[data-type]') ?? [])].map((one) => one.getBoundingClientRect());
    return [...document.querySelectorAll<HTMLElement>('h1, button, a[href], [role=dialog], [data-bottom-bar]')]
      .filter((one) => stack?.contains(one) !== true && one.checkVisibility())
      .filter((one) => {
        const box = one.getBoundingClientRect();
        return notes.some(
          (note) =>
            Math.min(note.right, box.right) > Math.max(note.left, box.left) &&
            Math.min(note.bottom, box.bottom) > Math.max(note.top, box.top),
        );
      })
      .map((one) => `${one.tagName} ${one.textContent ?? ''}`);
  });

async function check(name: string): Promise<void> {
  expect(await sideways(), name).toEqual([]);
  expect(await fits(), `${name} is wider than the window`).toBe(true);
  expect(await smallTargets(), name).toEqual([]);
  await expectAccessible(page);
  await shot(page, `90-phone-${name}`);
}

const go = (name: string) => page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name }).tap();

test('home: projects as cards', async () => {
  await page.goto('/home');
  await expect(page.getByRole('row', { name: /Biographies on a phone/ })).toBeVisible();
  await expect(page.getByText('Filter by name')).toBeHidden();
  await check('home');
});

test('documents: cards, filters in a sheet that starts closed', async () => {
  await page.getByRole('link', { name: 'Biographies on a phone' }).tap();
  await expect(page).toHaveURL(/\/documents/);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await check('documents');
  await page.getByRole('button', { name: /^Show the filters/ }).tap();
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible();
  await check('filters');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('a document: a held word gets handles and a label', async () => {
  await page.locator('tbody').getByRole('row').first().tap();
  const surface = page.locator('.ann-root');
  await surface.waitFor();
  await check('document');
  const count = async () => {
    const documents = await api<{ annotations?: unknown[] }[]>(page, 'GET', `/projects/${project}/documents`);
    return documents.reduce((sum, { annotations = [] }) => sum + annotations.length, 0);
  };
  const before = await count();
  // The last letters of the first line that have no mark.
  const spot = await surface.evaluate((root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
      const at = /\p{L}{4,}/u.exec(node.data);
      if (at === null || node.parentElement?.closest('mark') !== null) continue;
      const range = document.createRange();
      range.setStart(node, at.index + 1);
      range.setEnd(node, at.index + 3);
      const box = range.getBoundingClientRect();
      if (box.top > 150 && box.bottom < 500) return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    }
    throw new Error('No word without a mark');
  });
  await touches('touchStart', spot);
  await page.waitForTimeout(600);
  await touches('touchEnd');
  await expect(page.locator('.ann-drop')).toHaveCount(2);
  const picker = page.getByRole('dialog', { name: 'Labels' });
  await expect(picker).toBeVisible();
  await check('picker');
  const end = await page.locator('.ann-drop[data-end=end]').boundingBox();
  if (end === null) throw new Error('No handle');
  await drag(end.x + 30, end.x + 80, end.y + 10);
  await picker.getByRole('option').first().tap();
  await expect.poll(count).toBe(before + 1);
  await expect(page.locator('.ann-drop')).toHaveCount(0);
});

test('explore: a search is read without a sideways scroll', async () => {
  await go('Explore');
  await page.getByRole('textbox', { name: 'Search segments' }).fill('born');
  await page.keyboard.press('Enter');
  await expect(page.locator('.ann-hit').first()).toBeVisible();
  await check('explore');
});

test(`${String(REVIEWED)} suggestions by thumb: buttons, swipes, undo`, async () => {
  await go('Suggestions');
  await page.getByRole('button', { name: 'Start a suggester' }).tap();
  const bar = page.getByRole('toolbar', { name: 'Answers' });
  await expect(bar).toBeVisible({ timeout: 90_000 });
  await check('suggestions');
  const answered = () => page.getByRole('progressbar', { name: 'Reviewed in this session' }).getAttribute('aria-valuenow');
  const card = page.getByRole('article', { name: 'Current suggestion' });
  // A segment may have several proposals: it counts when the last of them is answered.
  for (let given = 0; Number(await answered()) < REVIEWED; given += 1) {
    const before = await card.innerText();
    if (given % 4 === 0) await swipe(card, 160);
    else if (given % 4 === 1) await swipe(card, -160);
    else await bar.getByRole('button', { name: given % 4 === 2 ? 'Accept' : 'Reject' }).tap();
    await expect.poll(() => card.innerText()).not.toBe(before);
  }
  await expect.poll(answered).toBe(String(REVIEWED));
  const box = await bar.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(700);
  await page.getByRole('button', { name: 'Undo', exact: true }).tap();
  await expect.poll(answered).toBe(String(REVIEWED - 1));
});

test('the dashboard, the jobs and the settings are readable', async () => {
  await go('Dashboard');
  await expect(page.getByRole('tab').first()).toBeVisible();
  await check('dashboard');
  for (const name of ['Jobs', 'Experiments', 'Settings']) {
    await page.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('dialog', { name: 'Project' }).getByRole('link', { name }).tap();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await check(name.toLowerCase());
  }
});

test('the tools of a document: the rest below the toolbar; its notice covers nothing', async () => {
  await page.goto(`/openProject/${project}`);
  await expect(page).toHaveURL(/\/documents/);
  await page.locator('tbody').getByRole('row').first().tap();
  await page.locator('.ann-root').waitFor();
  await page.getByRole('button', { name: 'More tools' }).tap();
  await check('document-tools');
  const validate = page.getByRole('button', { name: /^Validate/ });
  if ((await validate.getAttribute('aria-pressed')) === 'true') await validate.tap();
  await expect(validate).toHaveAttribute('aria-pressed', 'false');
  await validate.tap();
  await expect(page.getByText('Document validated')).toBeVisible();
  await expect.poll(covered).toEqual([]);
  await shot(page, '90-phone-notice');
});

test('no toolbar scrolls sideways, in French too', async () => {
  await page.evaluate(() => localStorage.setItem('annotarium.language', '"fr"'));
  for (const path of ['/documents', '/explore', '/suggestions', '/experiments', '/labels', '/plans', '/settings']) {
    await page.goto(path);
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(page.locator('h1').first()).toBeAttached();
    const more = page.getByRole('button', { name: 'Plus d’outils' });
    if (await more.isVisible()) await more.tap();
    expect(await sideways(), path).toEqual([]);
    expect(await fits(), path).toBe(true);
  }
  await page.goto('/documents');
  await page.locator('tbody').getByRole('row').first().tap();
  await page.locator('.ann-root').waitFor();
  await page.getByRole('button', { name: 'Plus d’outils' }).tap();
  expect(await sideways(), 'document').toEqual([]);
  await page.evaluate(() => localStorage.setItem('annotarium.language', '"en"'));
});

test('Sign out is in the navigation', async () => {
  await page.goto('/jobs');
  await page.getByRole('button', { name: 'More' }).tap();
  const sheet = page.getByRole('dialog', { name: 'Project' });
  await check('more');
  await sheet.getByRole('button', { name: 'Sign out' }).tap();
  await expect(page.getByLabel('Username')).toBeVisible();
});
