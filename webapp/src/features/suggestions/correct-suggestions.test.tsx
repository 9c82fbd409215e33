import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Suggestion } from '@/api/resources/suggestions';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, project, errorResponse, server } from '@/test/server';
import { placeInDocument, stepBoundary } from './moved-spans';
import { unansweredProposals } from './review-model';
import { useReviewSessionStore } from './review-session-store';

const ID = '65a000000000000000000001';
// The first character is two UTF-16 units, but one code point.
const TEXT = '😀 Ada met Grace in Rome';
const suggestion: Suggestion = {
  _id: ID,
  documentIdentifier: 'doc-1',
  documentTitle: 'Document 1',
  start: 10,
  end: 33,
  text: TEXT,
  annotations: [
    { labelName: 'person', start: 12, end: 15, text: 'Ada', score: 0.9 },
    { labelName: 'place', start: 29, end: 33, text: 'Rome', score: 0.6 },
  ],
  categories: [],
  confidence: 0.6,
  suggester: 'margin',
};
const other: Suggestion = { ...suggestion, _id: '65a000000000000000000002', documentIdentifier: 'doc-2', documentTitle: 'Document 2' };

describe('moved boundaries', () => {
  it('step by words inside the segment, in code points of the document', () => {
    const [ada] = unansweredProposals(suggestion);
    if (ada === undefined) throw new Error('no proposal');
    expect(stepBoundary(suggestion, ada, 'end', true)).toEqual({ start: 12, end: 19, text: 'Ada met' });
    const wider = { ...ada, moved: { start: 12, end: 19, text: 'Ada met' } };
    expect(stepBoundary(suggestion, wider, 'start', true)).toEqual({ start: 16, end: 19, text: 'met' });
    expect(stepBoundary(suggestion, wider, 'end', false)).toEqual({ start: 12, end: 15, text: 'Ada' });
    const [, rome] = unansweredProposals(suggestion);
    if (rome === undefined) throw new Error('no proposal');
    expect(stepBoundary(suggestion, rome, 'end', true)).toEqual({ start: 29, end: 33, text: 'Rome' });
    expect(placeInDocument(suggestion, { start: 3, end: 6 })).toEqual({ start: 12, end: 15, text: 'Ada' });
  });
});

