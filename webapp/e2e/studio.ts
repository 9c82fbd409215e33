/** Helpers shared by the journeys: signing in, screenshots, direct API calls, accessibility. */
import { randomUUID } from 'node:crypto';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Browser, type Locator, type Page } from '@playwright/test';

export const PASSWORD = process.env['ADMIN_PASSWORD'] ?? '';
const SHOTS = process.env['SHOTS'];

/** Saves a screenshot for visual review, if SHOTS names a folder. */
export async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

export async function fillSignIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: /sign in/i }).click();
}

export async function signIn(page: Page, username = 'admin', password = PASSWORD): Promise<void> {
  await page.goto('/signin');
  await fillSignIn(page, username, password);
  await expect(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible();
}

/** A page of its own, with the administrator signed in. */
export async function signedInPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page);
  return page;
}

/** No WCAG A or AA finding on what is shown. */
export async function expectAccessible(page: Page): Promise<void> {
  // Dialogs open with a delay; elements that are still fading in have other colours.
  await page.waitForTimeout(250);
  await page.waitForFunction(() =>
    document.getAnimations().every((one) => one.playState !== 'running' || one.effect?.getComputedTiming().iterations === Infinity),
  );
  const found = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']).analyze();
  const words = found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`);
  expect(words).toEqual([]);
}

/** Calls the API with the page's session; returns the parsed response. */
export async function api<T>(page: Page, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await page.request.fetch(`/api${path}`, {
    method,
    headers: { 'X-Requested-With': 'XMLHttpRequest', 'Idempotency-Key': randomUUID() },
    ...(body === undefined ? {} : { data: body }),
  });
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  const text = await answer.text();
  return text === '' ? (undefined as T) : (JSON.parse(text) as T);
}

/** Creates a project by the API; returns its name. */
export async function makeProject(page: Page, label: string, nature = 'sequence_labelling', lang = 'en'): Promise<string> {
  const made = await api<{ projectName: string }>(page, 'POST', '/projects', { label, nature, lang });
  return made.projectName;
}

/** Imports documents by the API and waits for the job. */
export async function importDocuments(page: Page, project: string, documents: unknown[], query = ''): Promise<void> {
  const job = await api<{ status: string; statusMessage: string }>(
    page,
    'POST',
    `/projects/${project}/documents/_import_documents?wait=true${query}`,
    documents,
  );
  expect(job.status, job.statusMessage).toBe('COMPLETED');
}

/** Chooses a value of an opened select. */
export async function choose(page: Page, list: Locator, option: string | RegExp): Promise<void> {
  await list.click();
  await page.getByRole('option', { name: option }).click();
}
