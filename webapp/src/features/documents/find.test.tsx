/** Finding words in the open document, on the real router, against msw. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { addressPath } from '@/state/search-address';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, server } from '@/test/server';

const TEXT = 'Élan vital. The elan of the café; CAFE élan.';
const DOCUMENT = { identifier: 'd1', title: 'Council', text: TEXT, version: 1, annotations: [], categories: [], sentences: [] };
const SETS = [
  { name: 'default', label: 'Default', nature: 'sequence_labelling', labels: [{ name: 'person', label: 'Person', color: '#017D7E' }] },
];

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'bypass' });
  // jsdom has no layout: the virtual list needs some height.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(200);
});
beforeEach(() => {
  useLayoutStore.setState({ drawers: {}, panels: {}, choices: {} });
  useSessionStore.setState({ projectName: 'press' });
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeDocuments', 'annotateCorpus'] }),
    ),
    http.get('*/api/projects/press/label_sets', () => HttpResponse.json(SETS)),
    http.post('*/api/projects/press/documents/_search', () =>
      HttpResponse.json({ hits: [{ _id: '1', score: 1, document: DOCUMENT }], total: { value: 1, relation: 'eq' } }),
    ),
    http.get('*/api/projects/press/documents/d1', () => HttpResponse.json(DOCUMENT)),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

async function openFind() {
  const user = userEvent.setup();
  await renderStudio(addressPath('/document', {}));
  const text = await screen.findByRole('group', { name: 'Text of Council' }, { timeout: 8000 });
  text.focus();
  await user.keyboard('{Control>}f{/Control}');
  const bar = await screen.findByRole('search', { name: 'Find in this document' });
  return { user, text, bar, words: within(bar).getByRole('textbox') };
}

const marked = (text: HTMLElement) => [...text.querySelectorAll('.ann-hit')].map((one) => one.textContent);
const current = (text: HTMLElement) => text.querySelector('.ann-current-hit')?.textContent;

describe('find in the open document', () => {
  it('marks all matches with accents and case folded, and goes round', async () => {
    const { user, text, bar, words } = await openFind();
    expect(words).toHaveFocus();
    await user.type(words, 'elan');
    await waitFor(() => expect(within(bar).getByRole('status')).toHaveTextContent('1 of 3'));
    expect(marked(text)).toEqual(['Élan', 'elan', 'élan']);
    expect(current(text)).toBe('Élan');
    await user.keyboard('{Enter}');
    expect(current(text)).toBe('elan');
    await user.keyboard('{Shift>}{Enter}{Enter}{/Shift}');
    expect(within(bar).getByRole('status')).toHaveTextContent('3 of 3');
    await user.click(within(bar).getByRole('button', { name: 'Capital letters and accents count' }));
    await waitFor(() => expect(within(bar).getByRole('status')).toHaveTextContent('1 of 1'));
    expect(marked(text)).toEqual(['elan']);
  });

  it('says that nothing is found; Escape returns to the text and removes the marks', async () => {
    const { user, text, bar, words } = await openFind();
    await user.type(words, 'tea');
    await waitFor(() => expect(within(bar).getByRole('status')).toHaveTextContent('Not found'));
    await user.clear(words);
    await user.type(words, 'cafe');
    await waitFor(() => expect(marked(text)).toEqual(['café', 'CAFE']));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('search', { name: 'Find in this document' })).toBeNull());
    expect(text).toHaveFocus();
    expect(marked(text)).toEqual([]);
  });
});
