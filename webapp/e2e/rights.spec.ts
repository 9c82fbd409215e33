/** Administered accounts, shared projects, and the user's own password, from the view of the users concerned. */
import { expect, test, type Page } from '@playwright/test';
import { api, expectAccessible, makeProject, shot, signIn } from './studio';

const SECRET = 'a good long password';

async function makeUser(page: Page, username: string, roles: string[], groups: string[]): Promise<void> {
  await api(page, 'POST', '/users', { username, password: SECRET, profilename: username, roles, groups });
}

test('a group administrator sees why an account cannot be changed', async ({ page, browser }) => {
  await signIn(page);
  const { name } = await api<{ name: string }>(page, 'POST', '/groups', { label: 'Rights press' });
  await makeUser(page, 'rights-head', ['GroupUserAdmin', 'Reader'], [name]);
  await makeUser(page, 'rights-own', ['Reader'], [name]);
  await makeUser(page, 'rights-strong', ['PlatformProjectAdmin'], [name]);
  const head = await (await browser.newContext()).newPage();
  await signIn(head, 'rights-head', SECRET);
  await head.goto('/admin/users');
  await expect(head.getByRole('button', { name: 'Delete rights-own' })).toBeEnabled();
  await expect(head.getByRole('button', { name: 'Delete rights-strong' })).toBeDisabled();
  await head.getByRole('button', { name: 'Edit rights-strong' }).click();
  await expect(head.getByText(/^It has the permission /)).toBeVisible();
  await expectAccessible(head);
  for (const width of [1280, 390]) {
    await head.setViewportSize({ width, height: 800 });
    await shot(head, `rights-not-yours-${width}`);
  }
});

test('a recipient sees who shared a project, and leaves it; changing the password requires the old one', async ({ page, browser }) => {
  await signIn(page);
  const { name } = await api<{ name: string }>(page, 'POST', '/groups', { label: 'Rights radio' });
  await makeUser(page, 'rights-reader', ['Reader', 'Annotator'], [name]);
  const project = await makeProject(page, 'Rights shared');
  await api(page, 'POST', `/projects/${project}/shares/users?username=rights-reader`, { read: true, write: false });
  const reader = await (await browser.newContext()).newPage();
  await signIn(reader, 'rights-reader', SECRET);
  await expect(reader.getByText('shared by admin')).toBeVisible();
  await shot(reader, 'rights-shared-1280');
  await reader.setViewportSize({ width: 390, height: 800 });
  await shot(reader, 'rights-shared-390');
  await reader.setViewportSize({ width: 1280, height: 800 });
  await reader.getByRole('button', { name: 'Actions on Rights shared' }).click();
  await reader.getByRole('menuitem', { name: 'Leave' }).click();
  await expect(reader.getByText(/^admin shared it with you/)).toBeVisible();
  await expectAccessible(reader);
  await shot(reader, 'rights-leave');
  await reader.getByRole('button', { name: 'Leave project' }).click();
  await expect(reader.getByText('shared by admin')).toHaveCount(0);

  await reader.goto('/profile');
  await reader.getByLabel('Current password').fill('not this one');
  await reader.getByLabel('New password', { exact: true }).fill('another good password');
  await reader.getByLabel('New password again').fill('another good password');
  await reader.getByRole('button', { name: 'Change password' }).click();
  await expect(reader.getByText('The current password is wrong').first()).toBeVisible();
  await shot(reader, 'rights-password');
  await expect(reader.getByLabel('New password', { exact: true })).toHaveValue('another good password');
  await reader.getByLabel('Current password').fill(SECRET);
  await reader.getByRole('button', { name: 'Change password' }).click();
  await expect(reader.getByText('Password changed')).toBeVisible();
});
