/** Two users: one creates an invitation link, the other opens it without being signed in, signs in and accepts it. */
import { expect, test } from '@playwright/test';
import { api, expectAccessible, fillSignIn, makeProject, shot, signIn } from './studio';

const RUN = String(Date.now());
const BOB = `bob-${RUN}`;
const SECRET = 'a good long password';

test('a link of invitation opens the project for another user', async ({ page, browser }) => {
  await signIn(page);
  await api(page, 'POST', '/users', { username: BOB, password: SECRET, profilename: 'Bob', roles: ['Reader', 'Annotator'], groups: [] });
  const project = await makeProject(page, `Films ${RUN}`);
  await page.goto(`/openProject/${project}/documents`);
  await page.getByRole('button', { name: 'Share', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create a link' }).click();
  const code = dialog.getByText(/\/invitation#/);
  await expect(code).toBeVisible();
  const link = (await code.textContent()) ?? '';
  await expect(dialog.getByRole('list', { name: 'Invitation links' }).getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page);
  await shot(page, 'invitation-share');

  const bob = await (await browser.newContext()).newPage();
  const requested: string[] = [];
  bob.on('request', (request) => requested.push(request.url()));
  await bob.goto(link);
  await expect(bob.getByLabel('Username')).toBeVisible();
  expect(bob.url()).not.toContain(link.split('#')[1]);
  await fillSignIn(bob, BOB, SECRET);
  await expect(bob.getByRole('heading', { name: `Administrator invites you to the project “Films ${RUN}”`, exact: true })).toBeVisible();
  await expect(bob.getByText('You may read it.')).toBeVisible();
  await expectAccessible(bob);
  await shot(bob, 'invitation-page');
  await bob.getByRole('button', { name: 'Accept' }).click();
  await expect(bob).not.toHaveURL(/invitation/);
  await expect(bob.getByText(`Films ${RUN}`).first()).toBeVisible();
  expect((await api<{ readOnly: boolean }>(bob, 'GET', `/projects/${project}/_info`)).readOnly).toBe(true);
  // Playwright reports the fragment of the page that was opened; no other request contains the token.
  const token = link.split('#')[1] ?? '';
  expect(requested.filter((url) => url.includes(token) && !url.startsWith(link))).toEqual([]);

  // Removed from the project, the same link does not lead back.
  await api(page, 'DELETE', `/projects/${project}/shares/users/${BOB}`);
  await bob.goto('/home');
  await bob.goto(link);
  await expect(bob.getByText('This invitation is not valid')).toBeVisible();
  await bob.getByRole('button', { name: 'To the projects' }).click();
  await expect(bob.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();

  // Revoked, it is valid for nobody.
  const { invitations } = await api<{ invitations: { id: string }[] }>(page, 'GET', `/projects/${project}/invitations`);
  await dialog.getByRole('button', { name: /^Revoke the link of Administrator/ }).click();
  await expect(dialog.getByRole('list', { name: 'Invitation links' })).toHaveCount(0);
  expect(invitations).toHaveLength(1);
  await bob.context().close();
});