describe('correcting suggestions', () => {
  const answers: Record<string, unknown>[] = [];
  const made = () => answers.map(({ labelName, start, end, text, status }) => [labelName, start, end, text, status]);
  beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
  beforeEach(() => {
    answers.length = 0;
    useReviewSessionStore.setState({ sessions: {}, answers: {} });
    useSessionStore.setState({ projectName: 'press' });
    const labels = ['person', 'place'].map((name) => ({ name, label: name, color: '#017D7E' }));
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, 'seeSuggestions'] }),
      ),
      http.get('*/api/projects/:name/_info', ({ params }) => HttpResponse.json(project(String(params['name'])))),
      http.get('*/api/projects/:name/label_sets', () =>
        HttpResponse.json([{ name: 'default', label: 'Default', nature: 'sequence_labelling', labels }]),
      ),
      http.get('*/api/projects/:name/suggesters', () => HttpResponse.json([])),
      http.get('*/api/projects/:name/documents/:id', () => errorResponse(404, 'Gone')),
      http.get('*/api/projects/:name/suggestions', () => HttpResponse.json({ suggestions: [suggestion, other], total: { value: 2 } })),
      http.post('*/api/projects/:name/annotations', async ({ request }) => {
        answers.push((await request.json()) as Record<string, unknown>);
        return HttpResponse.json({ identifier: `a${String(answers.length)}` });
      }),
    );
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());

  const opened = async () => {
    await renderStudio('/suggestions');
    expect(await screen.findByRole('heading', { name: 'Document 1' })).toBeVisible();
  };
  const current = () => screen.getByRole('article').querySelector('li[aria-current] strong')?.textContent;

  it('D rejects what is left of a segment that was read, as one answer', async () => {
    await opened();
    await userEvent.keyboard('d');
    expect(await screen.findByRole('heading', { name: 'Document 2' })).toBeVisible();
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(made()).toEqual([
      ['person', 12, 15, 'Ada', 'KO'],
      ['place', 29, 33, 'Rome', 'KO'],
    ]);
    expect(screen.getAllByText('Segment read: nothing more here').length).toBeGreaterThan(0);
    const [given] = useReviewSessionStore.getState().answers['press'] ?? [];
    await waitFor(() => expect([...(given?.written ?? [])]).toEqual(['a1', 'a2']));
  });

  it('the button does the same, after one proposal was accepted', async () => {
    await opened();
    await userEvent.keyboard('y');
    await userEvent.click(screen.getByRole('button', { name: /Nothing more here/ }));
    await waitFor(() => expect(made().map((one) => one[4])).toEqual(['OK', 'KO']));
  });

  it('Shift and Alt with arrows move the boundaries; accepting confirms the moved span and rejects the proposed one', async () => {
    await opened();
    await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
    await waitFor(() => expect(current()).toBe('Ada met'));
    expect(screen.getByText('instead of Ada')).toBeVisible();
    await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');
    await waitFor(() => expect(current()).toBe('met'));
    await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
    await waitFor(() => expect(current()).toBe('Ada met'));
    expect(answers).toEqual([]);
    await userEvent.keyboard('y');
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(made()).toEqual([
      ['person', 12, 15, 'Ada', 'KO'],
      ['person', 12, 19, 'Ada met', 'OK'],
    ]);
    const [given] = useReviewSessionStore.getState().answers['press'] ?? [];
    await waitFor(() => expect([...(given?.written ?? [])]).toEqual(['a1', 'a2']));
    expect(useReviewSessionStore.getState().sessions['press']).toMatchObject({ accepted: 1, rejected: 0 });
  });

  it('Escape moves the span back to where it was proposed', async () => {
    await opened();
    await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
    await waitFor(() => expect(current()).toBe('Ada met'));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(current()).toBe('Ada'));
    await userEvent.keyboard('y');
    await waitFor(() => expect(made()).toEqual([['person', 12, 15, 'Ada', 'OK']]));
  });

  it('A and the cursor keys add a span that was missed; the suggestion stays open', async () => {
    await opened();
    await userEvent.keyboard('a');
    const text = screen.getByRole('group', { name: 'Text of the suggestion' });
    expect(text).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{Shift>}{ArrowRight}{/Shift}');
    await userEvent.keyboard('1');
    await waitFor(() => expect(answers).toHaveLength(1));
    expect(answers[0]).toMatchObject({ documentIdentifier: 'doc-1', labelName: 'person', status: 'OK', creationMode: 'manual' });
    const [, start, end, words] = made()[0] ?? [];
    expect(TEXT).toContain(words);
    expect([...TEXT].slice(Number(start) - 10, Number(end) - 10).join('')).toBe(words);
    expect(screen.getByRole('heading', { name: 'Document 1' })).toBeVisible();
    expect(current()).toBe('Ada');
    expect(screen.getAllByText(`added ${String(words)}`).length).toBeGreaterThan(0);
    // The keys of the review work while the text has the focus.
    await userEvent.keyboard('d');
    await waitFor(() => expect(answers).toHaveLength(3));
  });

  it('a refused span is reported under its own title and not counted', async () => {
    server.use(http.post('*/api/projects/:name/annotations', () => errorResponse(500, 'Broken')));
    await opened();
    await userEvent.keyboard('a{ArrowRight}{Shift>}{ArrowRight}{/Shift}1');
    expect(await screen.findByText('We failed to add the span.')).toBeVisible();
    expect(useReviewSessionStore.getState().sessions['press']).toMatchObject({ accepted: 0 });
  });

  it('shows the keys', async () => {
    await opened();
    for (const words of ['Nothing more', 'Add a span', 'Move the end', 'Move the start'])
      expect(screen.getAllByText(words).length).toBeGreaterThan(0);
    expect(within(screen.getByRole('article')).getByRole('button', { name: /Nothing more here/ })).toBeVisible();
  });

  it('say in the help where terms are linked, in a project with lexicons; the key does nothing', async () => {
    server.use(http.get('*/api/projects/:name/lexicons', () => HttpResponse.json([{ name: 'diseases', label: 'Diseases' }])));
    await renderStudio('/suggestions');
    await screen.findByRole('heading', { name: 'Document 1' });
    await userEvent.keyboard('e');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(answers).toEqual([]);
    await userEvent.keyboard('?');
    const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(within(sheet).getByText('Terms: link them in the document, after accepting')).toBeVisible();
  });
});
