/** An unsubmitted query with a syntax error changes nothing on the screen. */
import { expect, test, type Page } from '@playwright/test';
import { importDocuments, makeProject, shot, signIn } from './studio';

let page: Page;
let project = '';

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Half typed');
  await importDocuments(page, project, [
    { identifier: 'a', title: 'One', text: 'The harbour of Halden was repaired.' },
    { identifier: 'b', title: 'Two', text: 'Nobody came.' },
  ]);
});
test.afterAll(() => page.context().close());

for (const [screen, found] of [
  ['documents', '2 documents'],
  ['explore', '2 segments'],
] as const) {
  test(`${screen}: a half-typed query leaves the results until it is sent (E-019)`, async () => {
    await page.goto(`/openProject/${project}/${screen}`);
    await expect(page.getByText(found, { exact: true })).toBeVisible();
    // Only the advanced mode has queries with syntax errors.
    await page.getByRole('switch').first().click();
    const refused = page.waitForResponse((answer) => answer.status() === 400 && answer.url().includes('search'));
    const box = page.getByRole('search').getByRole('textbox');
    await box.pressSequentially('"open');
    await refused;
    await expect(page.getByText(found, { exact: true })).toBeVisible();
    await expect(page.getByText('Your search query is incorrect')).toHaveCount(0);
    await shot(page, `half-typed-${screen}`);
    await box.press('Enter');
    await expect(page.getByText('Your search query is incorrect').first()).toBeVisible();
  });
}
