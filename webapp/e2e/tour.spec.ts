/** The tour of README.md, followed word for word on an installation of its own. */
import { join } from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { OwnServer } from './own-server';
import { fillSignIn, PASSWORD } from './studio';
import { selectText } from './text';
import { ROOT, tourSteps, type TourAction } from './tour';

test.describe.configure({ mode: 'serial' });

const LONG = 120_000;
const steps = tourSteps();
let server: OwnServer;
let page: Page;

test.beforeAll(async ({ browser }) => {
  server = await OwnServer.create();
  await server.start();
  page = await (await browser.newContext({ baseURL: server.address })).newPage();
  await page.goto('/signin');
  await fillSignIn(page, 'admin', PASSWORD);
});
test.afterAll(async () => {
  await page.context().close();
  await server.remove();
});

const ROLES = ['menuitem', 'option', 'tab', 'button', 'link', 'radio', 'checkbox'] as const;

/** `…` stands for any text; keys, counts and values after the name are not part of it. */
function named(name: string): RegExp {
  const words = name
    .split('…')
    .map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'))
    .join('.*');
  return new RegExp(`^${words}(…|, .*| [A-Z↵]| Enter)?$`, 'u');
}

/** The dialog if one is open, else the page. */
async function scope(): Promise<Page | Locator> {
  const dialog = page.getByRole('dialog').last();
  return (await dialog.isVisible()) ? dialog : page;
}

async function click(name: string): Promise<void> {
  const visible = async (): Promise<Locator | undefined> => {
    const places = [page.getByRole('menu').last(), await scope()];
    for (const place of places) {
      for (const role of ROLES) {
        const control = place.getByRole(role, { name: named(name) }).first();
        if ((await control.isVisible()) && (await control.isEnabled())) return control;
      }
    }
    return undefined;
  };
  await expect.poll(async () => (await visible()) !== undefined, { timeout: LONG, message: `A control named ${name}` }).toBe(true);
  await (await visible())?.click();
  // Dialogs and menus open with a delay; the next control is in them.
  await page.waitForTimeout(400);
}

/** Whether the text is visible somewhere, with these capitals and as whole words. */
async function shown(text: string): Promise<boolean> {
  for (const place of await page.getByText(new RegExp(`(^|\\W)${text}($|\\W)`, 'u')).all()) if (await place.isVisible()) return true;
  return false;
}

const surface = () => page.getByRole('group', { name: /^Text of/ });

async function perform(action: TourAction): Promise<void> {
  switch (action.do) {
    case 'fill':
      return (await scope()).getByLabel(action.field).first().fill(action.text);
    case 'choose':
      await (await scope()).getByLabel(action.field).click();
      return page.getByRole('option', { name: action.option }).click();
    case 'drop':
      return page.getByLabel(/choose them/).setInputFiles(join(ROOT, action.file));
    case 'press':
      return page.keyboard.press(action.key.toLowerCase());
    case 'see':
      return expect.poll(() => shown(action.text), { timeout: LONG, message: `The text ${action.text}` }).toBe(true);
    case 'click':
      return click(action.name);
    case 'first row':
      return page.getByRole('row').nth(1).click();
    case 'select words': {
      const words = (await surface().innerText()).match(/\p{Lu}\p{L}+ \p{Ll}+ \p{Ll}+/u)?.[0] ?? '';
      return selectText(page, surface(), words);
    }
  }
}

test('the tour has nine steps, and each asks for something', () => {
  expect(steps.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(steps.filter(({ actions }) => actions.length === 0)).toEqual([]);
});

for (const { number, text, actions } of steps) {
  test(`${String(number)}. ${text.slice(0, 80)}`, async () => {
    test.setTimeout(4 * LONG);
    for (const action of actions) await perform(action);
  });
}
