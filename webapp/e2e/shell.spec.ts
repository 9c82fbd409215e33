/** Behaviour shared by all screens: session, live updates, rights, notifications. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { films } from './corpora';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';
import { selectText } from './text';

const GUEST = 'guest-password';
const RUN = String(Date.now());
const INES = `ines-${RUN}`;
const ROSA = `rosa-${RUN}`;
const story = films()[0];
const TEXT = story?.text ?? '';
const NAME = TEXT.split(' ').slice(0, 2).join(' ');

async function makeUser(page: Page, username: string, roles: string[]): Promise<void> {
  await api(page, 'POST', '/users', { username, password: GUEST, profilename: username, roles });
}

const share = (page: Page, project: string, username: string, write: boolean) =>
  api(page, 'POST', `/projects/${project}/shares/users?username=${username}`, { read: true, write });

async function otherPage(browser: Browser, username: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, username, GUEST);
  return page;
}

/** A project with one film biography, without its annotations, and one label. */
async function storyProject(page: Page, label: string): Promise<string> {
  const project = await makeProject(page, label);
  await api(page, 'POST', `/projects/${project}/labels`, { label: 'Person', color: '#1976D2' });
  await importDocuments(page, project, [{ identifier: 'story', title: story?.title, text: TEXT }]);
  return project;
}

async function openStory(page: Page, project: string): Promise<void> {
  await page.goto(`/openProject/${project}/documents`);
  await page.getByRole('row').filter({ hasText: 'story' }).first().click();
  await expect(page.getByRole('group', { name: /^Text of/ })).toBeVisible();
}

const annotate = (page: Page, project: string, labelName: string, piece: string) => {
  const start = [...TEXT.slice(0, TEXT.indexOf(piece))].length;
  return api(page, 'POST', `/projects/${project}/annotations`, {
    documentIdentifier: 'story',
    start,
    end: start + [...piece].length,
    text: piece,
    labelName,
  });
};
const labelOf = async (page: Page, project: string) =>
  (await api<{ name: string }[]>(page, 'GET', `/projects/${project}/labels`))[0]?.name ?? '';

test('an expired session requires signing in again over the same search, and the input is still there (T-005, E-002)', async ({ page }) => {
  await signIn(page);
  const project = await storyProject(page, 'Session');
  await page.goto(`/openProject/${project}/documents`);
  const search = page.getByRole('search').getByRole('textbox');
  await expect(page.getByRole('row').filter({ hasText: 'story' })).toBeVisible();
  await page.context().clearCookies();
  await search.fill('camera');
  await search.press('Enter');
  await expect(page.getByText('Your session has ended')).toBeVisible();
  await shot(page, '30-session-ended');
  await expect(page.getByRole('row').filter({ hasText: 'story' })).toBeHidden();
  await expectAccessible(page);
  await page.getByLabel('Password', { exact: true }).fill(process.env['ADMIN_PASSWORD'] ?? '');
  await page.getByRole('button', { name: 'Sign in and continue' }).click();
  await expect(page.getByText('Your session has ended')).toBeHidden();
  await expect(page).toHaveURL(/\/documents\/.+/);
  await expect(search).toHaveValue('camera');
  await expect(page.locator('mark').first()).toContainText(/cam[eé]ra/i);
});

test("another user's annotation appears without reload (B-001, B-002)", async ({ page, browser }) => {
  await signIn(page);
  const project = await storyProject(page, 'Two readers');
  await makeUser(page, INES, ['Annotator']);
  await share(page, project, INES, true);
  await openStory(page, project);
  await expect(page.locator('mark[data-spans]')).toHaveCount(0);
  const other = await otherPage(browser, INES);
  await openStory(other, project);
  await selectText(other, other.getByRole('group', { name: /^Text of/ }), NAME);
  await other.keyboard.press('1');
  await expect(other.getByText('All changes saved')).toBeVisible();
  await expect(page.locator('mark[data-spans]')).toHaveText(NAME);
  await other.context().close();
});

