/** For tests of the screens of documents on the real router: a page with a height, a project `press`, one document `d1`. */
import { http, HttpResponse } from 'msw';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { queryClient } from '@/api/query-client';
import { editQueue } from '@/labelling-sync/edit-queues';
import { editsOf, useEditsStore } from '@/labelling-sync/edits-store';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { serveStudio } from './studio-server';

/** jsdom has no layout: virtual lists need some height. */
export function pretendHeight(): void {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(200);
}

/**
 * Registers the hooks: before each test the project `press` is open with no edit under way.
 *
 * @param drawers - those that are open or closed, others are as at first.
 */
export function serveDocuments(drawers: Readonly<Record<string, boolean>> = {}): void {
  serveStudio();
  beforeAll(pretendHeight);
  beforeEach(() => {
    useEditsStore.setState({ byProject: {} });
    useLayoutStore.setState({ drawers: { ...drawers }, panels: {}, choices: {} });
    useSessionStore.setState({ projectName: 'press' });
  });
  afterEach(async () => {
    // A refused edit is stored for the next session of its user, which here would be the next test.
    const queue = editQueue('press', queryClient);
    for (const edit of editsOf('press')) queue.discard(edit);
    await queue.flush();
  });
}

/** The server's answers: a search finds the document, and it can be opened. */
export const documentAnswers = (document: object) => [
  http.post('*/api/projects/press/documents/_search', () =>
    HttpResponse.json({ hits: [{ _id: '1', score: 1, document }], total: { value: 1, relation: 'eq' }, aggregations: [] }),
  ),
  http.get('*/api/projects/press/documents/d1', () => HttpResponse.json(document)),
];
