/** What is sent before a page is usable, by the browser's own count; the build checks the same budgets (`build/first-load-budget.ts`). */
import { expect, test, type Page } from '@playwright/test';
import { fillSignIn, PASSWORD } from './studio';

interface Sent {
  readonly url: string;
  readonly bytes: number;
  readonly encoding: string | undefined;
}

/** Counts what the network sends, headers included, from now on. */
async function counting(page: Page): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const answers = new Map<string, { readonly url: string; readonly encoding: string | undefined }>();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const encoding = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
    answers.set(requestId, { url: response.url, encoding });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const answer = answers.get(requestId);
    if (answer !== undefined) sent.push({ ...answer, bytes: encodedDataLength });
  });
  return sent;
}

/** Headers and an empty list: what a list contains depends on what the other journeys left on the server. */
const EMPTY_LIST = 1_100;
const isList = (url: string) => /\/api\/(projects|jobs|users|themes)$/u.test(new URL(url).pathname);
const total = (sent: readonly Sent[]) => sent.reduce((sum, { url, bytes }) => sum + (isList(url) ? Math.min(bytes, EMPTY_LIST) : bytes), 0);
const list = (sent: readonly Sent[]) => sent.map(({ url, bytes }) => `${bytes} ${new URL(url).pathname}`).join('\n');

/** Loading ahead starts when the page is idle: it is not part of what the page needs. */
async function withoutLoadingAhead(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
}

const filesOf = (sent: readonly Sent[], kind: RegExp) => sent.filter(({ url }) => kind.test(new URL(url).pathname));

for (const locale of ['en-GB', 'fr-FR']) {
  test.describe(locale, () => {
    test.use({ locale });

    test('sign-in takes 12 requests and 150 kB, with home 30 and 250 kB', async ({ page }) => {
      await withoutLoadingAhead(page);
      const sent = await counting(page);
      await page.goto('/');
      await expect(page.locator('input[name=username]')).toBeVisible();
      await page.waitForLoadState('networkidle');
      console.info(`${locale}: sign-in: ${sent.length} requests, ${total(sent)} bytes\n${list(sent)}`);
      expect(sent.length, list(sent)).toBeLessThanOrEqual(12);
      expect(total(sent), list(sent)).toBeLessThanOrEqual(150_000);
      expect(filesOf(sent, /\.(js|css|html)$/u).filter(({ encoding }) => encoding !== 'br')).toEqual([]);
      expect(filesOf(sent, /\.woff2$/u), 'one font file has all characters').toHaveLength(1);
      expect(list(sent)).not.toMatch(/studio|admin|bulk|dialog|screen/u);
      const before = sent.length;
      await page.locator('input[name=username]').fill('admin');
      await page.locator('input[name=password]').fill(PASSWORD);
      await page.locator('button[type=submit]').click();
      await expect(page.getByRole('heading', { name: /^(Projects|Projets)$/u, level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      console.info(`${locale}: with home: ${sent.length} requests, ${total(sent)} bytes\n${list(sent.slice(before))}`);
      expect(sent.length, list(sent)).toBeLessThanOrEqual(30);
      expect(total(sent), list(sent)).toBeLessThanOrEqual(250_000);
      expect(list(sent)).not.toMatch(/admin-|bulk|dialog|-screen/u);
    });
  });
}

test('the next screen is loaded while nothing else is to do', async ({ page }) => {
  const sent = await counting(page);
  await page.goto('/signin');
  await expect(page.getByLabel('Username')).toBeVisible();
  await expect.poll(() => list(sent)).toMatch(/\/studio-[^/]*\.js/u);
  // Signing in then waits for answers of the server only.
  const before = sent.length;
  await fillSignIn(page, 'admin', PASSWORD);
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
  expect(list(sent.slice(before))).not.toMatch(/studio|shell|home-screen|\.css/u);
});

test('sign-in returns to the page that was asked for; going back does not sign in again', async ({ page }) => {
  await page.goto('/profile?from=mail');
  await expect(page).toHaveURL(/\/signin\?redirect=%2Fprofile%3Ffrom%3Dmail$/u);
  await expect(page).toHaveTitle('Annotarium - Sign in');
  await fillSignIn(page, 'admin', 'wrong-password');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveValue('admin');
  await fillSignIn(page, 'admin', PASSWORD);
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/profile\?from=mail$/u);
  await expect(page).toHaveTitle('Annotarium - Profile');
  await page.getByRole('link', { name: 'Annotarium' }).first().click();
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
  // The first page of a visit is the studio now.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
});

test('a password is asked for again when the code of the studio did not arrive', async ({ page }) => {
  await withoutLoadingAhead(page);
  let away = true;
  await page.route(/\/studio-[^/]*\.js$/u, (route) => (away ? route.abort() : route.continue()));
  await page.goto('/signin');
  await fillSignIn(page, 'admin', PASSWORD);
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD);
  away = false;
  await page.getByRole('button', { name: /sign in/i }).click();
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
});

test('files come as the build compressed them, and once', async ({ request, page }) => {
  await page.goto('/signin');
  const script = await page.locator('script[type=module]').first().getAttribute('src');
  const first = await request.get(script ?? '', { headers: { 'accept-encoding': 'gzip' } });
  expect(first.headers()).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  const again = await request.get(script ?? '', { headers: { 'accept-encoding': 'gzip', 'if-none-match': first.headers()['etag'] ?? '' } });
  expect(again.status()).toBe(304);
});
