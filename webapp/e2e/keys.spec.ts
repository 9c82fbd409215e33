/** API keys: created in the profile, restricted, shown once, used by a program, revoked. */
import { expect, test, type Page } from '@playwright/test';
import { expectAccessible, makeProject, shot, signIn } from './studio';

/** HTTP status for a program that only sends the key. */
async function status(page: Page, method: string, path: string, key: string): Promise<number> {
  const program = await page.context().browser()?.newContext();
  if (program === undefined) throw new Error('no browser');
  const answer = await program.request.fetch(`/api${path}`, { method, headers: { 'X-Kairntech-key': key }, failOnStatusCode: false });
  await program.close();
  return answer.status();
}

test('a key limited to one project reads it and nothing else, until it is revoked', async ({ page }) => {
  await signIn(page);
  const inside = await makeProject(page, 'Keys inside');
  const outside = await makeProject(page, 'Keys outside');
  await page.goto('/profile');
  await expect(page.getByText('You have no API keys.')).toBeVisible();
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByLabel('Name').fill('Nightly export');
  await dialog.getByRole('combobox', { name: 'In which projects?' }).click();
  await page.getByRole('option', { name: 'Selected projects' }).click();
  await dialog.getByRole('checkbox', { name: 'Keys inside' }).check();
  await expectAccessible(page);
  await shot(page, 'keys-dialog');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'Key “Nightly export” created' });
  const key = (await shown.getByText(/^ann_/).textContent()) ?? '';
  await expectAccessible(page);
  await shot(page, 'keys-shown');
  await shown.getByRole('button', { name: 'I have copied it' }).click();
  await expect(page.getByText(key)).toHaveCount(0);

  expect(await status(page, 'GET', `/projects/${inside}/_info`, key)).toBe(200);
  expect(await status(page, 'GET', `/projects/${outside}/_info`, key)).toBe(404);
  expect(await status(page, 'DELETE', `/projects/${inside}`, key)).toBe(403);
  expect(await status(page, 'POST', '/users/admin/keys', key)).toBe(403);

  const row = page.getByRole('row').filter({ hasText: 'Nightly export' });
  await expect(row).toContainText(`Only reads projects, only projects ${inside}`);
  await expectAccessible(page);
  for (const [name, width, colorScheme] of [
    ['light', 1280, 'light'],
    ['dark', 1280, 'dark'],
    ['narrow', 390, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 1100 });
    await page.getByRole('heading', { name: 'API keys' }).scrollIntoViewIfNeeded();
    await shot(page, `keys-${name}`);
  }
  await expect(page.getByRole('list', { name: 'API keys' })).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Revoke: Nightly export' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('The key Nightly export is revoked')).toBeVisible();
  expect(await status(page, 'GET', '/projects', key)).toBe(401);
});
