/** Suggesters of a project: created with the form of a learner, started, answered, cloned, deleted; the predefined ones without a server. */
import { expect, test, type Page } from '@playwright/test';
import { api, expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const NAMES = ['Ada Lovelace', 'Anna Berg', 'Paul Klee', 'Marie Curie'];
const PLACES = ['Paris', 'London', 'Rome', 'Berlin'];
let page: Page;
let project = '';

const dialog = () => page.getByRole('dialog');
const detail = (name: string) => page.getByRole('region', { name, exact: true });
const suggesters = () =>
  api<{ name: string; label: string; training: boolean; parameters: object }[]>(page, 'GET', `/projects/${project}/suggesters`);

function notes() {
  return Array.from({ length: 40 }, (_, number) => {
    const [name = '', place = ''] = [NAMES[number % 4], PLACES[(number * 3 + 1) % 4]];
    // An emoji: offsets are code points.
    const text = `\u{1F600} ${name} went to ${place} in ${1900 + number}.`;
    const at = 2 + name.length + 9;
    const annotations = [
      { start: 2, end: 2 + name.length, text: name, label: 'Person' },
      { start: at, end: at + place.length, text: place, label: 'Location' },
    ];
    return { identifier: `n${number}`, text, annotations: number < 20 ? annotations : [] };
  });
}

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await signIn(page);
  project = await makeProject(page, 'Proposals');
  await importDocuments(page, project, notes());
  await page.goto(`/openProject/${project}/settings`);
  await page.getByRole('tab', { name: 'Suggesters' }).click();
});
test.afterAll(() => page.context().close());

test('without any, the predefined ones are listed with what the server lacks (C-074, C-075)', async () => {
  await expect(page.getByText('No suggester yet')).toBeVisible();
  await expect(page.getByText(/is not available on this server\. Set ANNOTARIUM_ENTITY_FISHING/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create “Wikidata: health”' })).toBeDisabled();
  await expectAccessible(page);
  await shot(page, 'suggesters-none');
});

test('a suggester is created with the form of its learner, without free text (S-042)', async () => {
  await page.keyboard.press('c');
  await dialog().getByLabel('Name', { exact: true }).fill('Names');
  await expect(dialog().getByRole('combobox', { name: 'Learner' })).toContainText('Conditional random field');
  await dialog().getByLabel('Iterations').fill('12');
  await dialog().getByLabel('Minimum score').fill('0.1');
  await expectAccessible(page);
  await shot(page, 'suggesters-form');
  await dialog().getByRole('button', { name: 'Create suggester' }).click();
  await expect(detail('Names').getByText('Stopped')).toBeVisible();
  await expect(detail('Names').getByText('12', { exact: true })).toBeVisible();
  expect((await suggesters())[0]?.parameters).toMatchObject({ learner: 'crf', learner_parameters: { iterations: 12 } });
});

test('it is started, and answers count as its acceptance rate', async () => {
  await detail('Names').getByRole('button', { name: 'Start' }).click();
  await expect(detail('Names').getByText('Started')).toBeVisible({ timeout: 60_000 });
  await page.goto(`/openProject/${project}/suggestions`);
  await expect(page.getByRole('button', { name: /^Accept/ }).first()).toBeVisible({ timeout: 30_000 });
  for (const key of ['y', 'y', 'y', 'n']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(400);
  }
  await expect
    .poll(() => api(page, 'GET', `/projects/${project}/suggesters/_decisions`), { timeout: 15_000 })
    .toEqual([{ name: 'names', accepted: 3, rejected: 1, acceptanceRate: 0.75 }]);
  await page.goto(`/openProject/${project}/settings`);
  await page.getByRole('tab', { name: 'Suggesters' }).click();
  await expect(detail('Names').getByText('75% (3 of 4)')).toBeVisible();
  await expectAccessible(page);
  await shot(page, 'suggesters-list');
});

test('it is cloned under a free name, stopped and deleted with what goes along', async () => {
  await detail('Names').getByRole('button', { name: 'Clone' }).click();
  await expect(dialog().getByLabel('Name', { exact: true })).toHaveValue('Names 2');
  await expect(dialog().getByLabel('Iterations')).toHaveValue('12');
  await dialog().getByRole('button', { name: 'Create suggester' }).click();
  await expect(detail('Names 2').getByText('No decision yet')).toBeVisible();
  await page.getByRole('row', { name: /^Names Margin/ }).click();
  await detail('Names').getByRole('button', { name: 'Stop' }).click();
  await expect(detail('Names').getByText('Stopped')).toBeVisible();
  await detail('Names').getByRole('button', { name: 'Delete' }).click();
  await expect(dialog().getByText('its trained model')).toBeVisible();
  await expect(dialog().getByText(/\d+ open suggestions?/)).toBeVisible();
  await expectAccessible(page);
  await dialog().getByRole('button', { name: 'Delete suggester' }).click();
  await expect(detail('Names 2')).toBeVisible();
  expect((await suggesters()).map(({ label }) => label)).toEqual(['Names 2']);
});

test('it fits a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(detail('Names 2')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
  await shot(page, 'suggesters-phone');
});
