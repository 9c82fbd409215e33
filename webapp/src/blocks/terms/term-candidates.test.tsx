import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import type { ReactNode } from 'react';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryClient } from '@/api/query-client';
import { useLayoutStore } from '@/state/layout-store';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { ASTHMA, lexiconHandlers } from '@/test/lexicons';
import { startTestI18n } from '@/test/render';
import { errorResponse, server } from '@/test/server';
import { useCommandKeys } from '@/ui/command-registry';
import { TermCandidates } from './term-candidates';

const CANDIDATES = [
  {
    text: 'lung flu',
    count: 12,
    documents: 3,
    source: 'annotations',
    labelName: 'disease',
    example: { documentIdentifier: 'd1', text: '😀 The lung flu came.', start: 6, end: 14 },
  },
  { text: 'wheezing', count: 5, documents: 5, source: 'phrases' },
  { text: 'grey cough', count: 2, documents: 1, source: 'phrases' },
];
const RIGHTS = ['useSearch', 'importTerms', 'readProject:*', 'writeProject:*'];

let lexicons: ReturnType<typeof lexiconHandlers>;
let sources: (string | null)[] = [];

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'error' });
  await startTestI18n();
});
beforeEach(() => {
  lexicons = lexiconHandlers();
  sources = [];
  server.use(
    http.post('*/api/projects/press/lexicons/_candidates', ({ request }) => {
      sources.push(new URL(request.url).searchParams.get('source'));
      return HttpResponse.json({ candidates: CANDIDATES, total: { value: 3, relation: 'eq' } });
    }),
    ...lexicons.handlers,
  );
  useLayoutStore.setState({ choices: {} });
  useNotificationsStore.setState({ items: [] });
  useSessionStore.setState({ projectName: 'press', projectReadOnly: false, permissions: new Set(RIGHTS) });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  server.resetHandlers();
});
afterAll(() => server.close());

/** The keys of commands work in the shell. */
function Shell({ children }: { readonly children: ReactNode }) {
  useCommandKeys();
  return children;
}

const renderCandidates = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Shell>
        <TermCandidates project="press" />
      </Shell>
    </QueryClientProvider>,
  );

async function show() {
  renderCandidates();
  await screen.findByRole('button', { name: /^lung flu/ });
  return userEvent.setup();
}

const texts = () =>
  within(screen.getByRole('list', { name: 'Candidates' }))
    .getAllByRole('listitem')
    .map((item) => item.querySelector('strong')?.textContent);
const current = () => document.querySelector('[aria-current="true"] strong')?.textContent;

