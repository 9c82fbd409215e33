/** Terms of annotations in the text of a document: linked, changed and unlinked by key, shown in the text and in the drawer. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { queryClient } from '@/api/query-client';
import { editQueue } from '@/labelling-sync/edit-queues';
import { editsOf, useEditsStore } from '@/labelling-sync/edits-store';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { ALLERGIC, ASTHMA, lexiconHandlers } from '@/test/lexicons';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, server } from '@/test/server';

const ANNOTATION = {
  identifier: '7',
  labelName: 'disease',
  start: 10,
  end: 16,
  text: 'asthma',
  status: 'OK',
  creationMode: 'manual',
  version: 3,
  terms: [] as object[],
};
const DOCUMENT = {
  identifier: 'd1',
  title: 'Report',
  text: 'Ines with asthma slept.',
  version: 1,
  annotations: [ANNOTATION],
  categories: [],
  sentences: [],
};
const SETS = [
  { name: 'default', label: 'Default', nature: 'sequence_labelling', labels: [{ name: 'disease', label: 'Disease', color: '#017D7E' }] },
];
const LINKED = { identifier: ASTHMA.identifier, lexicon: 'diseases', preferredForm: 'asthma' };
const OTHER = { identifier: ALLERGIC.identifier, lexicon: 'diseases', preferredForm: 'allergic asthma' };

let sent: { readonly terms: object[] }[] = [];
/** A new one for each test, of a new document: the web app remembers the answers to its own changes for a while. */
let identifier = 100;

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'bypass' });
  // jsdom has no layout: the virtual list needs some height.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(200);
});
beforeEach(() => {
  sent = [];
  identifier += 1;
  useEditsStore.setState({ byProject: {} });
  useLayoutStore.setState({ drawers: { 'document/labels': true }, panels: {}, choices: {} });
  useSessionStore.setState({ projectName: 'press' });
});
afterEach(async () => {
  const queue = editQueue('press', queryClient);
  for (const edit of editsOf('press')) queue.discard(edit);
  await queue.flush();
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

/** Opens the document whose annotation has these terms, and focuses the annotation by keyboard. */
async function open(terms: object[]) {
  const annotation = { ...ANNOTATION, identifier: String(identifier) };
  const name = `d${annotation.identifier}`;
  server.use(
    ...lexiconHandlers().handlers,
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeDocuments'] })),
    http.get('*/api/projects/press/label_sets', () => HttpResponse.json(SETS)),
    http.post('*/api/projects/press/documents/_search', () =>
      HttpResponse.json({
        hits: [{ _id: '1', document: { identifier: name, title: 'Report' } }],
        total: { value: 1, relation: 'eq' },
      }),
    ),
    http.get(`*/api/projects/press/documents/${name}`, () =>
      HttpResponse.json({ ...DOCUMENT, identifier: name, annotations: [{ ...annotation, terms }] }),
    ),
    http.patch(`*/api/projects/press/annotations/${annotation.identifier}`, async ({ request }) => {
      const body = (await request.json()) as (typeof sent)[number];
      sent.push(body);
      return HttpResponse.json({ ...annotation, version: 3 + sent.length, terms: body.terms });
    }),
  );
  await renderStudio('/document');
  const text = await screen.findByRole('group', { name: 'Text of Report' }, { timeout: 8000 });
  // The lexicons are there: the drawer offers to link.
  const user = userEvent.setup();
  text.focus();
  await user.keyboard('{Tab}');
  await screen.findByRole('button', { name: 'Link a term' });
  return user;
}

const mark = () => document.querySelector('mark');

describe('terms of an annotation', () => {
  it('E links the term that is picked, shown in the text and on its card', async () => {
    const user = await open([]);
    await user.keyboard('e');
    const box = await screen.findByRole('combobox', { name: 'Search a term to link' });
    await screen.findByRole('option', { name: /^asthma/ });
    expect(box).toHaveFocus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(sent).toEqual([{ terms: [LINKED] }]), { timeout: 5000 });
    expect(screen.queryByRole('combobox', { name: 'Search a term to link' })).toBeNull();
    await waitFor(() => expect(mark()).toHaveAccessibleDescription(/linked to asthma/));
    expect(document.querySelector('.ann-text')?.textContent).toBe(DOCUMENT.text);
    const card = await screen.findByRole('article', { name: 'Term asthma' });
    expect(await within(card).findByText('A bronchial disease')).toBeInTheDocument();
  }, 20_000);

  it('Shift E puts another term in the place of those it has', async () => {
    const user = await open([LINKED]);
    expect(mark()).toHaveAccessibleDescription(/linked to asthma/);
    await user.keyboard('{Shift>}E{/Shift}');
    await user.type(await screen.findByRole('combobox', { name: 'Search another term' }), 'allergic');
    await screen.findByRole('option', { name: /^allergic asthma/ });
    await waitFor(() => expect(screen.getAllByRole('option')[0]).toHaveTextContent('allergic asthma'));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(sent).toEqual([{ terms: [OTHER] }]), { timeout: 5000 });
    await waitFor(() => expect(mark()).toHaveAccessibleDescription(/linked to allergic asthma/));
  }, 20_000);

  it('U unlinks the last term, and says so; the button of a card unlinks that one', async () => {
    const user = await open([LINKED, OTHER]);
    await user.keyboard('u');
    await waitFor(() => expect(sent).toEqual([{ terms: [LINKED] }]), { timeout: 5000 });
    expect(screen.getByText('No longer linked to allergic asthma')).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Unlink asthma from the annotation' }));
    await waitFor(() => expect(sent.at(-1)).toEqual({ terms: [] }));
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Term asthma' })).toBeNull());
  }, 20_000);

  it('Escape closes the picker without a change, and returns to the text', async () => {
    const user = await open([]);
    await user.keyboard('e');
    await screen.findByRole('combobox', { name: 'Search a term to link' });
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('combobox', { name: 'Search a term to link' })).toBeNull();
    expect(screen.getByRole('group', { name: 'Text of Report' })).toHaveFocus();
    expect(sent).toEqual([]);
  }, 20_000);
});
