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

const total = (sent: readonly Sent[]) => sent.reduce((sum, { bytes }) => sum + bytes, 0);
const list = (sent: readonly Sent[]) => sent.map(({ url, bytes }) => `${bytes} ${new URL(url).pathname}`).join('\n');

/** Loading ahead starts when the page is idle: it is not part of what the page needs. */
async function withoutLoadingAhead(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
}

test('sign-in takes 12 requests and 150 kB, with home 250 kB', async ({ page }) => {
  await withoutLoadingAhead(page);
  const sent = await counting(page);
  await page.goto('/signin');
  await expect(page.getByLabel('Username')).toBeVisible();
  await page.waitForLoadState('networkidle');
  console.info(`sign-in: ${sent.length} requests, ${total(sent)} bytes`);
  expect(sent.length, list(sent)).toBeLessThanOrEqual(12);
  expect(total(sent), list(sent)).toBeLessThanOrEqual(150_000);
  expect(sent.filter(({ url }) => /\.(js|css)$/u.test(url)).filter(({ encoding }) => encoding === undefined)).toEqual([]);
  expect(list(sent)).not.toMatch(/admin|bulk|import-dialog|shell|home-screen/u);
  await fillSignIn(page, 'admin', PASSWORD);
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  console.info(`with home: ${sent.length} requests, ${total(sent)} bytes`);
  expect(total(sent), list(sent)).toBeLessThanOrEqual(250_000);
});

test('the next screen is loaded while nothing else is to do', async ({ page }) => {
  const sent = await counting(page);
  await page.goto('/signin');
  await expect(page.getByLabel('Username')).toBeVisible();
  await expect.poll(() => list(sent)).toMatch(/home-screen/u);
  // Only if the page needs nothing for it any more does the first click cost no waiting.
  const before = sent.length;
  await fillSignIn(page, 'admin', PASSWORD);
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
  expect(sent.slice(before).filter(({ url }) => url.endsWith('.js')).length).toBeLessThanOrEqual(2);
});

test('files come as the build compressed them, and once', async ({ request, page }) => {
  await page.goto('/signin');
  const script = await page.locator('script[type=module]').first().getAttribute('src');
  const first = await request.get(script ?? '', { headers: { 'accept-encoding': 'gzip' } });
  expect(first.headers()).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  const again = await request.get(script ?? '', { headers: { 'accept-encoding': 'gzip', 'if-none-match': first.headers()['etag'] ?? '' } });
  expect(again.status()).toBe(304);
});
