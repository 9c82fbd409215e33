/** An administrator creates the accounts of a team; a new user signs in. */
import { expect, test } from '@playwright/test';
import { api, expectAccessible, fillSignIn, shot, signIn } from './studio';

const PASSWORD = 'a good long one';

test('a team gets its accounts: group, role, user; the user signs in, is turned off and on (R-011, S-067, S-068, S-069, T-044)', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000);
  const stamp = String(Date.now());
  await signIn(page);
  await page.getByRole('button', { name: /account/i }).click();
  await page.getByRole('menuitem', { name: /user/i }).click();
  await expect(page).toHaveURL(/\/admin\/users$/);
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Groups' }).click();
  await page.getByRole('button', { name: 'Add group' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: false }).first().fill(`Team ${stamp}`);
  await dialog.getByRole('textbox', { name: 'Users', exact: true }).fill('1');
  await dialog.getByRole('checkbox', { name: 'Reader', exact: true }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row', { name: new RegExp(`Team ${stamp}.*0 of 1.*Reader`) })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Roles' }).click();
  await page.getByRole('row', { name: /^Annotator/ }).hover();
  await page.getByRole('button', { name: 'Copy Annotator', exact: true }).click();
  await dialog.getByLabel('Name', { exact: false }).first().fill(`Curator ${stamp}`);
  await dialog.getByText('Actions').click();
  await dialog.getByRole('checkbox', { name: /^Delete documents/ }).check();
  await expectAccessible(page);
  await shot(page, '60-admin-role');
  await dialog.getByRole('button', { name: 'Add role' }).click();
  await expect(dialog).toBeHidden();
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Users' }).click();
  await page.getByRole('button', { name: 'Add user' }).click();
  await dialog.getByLabel('Username').fill(`u${stamp}`);
  await dialog.getByLabel('Password', { exact: false }).first().fill(PASSWORD);
  await dialog.getByRole('checkbox', { name: `Team ${stamp}` }).check();
  await dialog.getByRole('checkbox', { name: `Curator ${stamp}` }).check();
  await expectAccessible(page);
  await shot(page, '60-admin-user');
  await dialog.getByRole('button', { name: 'Add user' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('searchbox', { name: 'Find by name or email' }).fill(stamp);
  const row = page.getByRole('row', { name: new RegExp(`u${stamp}`) });
  await expect(row).toContainText(`Team ${stamp}`);
  await expect(row).toContainText(`Curator ${stamp}`);
  await expect(row).toContainText('Reader');

  const other = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  try {
    const theirs = await other.newPage();
    await theirs.goto('/signin');
    await fillSignIn(theirs, `u${stamp}`, PASSWORD);
    await expect(theirs).toHaveURL(/\/home$/);
    await theirs.goto('/admin/users');
    await expect(theirs).toHaveURL(/\/home$/);
    await row.hover();
    await row.getByRole('button', { name: /^Disable/ }).click();
    await expect(row).toContainText('disabled');
    await theirs.reload();
    await expect(theirs).toHaveURL(/\/signin/);
    await row.getByRole('button', { name: /sign in again$/ }).click();
    await expect(row).toContainText('active');
    await fillSignIn(theirs, `u${stamp}`, PASSWORD);
    await expect(theirs).toHaveURL(/\/home$/);
  } finally {
    await other.close();
  }

  // The group is full: the refusal is shown, and the input is kept.
  await page.getByRole('button', { name: 'Add user' }).click();
  await dialog.getByLabel('Username').fill(`v${stamp}`);
  await dialog.getByLabel('Password', { exact: false }).first().fill(PASSWORD);
  await dialog.getByRole('checkbox', { name: `Team ${stamp}` }).check();
  await dialog.getByRole('button', { name: 'Add user' }).click();
  await expect(page.getByText(/already has its maximum of 1 users?/)).toBeVisible();
  await expect(dialog.getByLabel('Username')).toHaveValue(`v${stamp}`);
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await row.hover();
  await row.getByRole('button', { name: /^Delete/ }).click();
  await dialog.getByRole('button', { name: 'Delete user' }).click();
  await expect(row).toHaveCount(0);
  await api(page, 'DELETE', `/groups/team_${stamp}`);
  await api(page, 'DELETE', `/roles/Curator${stamp}`);
});
