/** Comments of the open document, on the real router, against msw. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { addressPath } from '@/state/search-address';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { errorResponse, PERMISSIONS, server } from '@/test/server';

const DOCUMENT = { identifier: 'd1', title: 'Council', text: 'Ines spoke.', version: 1, annotations: [], categories: [], sentences: [] };
const DATE = '2026-01-02T00:00:00Z';
const commentOf = (identifier: string, text: string, mine: boolean) => ({
  identifier,
  text,
  mentions: [],
  createdBy: mine ? 'ana' : 'nora',
  createdDate: DATE,
  modifiedDate: DATE,
  version: 1,
  mine,
});
const THREAD = {
  identifier: '5',
  documentIdentifier: 'd1',
  target: 'span',
  start: 0,
  end: 4,
  text: 'Ines',
  resolved: false,
  comments: [commentOf('6', 'A person?', false)],
};
let sent: Record<string, unknown>[] = [];

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'bypass' });
  // jsdom has no layout: the virtual list needs some height.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(200);
});
beforeEach(() => {
  sent = [];
  useLayoutStore.setState({ drawers: {}, panels: {}, choices: {}, transient: {} });
  useSessionStore.setState({ projectName: 'press' });
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeDocuments'] })),
    http.get('*/api/projects/press/label_sets', () => HttpResponse.json([])),
    http.post('*/api/projects/press/documents/_search', () =>
      HttpResponse.json({ hits: [{ _id: '1', score: 1, document: DOCUMENT }], total: { value: 1, relation: 'eq' } }),
    ),
    http.get('*/api/projects/press/documents/d1', () => HttpResponse.json(DOCUMENT)),
    http.get('*/api/projects/press/comments', () => HttpResponse.json({ threads: [THREAD] })),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

async function openComments() {
  const user = userEvent.setup();
  await renderStudio(addressPath('/document', {}));
  await user.click(await screen.findByRole('button', { name: 'Show the comments (1 open)' }, { timeout: 8000 }));
  return { user, panel: await screen.findByRole('region', { name: 'Comments' }) };
}

describe('comments of a document', () => {
  it('shows the threads with what they are about', async () => {
    const { panel } = await openComments();
    expect(await within(panel).findByText('A person?')).toBeInTheDocument();
    expect(within(panel).getByText('Ines')).toBeInTheDocument();
    // What others wrote cannot be changed.
    expect(within(panel).queryByRole('button', { name: 'Delete the comment' })).toBeNull();
  });

  it('keeps what was typed when it cannot be sent', async () => {
    let fails = true;
    server.use(
      http.post('*/api/projects/press/comments', async ({ request }) => {
        sent.push((await request.json()) as Record<string, unknown>);
        if (fails) return errorResponse(503, 'down');
        return HttpResponse.json({ ...THREAD, identifier: '7', target: 'document', comments: [commentOf('8', 'Well done', true)] });
      }),
    );
    const { user, panel } = await openComments();
    const box = within(panel).getByRole('textbox', { name: 'Write a comment, @name mentions somebody' });
    await user.type(box, 'Well done');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(box).toHaveValue('Well done');
    fails = false;
    await user.click(await within(panel).findByRole('button', { name: 'Comment' }));
    await waitFor(() => expect(box).toHaveValue(''));
    expect(sent.at(-1)).toEqual({ documentIdentifier: 'd1', text: 'Well done', target: 'document' });
  });

  it('replies and resolves', async () => {
    server.use(
      http.post('*/api/projects/press/comments', async ({ request }) => {
        sent.push((await request.json()) as Record<string, unknown>);
        return HttpResponse.json({ ...THREAD, comments: [...THREAD.comments, commentOf('9', 'Yes', true)] });
      }),
      http.post('*/api/projects/press/comment_threads/5/_resolve', async ({ request }) => {
        sent.push((await request.json()) as Record<string, unknown>);
        return HttpResponse.json({ ...THREAD, resolved: true });
      }),
    );
    const { user, panel } = await openComments();
    await user.type(await within(panel).findByRole('textbox', { name: 'Reply' }), 'Yes');
    await user.click(within(panel).getByRole('button', { name: 'Reply' }));
    await waitFor(() => expect(sent).toEqual([{ documentIdentifier: 'd1', thread: '5', text: 'Yes' }]));
    await user.click(within(panel).getByRole('button', { name: 'Resolve' }));
    await waitFor(() => expect(sent.at(-1)).toEqual({ resolved: true }));
  });

  it('can be read, not written, by readers', async () => {
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', permissions: ['seeHomepage', 'seeDocuments', 'useSearch', 'readProject:*'] }),
      ),
    );
    const { panel } = await openComments();
    expect(await within(panel).findByText('A person?')).toBeInTheDocument();
    expect(within(panel).queryByRole('textbox')).toBeNull();
    expect(within(panel).queryByRole('button', { name: 'Resolve' })).toBeNull();
  });
});