test('after a lost connection it fetches what it missed (C-002, B-001)', async ({ page }) => {
  let allowed = true;
  let drop: () => void = () => undefined;
  await page.routeWebSocket(/\/api\/events/, (socket) => {
    if (!allowed) return void socket.close();
    socket.connectToServer();
    drop = () => void socket.close();
  });
  await signIn(page);
  const project = await storyProject(page, 'Interrupted');
  await openStory(page, project);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  allowed = false;
  drop();
  await expect(page.getByText(/^Offline since/)).toBeVisible();
  await annotate(page, project, await labelOf(page, project), NAME);
  await expect(page.locator('mark[data-spans]')).toHaveCount(0);
  allowed = true;
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(page.locator('mark[data-spans]')).toHaveText(NAME);
});

test('a reader is only offered what is permitted (N-005, T-006, W-024)', async ({ page, browser }) => {
  await signIn(page);
  const project = await storyProject(page, 'Only to read');
  await makeUser(page, ROSA, ['Reader']);
  await share(page, project, ROSA, false);
  const reader = await otherPage(browser, ROSA);
  await expect(reader.getByRole('row').filter({ hasText: 'Only to read' })).toContainText('Read-only');
  await expect(reader.getByRole('button', { name: 'Create project' })).toHaveCount(0);
  await openStory(reader, project);
  const links = reader.getByRole('navigation', { name: 'Project' }).getByRole('link');
  await expect(links).toHaveText(['Documents', 'Explore', 'Labels']);
  await expect(reader.getByRole('button', { name: 'Project actions' })).toHaveCount(0);
  await expect(reader.getByText('Read-only').first()).toBeVisible();
  await shot(reader, '31-reader');
  await selectText(reader, reader.getByRole('group', { name: /^Text of/ }), NAME);
  await expect(reader.getByRole('listbox', { name: 'Labels' })).toHaveCount(0);
  await reader.getByRole('button', { name: /Person \d/ }).click();
  // Shown after a second (C-015), and again for each action that is not possible.
  await expect(reader.getByText('The project is read-only').last()).toBeVisible();
  for (const path of ['/experiments', '/jobs', '/settings', '/addDocuments']) {
    await reader.goto(path);
    await expect(reader).toHaveURL(/\/home$/);
  }
  await reader.context().close();
});

const ANSWERS = [
  {
    status: 500,
    body: { code: 500, message: 'Internal', cause: 'The disk is full' },
    says: ['A bug occurred. The disk is full', 'Contact support.'],
    type: 'error',
  },
  {
    status: 403,
    body: { code: 403, message: 'Forbidden' },
    says: ['Authorization has been denied.', 'Sign out and in again.'],
    type: 'warning',
  },
  {
    status: 400,
    body: { code: 400, message: 'Wrong', cause: 'The name is taken' },
    says: ['The server refused the request (The name is taken).'],
    type: 'warning',
  },
  {
    status: 503,
    body: { code: 503, message: 'Busy' },
    says: ['The server is not available (Busy).', 'Retry later or contact support.'],
    type: 'error',
  },
] as const;

test('failures are reported once, with cause and fix, and fade (E-001, E-003, E-005, E-006, E-009, E-012, E-016, C-003)', async ({
  page,
}) => {
  await signIn(page);
  let answer: (typeof ANSWERS)[number] = ANSWERS[0];
  await page.route('**/api/projects', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: answer.status, json: answer.body }) : route.fallback(),
  );
  await page.getByRole('button', { name: 'Create project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create project' });
  await dialog.getByLabel('Name').fill('Never made');
  const submit = dialog.getByRole('button', { name: 'Create project' });
  const told = page.locator('[data-type]').filter({ hasText: 'We failed to create the project.' });
  for (const [index, next] of ANSWERS.entries()) {
    answer = next;
    await submit.click();
    const card = told.filter({ hasText: next.says[0] });
    await expect(card).toHaveCount(1);
    for (const words of next.says) await expect(card).toContainText(words);
    await expect(card).toHaveAttribute('data-type', next.type);
    if (index === 0) {
      await submit.click();
      await expect(submit).toBeEnabled();
      await expect(told).toHaveCount(1);
    }
  }
  await shot(page, '32-failures');
  await expect(told).toHaveCount(0, { timeout: 12_000 });
});
