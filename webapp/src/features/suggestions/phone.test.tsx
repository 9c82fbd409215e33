/** Reviewing suggestions in a narrow window: the bar at the lower edge, swipes, the undo of the last answer. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Suggestion } from '@/api/resources/suggestions';
import { clearSession } from '@/app/session-lifecycle';
import { useSessionStore } from '@/state/session-store';
import { inNarrowWindow } from '@/test/narrow-window';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, errorResponse, project, server } from '@/test/server';
import { useReviewSessionStore } from './review-session-store';

const suggestion = (id: string): Suggestion => ({
  _id: `65a00000000000000000000${id}`,
  documentIdentifier: `doc-${id}`,
  documentTitle: `Document ${id}`,
  start: 0,
  end: 21,
  text: 'Ada met Grace in Rome',
  annotations: [{ labelName: 'person', start: 0, end: 3, text: 'Ada', score: 0.9 }],
  categories: [],
  confidence: 0.6,
  suggester: 'margin',
});

const answers: Record<string, unknown>[] = [];
const undone: string[] = [];
let permissions: string[] = [];

/** The state of the history: the last answer that stands. */
function historyState() {
  const standing = answers.length - undone.length;
  if (standing === 0) return {};
  const id = `a${String(standing)}`;
  const made = { entity: 'annotation', entityIdentifier: id, action: 'created', by: 'ana', date: '2026-01-01' };
  const entry = { identifier: id, act: id, ...made, after: answers[standing - 1] };
  return { undo: { act: id, count: 1, entry, documentIdentifier: 'doc-1' } };
}

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  answers.length = 0;
  undone.length = 0;
  permissions = [...PERMISSIONS, 'seeSuggestions'];
  useReviewSessionStore.setState({ sessions: {}, answers: {} });
  useSessionStore.setState({ projectName: 'press' });
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })),
    http.get('*/api/projects/:name/_info', ({ params }) => HttpResponse.json(project(String(params['name'])))),
    http.get('*/api/projects/:name/label_sets', () => HttpResponse.json([])),
    http.get('*/api/projects/:name/suggesters', () => HttpResponse.json([])),
    http.get('*/api/projects/:name/documents/:id', () => errorResponse(404, 'Gone')),
    http.get('*/api/projects/:name/suggestions', () =>
      HttpResponse.json({ suggestions: ['1', '2', '3'].map(suggestion), total: { value: 3 } }),
    ),
    http.post('*/api/projects/:name/annotations', async ({ request }) => {
      answers.push((await request.json()) as Record<string, unknown>);
      return HttpResponse.json({ identifier: `a${String(answers.length)}` });
    }),
    http.get('*/api/projects/press/_history/_state', () => HttpResponse.json(historyState())),
    http.post('*/api/projects/press/documents/doc-1/_history/_undo', async ({ request }) => {
      const { act } = (await request.json()) as { act: string };
      undone.push(act);
      return HttpResponse.json({ act, changed: 1, removed: [act] });
    }),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const touch = (x: number) => ({ pointerType: 'touch', isPrimary: true, pointerId: 1, clientX: x, clientY: 0 });
function swipe(card: HTMLElement, distance: number): void {
  fireEvent.pointerDown(card, touch(200));
  fireEvent.pointerMove(card, touch(200 + distance));
  fireEvent.pointerUp(card, touch(200 + distance));
}

describe('the review in a narrow window', () => {
  inNarrowWindow();

  it('has one place for the answers, without keys', async () => {
    await renderStudio('/suggestions');
    const bar = within(await screen.findByRole('toolbar', { name: 'Answers' }));
    expect(within(screen.getByRole('article')).queryByRole('button', { name: /^Accept/ })).toBeNull();
    expect(bar.getByText('Ada')).toBeVisible();
    await userEvent.click(bar.getByRole('button', { name: 'Accept' }));
    expect(await screen.findByRole('heading', { name: 'Document 2' })).toBeVisible();
    await userEvent.click(bar.getByRole('button', { name: 'Reject' }));
    await waitFor(() => expect(answers.map(({ status }) => status)).toEqual(['OK', 'KO']));
  });

  it('a swipe to the right accepts, to the left rejects', async () => {
    await renderStudio('/suggestions');
    swipe(await screen.findByRole('article'), 150);
    expect(await screen.findByRole('heading', { name: 'Document 2' })).toBeVisible();
    swipe(screen.getByRole('article'), -150);
    expect(await screen.findByRole('heading', { name: 'Document 3' })).toBeVisible();
    await waitFor(() => expect(answers.map(({ status }) => status)).toEqual(['OK', 'KO']));
  });

  it('the last answer is told with its undo, which opens it again', async () => {
    await renderStudio('/suggestions');
    swipe(await screen.findByRole('article'), 150);
    await waitFor(() => expect(answers).toHaveLength(1));
    const undo = await screen.findByRole('button', { name: 'Undo' });
    await waitFor(() => expect(undo).toBeEnabled());
    await userEvent.click(undo);
    await waitFor(() => expect(undone).toEqual(['a1']));
    expect(await screen.findByRole('heading', { name: 'Document 1' })).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  });

  it('readers have neither the bar nor swipes', async () => {
    permissions = permissions.filter((name) => name !== 'writeProject:*');
    await renderStudio('/suggestions');
    swipe(await screen.findByRole('article'), 150);
    expect(screen.queryByRole('toolbar', { name: 'Answers' })).toBeNull();
    expect(answers).toEqual([]);
  });
});
