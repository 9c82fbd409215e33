/** What the screens offer to each role, the list for users who may not search, and API keys of other accounts. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

const SECRET = 'a good long password';

async function makeUser(page: Page, username: string, roles: string[], permissions: string[] = [], groups: string[] = []): Promise<void> {
  await api(page, 'POST', '/users', { username, password: SECRET, profilename: username, roles, permissions, groups });
}

async function filled(page: Page, label: string): Promise<string> {
  const project = await makeProject(page, label);
  await api(page, 'POST', `/projects/${project}/labels`, { label: 'Person' });
  await importDocuments(page, project, [
    { identifier: 'd1', title: 'First', text: 'Anna left Paris.' },
    { identifier: 'd2', title: 'Second', text: 'Bob stayed there.' },
  ]);
  return project;
}

async function openAs(browser: Browser, username: string, path = ''): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, username, SECRET);
  if (path !== '') await page.goto(path);
  return page;
}

/** Texts of the navigation entries. */
const entries = (page: Page) => page.getByRole('navigation', { name: 'Project', exact: true }).getByRole('link').allInnerTexts();

interface Offered {
  readonly role: string;
  readonly screens: readonly string[];
  readonly addLabel: boolean;
  readonly imports: boolean;
  readonly exports: boolean;
}
const WORK = ['Documents', 'Explore', 'Labels'];
const ALL = [...WORK, 'Suggestions', 'Experiments', 'Vocabularies', 'Plans', 'Test', 'Dashboard', 'Jobs', 'Settings'];
const ROLES: readonly Offered[] = [
  { role: 'Reader', screens: WORK, addLabel: false, imports: false, exports: false },
  { role: 'Annotator', screens: [...WORK, 'Suggestions', 'Test'], addLabel: true, imports: false, exports: false },
  { role: 'Evaluator', screens: ALL, addLabel: true, imports: true, exports: false },
  { role: 'ProjectManager', screens: ALL, addLabel: true, imports: true, exports: true },
];

test('each role is offered its screens and actions (P-045, P-057, P-058, P-059)', async ({ page, browser }) => {
  await signIn(page);
  const project = await filled(page, 'Permissions roles');
  for (const { role, screens, addLabel, imports, exports } of ROLES) {
    const username = `may-${role.toLowerCase()}`;
    await makeUser(page, username, [role]);
    await api(page, 'POST', `/projects/${project}/shares/users?username=${username}`, { read: true, write: true });
    const theirs = await openAs(browser, username, `/openProject/${project}/documents`);
    await expect(theirs.getByText('2 documents').first()).toBeVisible();
    expect(await entries(theirs), role).toEqual(screens);
    await expect(theirs.getByRole('search'), role).toHaveCount(1);
    await shot(theirs, `permissions-${role}`);
    const actions = theirs.getByRole('button', { name: 'Actions', exact: true });
    if (await actions.count()) {
      await actions.first().click();
      await expect(theirs.getByRole('menuitem', { name: /^Export/ }), role).toHaveCount(exports ? 1 : 0);
      await theirs.keyboard.press('Escape');
    } else expect(exports, role).toBe(false);
    await theirs.goto('/labels/default');
    await expect(theirs.getByRole('heading', { name: 'Labels', level: 1 })).toBeVisible();
    const adding = theirs.getByRole('button', { name: /^Add label/ });
    if (addLabel) await expect(adding.first(), role).toBeVisible();
    else await expect(adding, role).toHaveCount(0);
    await theirs.goto('/addDocuments');
    await expect(theirs, role).toHaveURL(imports ? /addDocuments/ : /home/);
    await theirs.context().close();
  }
});

test('users who may see documents but not search get the list, without search controls', async ({ page, browser }) => {
  await signIn(page);
  const project = await filled(page, 'Permissions list');
  const seeing = ['seeHomepage', 'seeDocuments', 'seeExplore', 'readFacet:*', 'readModeAnnot:all', `readProject:${project}`];
  await makeUser(page, 'may-list', [], seeing);
  const lister = await openAs(browser, 'may-list', `/openProject/${project}/documents`);
  await expect(lister.getByText('2 documents').first()).toBeVisible();
  await expect(lister.getByRole('link', { name: 'First' }).or(lister.getByText('First')).first()).toBeVisible();
  await expect(lister.getByRole('search')).toHaveCount(0);
  await expect(lister.getByRole('complementary', { name: 'Filters' })).toHaveCount(0);
  await expectAccessible(lister);
  await shot(lister, 'permissions-list-1280');
  await lister.setViewportSize({ width: 390, height: 800 });
  await shot(lister, 'permissions-list-390');
  await lister.setViewportSize({ width: 1280, height: 800 });
  await lister.getByText('Second').first().click();
  await expect(lister.getByText('Bob stayed there.')).toBeVisible();
  await lister.goto('/explore');
  await expect(lister.getByText('Anna left Paris.')).toBeVisible();
  await shot(lister, 'permissions-explore');
});

test('an administrator sees and revokes the API keys of an account, and can keep them when changing the password', async ({
  page,
  browser,
}) => {
  await signIn(page);
  await makeUser(page, 'may-keys', ['ProjectManager']);
  const own = await openAs(browser, 'may-keys');
  for (const label of ['Nightly', 'Forgotten']) await api(own, 'POST', '/users/may-keys/keys', { label });
  await page.goto('/admin/users');
  await page.getByRole('button', { name: 'Edit may-keys' }).click();
  const dialog = page.getByRole('dialog', { name: 'User may-keys' });
  await expect(dialog.getByText('Nightly')).toBeVisible();
  await dialog.getByText('Forgotten').scrollIntoViewIfNeeded();
  await expectAccessible(page);
  for (const width of [390, 1920, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await shot(page, `permissions-keys-${width}`);
  }
  await dialog.getByRole('button', { name: 'Revoke: Forgotten' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(dialog.getByText('Forgotten')).toHaveCount(0);
  await dialog.getByLabel('New password').fill('another good password');
  const revoke = dialog.getByRole('switch', { name: 'Also revoke the API key' });
  await expect(revoke).toBeChecked();
  await revoke.scrollIntoViewIfNeeded();
  await shot(page, 'permissions-password');
  await revoke.click();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await api<unknown[]>(page, 'GET', '/users/may-keys/keys')).toHaveLength(1);
});