describe('TermCandidates', () => {
  it('lists candidates with counts, and the current one with its example in code points', async () => {
    await show();
    expect(texts()).toEqual(['lung flu', 'wheezing', 'grey cough']);
    expect(screen.getByRole('button', { name: /^lung flu/ })).toHaveTextContent('12 occurrences · 3 documents');
    expect(screen.getByText('lung flu', { selector: 'mark' })).toBeInTheDocument();
    expect(screen.getByText('3 candidates')).toBeInTheDocument();
  });

  it('J K S move, Y accepts as a new term of the lexicon, N refuses, and the next one is current', async () => {
    const user = await show();
    await user.keyboard('jjk');
    expect(current()).toBe('wheezing');
    await user.keyboard('y');
    await waitFor(() => expect(lexicons.of('/_accept_candidate')[0]?.body).toEqual({ text: 'wheezing', lexicon: 'diseases' }));
    expect(screen.getByRole('status')).toHaveTextContent('“wheezing” is a term of Diseases');
    expect(current()).toBe('grey cough');
    await user.keyboard('n');
    await waitFor(() => expect(lexicons.of('/_refuse_candidate')[0]?.body).toEqual({ text: 'grey cough', refused: true }));
    expect(texts()).toEqual(['lung flu']);
    expect(screen.getByText('1 candidate')).toBeInTheDocument();
  });

  it('F makes the words a form of a term that is searched', async () => {
    const user = await show();
    await user.keyboard('f');
    const box = await screen.findByRole('combobox', { name: 'Search the term that it is a form of' });
    await user.type(box, 'asthma');
    await screen.findByRole('option', { name: /^asthma/ });
    // Letters are typed here, and answer nothing.
    expect(lexicons.of('/_accept_candidate')).toEqual([]);
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(lexicons.of('/_accept_candidate')[0]?.body).toEqual({
        text: 'lung flu',
        lexicon: 'diseases',
        identifier: ASTHMA.identifier,
      }),
    );
    expect(texts()).toEqual(['wheezing', 'grey cough']);
  });

  it('takes answers back, the last first: a term, a form, a refusal', async () => {
    const user = await show();
    await user.keyboard('y');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Undo' })).toBeEnabled());
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(texts()).toEqual(['lung flu', 'wheezing', 'grey cough']));
    expect(lexicons.of('/diseases/_delete_term')[0]?.body).toEqual({ identifier: 'derived' });
    // The server lists it again only when its answer is taken back.
    expect(lexicons.of('/_refuse_candidate')[0]?.body).toEqual({ text: 'lung flu', refused: false });

    await user.keyboard('f');
    await user.type(await screen.findByRole('combobox', { name: /form of/ }), 'asthma');
    await screen.findByRole('option', { name: /^asthma/ });
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Undo' })).toBeEnabled());
    await user.keyboard('n');
    await waitFor(() => expect(lexicons.of('/_refuse_candidate')).toHaveLength(2));
    await waitFor(() => expect(texts()).toEqual(['grey cough']));
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(lexicons.of('/_refuse_candidate')[2]?.body).toEqual({ text: 'wheezing', refused: false }));
    await waitFor(() => expect(texts()).toEqual(['wheezing', 'grey cough']));
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(texts()).toEqual(['lung flu', 'wheezing', 'grey cough']));
    const restored = lexicons.of('/diseases')[0];
    expect(restored?.params.get('overwrite')).toBe('true');
    expect(restored?.body).toMatchObject({ identifier: ASTHMA.identifier, properties: ASTHMA.properties });
  });

  it('shows a candidate again when its answer is refused by the server, with the reason', async () => {
    server.use(http.post('*/api/projects/press/lexicons/_accept_candidate', () => errorResponse(409, 'Taken')));
    const user = await show();
    await user.keyboard('y');
    await waitFor(() => expect(useNotificationsStore.getState().items).toHaveLength(1));
    expect(texts()).toEqual(['lung flu', 'wheezing', 'grey cough']);
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDisabled();
  });

  it('asks for another source, and says when none is left', async () => {
    const user = await show();
    await user.click(screen.getByRole('radio', { name: 'Frequent words' }));
    await waitFor(() => expect(sources).toEqual(['all', 'phrases']));
    await user.keyboard('nnn');
    expect(await screen.findByText('No candidate left')).toBeInTheDocument();
  });

  it.each([
    ['The corpus has not been searched yet', {}, 'Search the corpus'],
    ['No candidate in this corpus', { computedAt: '2026-01-01T00:00:00Z' }, 'Search again'],
  ])('says “%s” with what candidates are, and offers the search', async (title, found, button) => {
    const answer = { candidates: [], total: { value: 0, relation: 'eq' }, ...found };
    server.use(http.post('*/api/projects/press/lexicons/_candidates', () => HttpResponse.json(answer)));
    renderCandidates();
    const heading = await screen.findByRole('heading', { name: title });
    const empty = heading.closest('section') as HTMLElement;
    expect(empty).toHaveTextContent(/words of the documents that no lexicon has/);
    expect(within(empty).getByRole('button', { name: button })).toBeEnabled();
  });

  it('reads on when the page is answered, and searches the corpus again on request', async () => {
    const pages = [CANDIDATES.slice(0, 1), CANDIDATES.slice(1)];
    const refreshed: (string | null)[] = [];
    server.use(
      http.post('*/api/projects/press/lexicons/_candidates', ({ request }) => {
        refreshed.push(new URL(request.url).searchParams.get('refresh'));
        const candidates = pages[lexicons.of('/_refuse_candidate').length] ?? [];
        return HttpResponse.json({ candidates, total: { value: candidates.length === 1 ? 3 : 2, relation: 'eq' } });
      }),
    );
    const user = await show();
    await user.keyboard('n');
    await waitFor(() => expect(texts()).toEqual(['wheezing', 'grey cough']));
    expect(current()).toBe('wheezing');
    expect(refreshed).toEqual([null, null]);
    await user.click(screen.getByRole('button', { name: 'Search again' }));
    await waitFor(() => expect(refreshed).toEqual([null, null, 'true']));
  });

  it('accepts a candidate as a form of the term that the server finds similar', async () => {
    const [first] = CANDIDATES;
    server.use(
      http.post('*/api/projects/press/lexicons/_candidates', () =>
        HttpResponse.json({ candidates: [{ ...first, similar: [ASTHMA] }], total: { value: 1, relation: 'eq' } }),
      ),
    );
    const user = await show();
    await user.click(await screen.findByRole('button', { name: 'Accept as a form of asthma' }));
    await waitFor(() => expect(lexicons.of('/_accept_candidate')[0]?.body).toMatchObject({ identifier: ASTHMA.identifier }));
  });

  it('asks for nothing without P-014, and explains that no lexicon takes terms', async () => {
    useSessionStore.setState({ permissions: new Set(['useSearch', 'readProject:*', 'writeProject:*']) });
    render(
      <QueryClientProvider client={queryClient}>
        <TermCandidates project="press" />
      </QueryClientProvider>,
    );
    expect(await screen.findByText('You may not change the lexicons')).toBeInTheDocument();
    expect(sources).toEqual([]);
    cleanup();
    queryClient.clear();
    useSessionStore.setState({ permissions: new Set(RIGHTS) });
    server.use(http.get('*/api/projects/press/lexicons', () => HttpResponse.json([])));
    await show();
    expect(await screen.findByText(/No lexicon can be edited by hand/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'New term' })).toBeDisabled();
  });
});
