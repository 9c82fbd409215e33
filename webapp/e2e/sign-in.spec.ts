import { expect, test } from '@playwright/test';
import { expectAccessible, fillSignIn, PASSWORD, shot, signIn } from './studio';

test('a protected page leads to sign-in and back (N-001, N-003, N-012, R-030)', async ({ page }) => {
  await page.goto('/profile');
  await expect(page).toHaveURL(/\/signin\?redirect=%2Fprofile$/);
  await expect(page).toHaveTitle(/Annotarium.*Sign in/);
  await expectAccessible(page);
  await shot(page, '01-sign-in');
  await fillSignIn(page, 'admin', 'wrong password');
  await expect(page.getByText('The username or the password is wrong')).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveValue('admin');
  await fillSignIn(page, 'admin', PASSWORD);
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page).toHaveTitle(/Annotarium.*Profile/);
});

test('redirects to other sites are not followed', async ({ page }) => {
  await page.goto('/signin?redirect=//elsewhere.example/');
  await fillSignIn(page, 'admin', PASSWORD);
  await expect(page).toHaveURL(/\/home$/);
});

test('a signed-in user does not see the sign-in page, and signs out (N-002, T-002, T-003)', async ({ page }) => {
  await signIn(page);
  await page.goto('/signin');
  await expect(page).toHaveURL(/\/home$/);
  await page.getByRole('button', { name: /account/i }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/signin/);
  await page.goto('/home');
  await expect(page).toHaveURL(/\/signin\?redirect=%2Fhome$/);
});

test('pages that need a project lead home without one (N-004, R-001)', async ({ page }) => {
  await signIn(page);
  await page.goto('/');
  await expect(page).toHaveURL(/\/home$/);
  await page.goto('/labels/default');
  await expect(page).toHaveURL(/\/home$/);
});

test('the web app is available in French (C-058, W-002, W-027)', async ({ page }) => {
  await signIn(page);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /language/i })
    .click();
  await page.getByRole('menuitem', { name: /français/i }).click();
  await expect(page.getByRole('heading', { name: 'Projets', level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expectAccessible(page);
  await shot(page, '02-home-fr');
});
