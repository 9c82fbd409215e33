/** Every screen, light and dark, in English and French: no WCAG A or AA violation. */
import { expect, test, type Page } from '@playwright/test';
import { films } from './corpora';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

const SCREENS = [
  '/home',
  '/documents',
  '/explore',
  '/compare-search',
  '/labels/default',
  '/suggestions',
  '/experiments',
  '/gazetteers/lexicons',
  '/gazetteers/annotators',
  '/gazetteers/terms',
  '/gazetteers/settings',
  '/test',
  '/dashboard',
  '/jobs',
  '/settings/general',
  '/settings/sharing',
  '/settings/documents',
  '/settings/search',
  '/settings/suggesters',
  '/settings/plans',
  '/settings/danger',
  '/addDocuments',
  '/globalJobs',
  '/profile',
];

/** Screens for questions with their drawer open, which only projects of that nature have. */
async function visitQuestions(page: Page, look: string): Promise<void> {
  const project = await makeProject(page, `Questions, ${look}`, 'question_answering');
  await importDocuments(page, project, [{ identifier: 'gate', title: 'Gates', text: 'The lock gates are made of oak.' }]);
  await api(page, 'POST', `/projects/${project}/questions`, { text: 'What are the lock gates made of?', answers: ['oak'] });
  await page.goto(`/openProject/${project}/answers`);
  await expect(page.getByRole('tab', { name: /^Questions/ })).toBeVisible();
  for (const path of ['/answers?tab=questions', '/compare-search?tab=questions', '/experiments?tab=search', '/experiments?tab=answers']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    if (path.endsWith('questions')) await expect(page.getByRole('tab', { name: /^Questions/ })).toHaveAttribute('aria-selected', 'true');
    await test.step(`${look} ${path}`, () => expectAccessible(page));
    await shot(page, `51-${look}-${path.split(/[/?=]/u).filter(Boolean).join('-')}`);
  }
}

async function visit(page: Page, look: string): Promise<void> {
  for (const path of SCREENS) {
    await page.goto(path);
    await expect(page.locator('#main, main').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    await test.step(`${look} ${path}`, () => expectAccessible(page));
    await shot(page, `50-${look}-${path.split(/[/?=]/u).filter(Boolean).join('-')}`);
  }
  await page.goto('/documents');
  await page.locator('tbody').getByRole('row').first().click();
  await expect(page.locator('mark[data-spans]').first()).toBeVisible();
  await test.step(`${look} document`, () => expectAccessible(page));
  await shot(page, `50-${look}-document`);
  await states(page, look);
}

/** Dialogs and panels of the screens: document history, job report, shares of a project, page of a plan, keyboard help. */
async function states(page: Page, look: string): Promise<void> {
  const check = async (name: string) => {
    await test.step(`${look} ${name}`, () => expectAccessible(page));
    await shot(page, `50-${look}-${name}`);
  };
  await page.getByRole('button', { name: /^(show the history|afficher l.historique)/i }).click();
  await expect(page.getByRole('button', { name: /^(hide the history|masquer l.historique)/i }).first()).toBeVisible();
  await check('history');
  await page.goto('/jobs');
  await page
    .getByRole('row')
    .filter({ hasText: /import/i })
    .last()
    .click();
  await expect(page.getByRole('table').nth(1)).toBeVisible();
  await check('report');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^(share|partager)$/i })
    .click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await check('shares');
  await page.keyboard.press('Escape');
  await page.goto('/plans');
  await page.getByRole('button', { name: /^(new pipeline|nouvelle chaîne)$/i }).click();
  await expect(page.getByRole('heading', { name: /^(new plan|nouveau plan)/i })).toBeAttached();
  await check('plan');
  await page.goto('/plans');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The heading can appear before the shortcut listener is attached; a single press can be lost.
  await expect(async () => {
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await check('keys');
}

for (const look of ['light', 'dark'] as const) {
  test.describe(look, () => {
    test.use({ colorScheme: look });
    test(`every screen is free of findings, ${look}`, async ({ page }) => {
      // Some twenty axe runs, each a second or more on a slow machine.
      test.setTimeout(360_000);
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
      await visitQuestions(page, look);
    });
  });
}
