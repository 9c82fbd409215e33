/** A user annotates while the server is killed and restarted: nothing is lost or duplicated. */
import { expect, test, type Page } from '@playwright/test';
import { OwnServer } from './own-server';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';
import { selectText } from './text';

const NAMES = Array.from({ length: 20 }, (_, at) => `Person${String(at + 1).padStart(2, '0')}`);
const TEXT = `${NAMES.map((word) => `${word} spoke.`).join(' ')} 👩🏽‍🚀`;

interface Held {
  readonly annotations: readonly { readonly text: string; readonly start: number; readonly end: number }[];
}

let server: OwnServer;
let page: Page;
const surface = () => page.getByRole('group', { name: 'Text of Speakers' });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000);
  server = await OwnServer.create();
  await server.start();
  page = await (await browser.newContext({ baseURL: server.address })).newPage();
  page.on('dialog', (dialog) => void dialog.accept());
});
test.afterAll(async () => {
  await page.context().close();
  await server.remove();
});

test('labels twenty spans while the server is killed twice', async () => {
  test.setTimeout(300_000);
  await signIn(page);
  const project = await makeProject(page, 'Speakers');
  await api(page, 'POST', `/projects/${project}/labels`, { label: 'Person' });
  await importDocuments(page, project, [{ identifier: 'speakers', title: 'Speakers', text: TEXT }]);
  await page.goto(`/openProject/${project}/documents`);
  await expect(page.getByText('1 document').first()).toBeVisible();
  await page.goto(`/document/${Buffer.from(JSON.stringify({ documentIdentifier: 'speakers' })).toString('base64url')}`);
  await expect(surface()).toBeVisible();
  const label = async (words: readonly string[]) => {
    for (const word of words) {
      await selectText(page, surface(), word);
      await page.keyboard.press('1');
    }
  };
  const waiting = (count: number) => expect(page.getByText(new RegExp(`Offline, ${String(count)} changes? waiting`))).toBeVisible();
  const saved = () => expect(page.getByText('All changes saved')).toBeVisible({ timeout: 60_000 });

  await label(NAMES.slice(0, 4));
  // Killed while an edit is being sent: it may have been applied, but the response is lost.
  await Promise.all([label(NAMES.slice(4, 8)), server.kill()]);
  await label(NAMES.slice(8, 11));
  await expect(page.getByText(/Offline, \d+ changes? waiting/)).toBeVisible();
  await expectAccessible(page);
  await shot(page, '63-offline');
  await server.start();
  await saved();

  await server.kill();
  await label(NAMES.slice(11, 17));
  // Undone while the server is unreachable: the undo is queued after its edit, and survives the page.
  await page.keyboard.press('Control+z');
  await waiting(7);
  await server.start();
  // The page is left before everything is sent: the next page sends the rest.
  await page.reload();
  await expect(surface()).toBeVisible();
  await label(NAMES.slice(16));
  await saved();

  const { annotations } = await api<Held>(page, 'GET', `/projects/${project}/documents/speakers`);
  expect(annotations.map(({ text }) => text).sort()).toEqual(NAMES);
  const points = [...TEXT];
  for (const { text, start, end } of annotations) expect(points.slice(start, end).join('')).toBe(text);
});
