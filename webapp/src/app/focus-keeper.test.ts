/** Moves the focus when the focused element is removed. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepFocus } from './focus-keeper';

let end: () => void;
beforeEach(() => {
  document.title = 'Annotarium - Documents';
  end = keepFocus();
});
afterEach(() => {
  end();
  document.body.innerHTML = '';
});

const at = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`No ${id}`);
  return found;
};
/** Mutations are reported in a microtask, the focus is moved in a later task. */
const placed = async (): Promise<string | undefined> => {
  await new Promise((done) => setTimeout(done, 0));
  await new Promise((done) => setTimeout(done, 0));
  return document.activeElement?.id;
};

it('goes to the next element of the same list, then to the previous one', async () => {
  document.body.innerHTML = `<main id="main" tabindex="-1"><ul id="list"><li><button id="a">A</button></li><li><button id="b">B</button></li>
    <li><button id="c">C</button></li></ul><button id="after">After</button></main>`;
  at('b').focus();
  at('b').parentElement?.remove();
  expect(await placed()).toBe('c');
  at('c').parentElement?.remove();
  expect(await placed()).toBe('a');
});

it('leaves a disabled button, and returns to one that was only busy', async () => {
  document.body.innerHTML =
    '<main id="main" tabindex="-1"><div role="toolbar"><button id="undo">Undo</button><button id="redo">Redo</button></div></main>';
  at('undo').focus();
  at('undo').setAttribute('disabled', '');
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('redo'));
  at('redo').setAttribute('disabled', '');
  await placed();
  at('redo').blur();
  at('redo').removeAttribute('disabled');
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('redo'));
});

it('returns to the previously focused element when a whole part is removed', async () => {
  document.body.innerHTML =
    '<main id="main" tabindex="-1"><button id="text">Text</button></main><aside id="part"><button id="x">Close</button></aside>';
  at('text').focus();
  at('x').focus();
  at('part').remove();
  expect(await placed()).toBe('text');
});

it('goes to the next page, and on to the corresponding element once it is drawn', async () => {
  document.body.innerHTML = '<main id="main" tabindex="-1"><div id="one" tabindex="0" data-focus-key="text"></div></main>';
  at('one').focus();
  document.body.innerHTML = '<main id="main" tabindex="-1">Waiting</main>';
  expect(await placed()).toBe('main');
  expect(at('main').getAttribute('aria-label')).toBe('Documents');
  at('main').innerHTML = '<button id="first">First</button><div id="two" tabindex="0" data-focus-key="text"></div>';
  expect(await placed()).toBe('two');
});

it('stops waiting once the user has moved the focus', async () => {
  document.body.innerHTML = '<main id="main" tabindex="-1"><div id="one" tabindex="0" data-focus-key="text"></div></main>';
  at('one').focus();
  document.body.innerHTML = '<input id="search" /><main id="main" tabindex="-1">Waiting</main>';
  await placed();
  at('search').focus();
  at('main').innerHTML = '<div id="two" tabindex="0" data-focus-key="text"></div>';
  expect(await placed()).toBe('search');
});

it('does not move a focus that the user removed', async () => {
  document.body.innerHTML = '<main id="main" tabindex="-1"><button id="a">A</button><p id="p"></p></main>';
  at('a').focus();
  at('a').blur();
  at('p').remove();
  expect(await placed()).toBe('');
});

it('protects the newly focused element from a key that is held down', async () => {
  document.body.innerHTML =
    '<main id="main" tabindex="-1"><ul><li><button id="a">A</button></li><li><button id="b">B</button></li></ul></main>';
  at('a').focus();
  const press = (repeat: boolean) =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, cancelable: true })) ?? true;
  expect(press(false)).toBe(true);
  at('a').parentElement?.remove();
  expect(await placed()).toBe('b');
  expect(press(true)).toBe(false);
  expect(press(false)).toBe(true);
});
