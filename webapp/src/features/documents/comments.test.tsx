/** Comments of the open document, on the real router, against msw. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressPath } from '@/state/search-address';
import { useLayoutStore } from '@/state/layout-store';
import { documentAnswers, serveDocuments } from '@/test/document-screen';
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

serveDocuments();
beforeAll(() => {
  Element.prototype.scrollIntoView = vi.fn();
});
beforeEach(() => {
  sent = [];
  useLayoutStore.setState({ drawers: {}, panels: {}, choices: {}, transient: {} });
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeDocuments'] })),
    http.get('*/api/projects/press/label_sets', () => HttpResponse.json([])),
    ...documentAnswers(DOCUMENT),
    http.get('*/api/projects/press/comments', () => HttpResponse.json({ threads: [THREAD] })),
  );
});

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

  it('shows earlier comments of a long thread on request', async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get('*/api/projects/press/comments', () => HttpResponse.json({ threads: [{ ...THREAD, commentCount: 2 }] })),
      http.get('*/api/projects/press/comment_threads/5', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('before'));
        return HttpResponse.json({ ...THREAD, commentCount: 2, comments: [commentOf('4', 'The first one', false)] });
      }),
    );
    const { user, panel } = await openComments();
    await user.click(await within(panel).findByRole('button', { name: 'Show 1 earlier comment' }));
    expect(await within(panel).findByText('The first one')).toBeVisible();
    expect(asked).toEqual(['6']);
    expect(within(panel).queryByRole('button', { name: /earlier/ })).toBeNull();
  });

  it('offers people after an @; the chosen name is written, Escape closes only the list', async () => {
    server.use(
      http.get('*/api/projects/press/comments/_people', ({ request }) =>
        HttpResponse.json({
          people: new URL(request.url).searchParams.get('query') === 'no' ? [{ username: 'nora', profilename: 'Nora B.' }] : [],
        }),
      ),
    );
    const { user, panel } = await openComments();
    const box = within(panel).getByRole('textbox', { name: 'Write a comment, @name mentions somebody' });
    await user.type(box, 'Ask @no');
    expect(await within(panel).findByRole('option', { name: /Nora B\./ })).toBeVisible();
    await user.keyboard('{Enter}');
    expect(box).toHaveValue('Ask @nora ');
    expect(within(panel).queryByRole('listbox')).toBeNull();
    await user.type(box, '@no');
    await within(panel).findByRole('option', { name: /Nora B\./ });
    await user.keyboard('{Escape}');
    expect(within(panel).queryByRole('listbox')).toBeNull();
    expect(box).toHaveValue('Ask @nora @no');
  });

  it('marks its words in the text without changing it; a click opens the thread', async () => {
    const user = userEvent.setup();
    await renderStudio(addressPath('/document', {}));
    await screen.findByRole('button', { name: 'Show the comments (1 open)' }, { timeout: 8000 });
    const mark = await waitFor(() => {
      const found = document.querySelector('[data-comment="5"]');
      expect(found).not.toBeNull();
      return found as HTMLElement;
    });
    const block = mark.closest('[data-start]');
    expect(block?.textContent).toBe(DOCUMENT.text);
    const before = document.createRange();
    before.setStart(block as Node, 0);
    before.setEndBefore(mark.parentElement as Node);
    expect(before.toString()).toBe('Ines');
    await user.pointer({ keys: '[MouseLeft]', target: mark });
    const panel = await screen.findByRole('region', { name: 'Comments' });
    await waitFor(() => expect(panel.querySelector('[aria-current="true"]')?.textContent).toContain('A person?'));
  });

  it('shows markup as text', async () => {
    const comments = [commentOf('6', '<img src=x onerror="alert(1)"> **bold**', false)];
    server.use(http.get('*/api/projects/press/comments', () => HttpResponse.json({ threads: [{ ...THREAD, comments }] })));
    const { panel } = await openComments();
    expect(await within(panel).findByText('<img src=x onerror="alert(1)"> **bold**')).toBeVisible();
    expect(panel.querySelector('img')).toBeNull();
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
