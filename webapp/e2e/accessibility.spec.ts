/** Every screen, light and dark, English and French: no WCAG A or AA finding. */
import { expect, test, type Page } from '@playwright/test';
import { films } from './corpora';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

const SCREENS = [
  '/home',
  '/documents',
  '/explore',
  '/labels/default',
  '/suggestions',
  '/experiments',
  '/test',
  '/dashboard',
  '/jobs',
  '/settings/suggesters',
  '/settings/advanced',
  '/addDocuments',
  '/globalJobs',
  '/profile',
];

async function visit(page: Page, look: string): Promise<void> {
  for (const path of SCREENS) {
    await page.goto(path);
    await expect(page.locator('#main, main').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    await test.step(`${look} ${path}`, () => expectAccessible(page));
    await shot(page, `50-${look}-${path.split('/').filter(Boolean).join('-')}`);
  }
  await page.goto('/documents');
  await page.locator('tbody').getByRole('row').first().click();
  await expect(page.locator('mark[data-spans]').first()).toBeVisible();
  await test.step(`${look} document`, () => expectAccessible(page));
  await shot(page, `50-${look}-document`);
}

for (const look of ['light', 'dark'] as const) {
  test.describe(look, () => {
    test.use({ colorScheme: look });
    test(`every screen is free of findings, ${look}`, async ({ page }) => {
      await signIn(page);
      const project = await makeProject(page, `Biographies, ${look}`);
      await importDocuments(page, project, films());
      await api(page, 'POST', `/projects/${project}/experiments`, { engine: 'crf', label: 'CRF', parameters: {} });
      await page.goto(`/openProject/${project}`);
      await expect(page).toHaveURL(/\/documents/);
      if (look === 'dark') {
        await page
          .getByRole('banner')
          .getByRole('button', { name: /language/i })
          .click();
        await page.getByRole('menuitem', { name: /français/i }).click();
        await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
        await page.getByRole('button', { name: /compte/i }).click();
        await page.getByRole('menuitem', { name: /système/i }).click();
      }
      await visit(page, look);
    });
  });
}
