import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { skipSuggestion, suggestionTime, type Suggestion } from '@/api/resources/suggestions';
import { useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, project, errorResponse, server } from '@/test/server';
import { contextRanges, CONTEXT_LEVELS, facetFilter, nextProposal, pageSize, unansweredProposals } from './review-model';
import { useReviewSessionStore } from './review-session-store';
import { parseSuggestionsAddress, formatSuggestionsAddress } from './use-suggestions-address';

const ID = '65a000000000000000000001';
const suggestion = (id: string, change: Partial<Suggestion> = {}): Suggestion => ({
  _id: id,
  documentIdentifier: `doc-${id.slice(-1)}`,
  documentTitle: `Document ${id.slice(-1)}`,
  start: 10,
  end: 31,
  text: 'Ada met Grace in Rome',
  annotations: [
    { labelName: 'person', start: 10, end: 13, text: 'Ada', score: 0.9 },
    { labelName: 'place', start: 27, end: 31, text: 'Rome', score: 0.6 },
  ],
  categories: [],
  confidence: 0.6,
  suggester: 'margin',
  ...change,
});

describe('rules of suggestions', () => {
  it('fetches 25 at a time, one at a time for classification (C-024)', () => {
    expect(pageSize('sequence_labelling')).toBe(25);
    expect(pageSize('classification')).toBe(1);
  });

  it('widens the context in six steps (C-025)', () => {
    expect(CONTEXT_LEVELS).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 2],
      [5, 2],
    ]);
    const sentences = [0, 10, 20, 30, 40, 50].map((start) => ({ start, end: start + 9 }));
    const at = { start: 30, end: 39 };
    expect(contextRanges(sentences, at, 0)).toEqual({ before: null, after: null });
    expect(contextRanges(sentences, at, 2)).toEqual({ before: { start: 10, end: 29 }, after: { start: 40, end: 49 } });
    expect(contextRanges(sentences, at, 5)).toEqual({ before: { start: 0, end: 29 }, after: { start: 40, end: 59 } });
  });

  it('parses the time in the identifier (C-026)', () => {
    expect(suggestionTime(ID)).toBe(0x65a00000 * 1000);
  });

  it('stores its state in path and query (R-014, R-033)', () => {
    const address = {
      sort: 'worst',
      display: 'document',
      selectedFacets: [{ facetName: 'label', facetValue: 'a:b', facetSelector: '-' }],
      index: 25,
      sugId: ID,
    } as const;
    expect(parseSuggestionsAddress(formatSuggestionsAddress(address))).toEqual(address);
    expect(formatSuggestionsAddress({ sort: 'sampling', display: 'list', selectedFacets: [], index: 0, sugId: '' })).toBe('/suggestions');
    expect(facetFilter(address.selectedFacets)).toBe('-label:a:b');
  });

  it('moves the focus to the next proposal (T-021)', () => {
    const proposals = unansweredProposals(suggestion(ID));
    expect(nextProposal(proposals.slice(1), 0)?.labelName).toBe('place');
    expect(nextProposal(proposals.slice(0, 1), 1)?.labelName).toBe('person');
  });
});

describe('the review (R-014)', () => {
  const answers: Record<string, unknown>[] = [];
  const skipped: string[] = [];
  beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
  beforeEach(() => {
    answers.length = 0;
    skipped.length = 0;
    useSessionStore.setState({ projectName: 'press' });
    const open = [suggestion(ID), suggestion('65a000000000000000000002')];
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, 'seeSuggestions'] }),
      ),
      http.get('*/api/projects/:name/_info', ({ params }) => HttpResponse.json(project(String(params['name'])))),
      http.get('*/api/projects/:name/label_sets', () => HttpResponse.json([])),
      http.get('*/api/projects/:name/suggesters', () => HttpResponse.json([])),
      http.get('*/api/projects/:name/documents/:id', () => errorResponse(404, 'Gone')),
      http.get('*/api/projects/:name/suggestions', () =>
        HttpResponse.json({ suggestions: open.filter((item) => !skipped.includes(item._id)), total: { value: open.length } }),
      ),
      http.post('*/api/projects/:name/annotations', async ({ request }) => {
        answers.push((await request.json()) as Record<string, unknown>);
        return HttpResponse.json({ identifier: `a${String(answers.length)}` });
      }),
      http.delete('*/api/projects/:name/suggestions/:id', ({ params }) => {
        skipped.push(String(params['id']));
        return errorResponse(404, 'Already gone');
      }),
    );
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());

  it('accepts with OK, rejects with KO, moves on to the next (T-021)', async () => {
    await renderStudio('/suggestions');
    const card = await screen.findByRole('article');
    expect(within(card).getByRole('heading', { name: 'Document 1' })).toBeVisible();
    await userEvent.keyboard('y');
    await waitFor(() => expect(answers).toHaveLength(1));
    expect(answers[0]).toMatchObject({
      documentIdentifier: 'doc-1',
      labelName: 'person',
      start: 10,
      end: 13,
      text: 'Ada',
      status: 'OK',
      creationMode: 'manual',
    });
    await userEvent.keyboard('n');
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(answers[1]).toMatchObject({ labelName: 'place', status: 'KO' });
    expect(await screen.findByRole('heading', { name: 'Document 2' })).toBeVisible();
  });

  it('W-017 the label drawer: a click confirms the focused proposal with that label', async () => {
    useLayoutStore.setState({ drawers: { 'suggestions/labels': true } });
    const labels = ['person', 'place', 'group'].map((name) => ({ name, label: name, color: '#017D7E' }));
    server.use(
      http.get('*/api/projects/:name/label_sets', () =>
        HttpResponse.json([
          { name: 'default', label: 'Default', nature: 'sequence_labelling', labels },
          { name: 'topics', label: 'Topics', nature: 'classification', labels: [{ name: 'sport', label: 'sport', color: '#A25703' }] },
        ]),
      ),
    );
    await renderStudio('/suggestions');
    const drawer = await screen.findByRole('complementary', { name: 'Labels' });
    expect(await within(drawer).findByRole('button', { name: /person/, pressed: true })).toBeInTheDocument();
    await userEvent.click(within(drawer).getByRole('button', { name: /sport/ }));
    expect(await screen.findByText('This label is for documents and sentences; the proposal marks a span.')).toBeInTheDocument();
    expect(answers).toEqual([]);
    await userEvent.click(within(drawer).getByRole('button', { name: /group/ }));
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(answers.map(({ labelName, status }) => [labelName, status])).toEqual([
      ['person', 'KO'],
      ['group', 'OK'],
    ]);
  });

  it('undoes an answer completely through the shared history, and opens it again', async () => {
    const labels = ['person', 'place', 'group'].map((name) => ({ name, label: name, color: '#017D7E' }));
    const standing: string[] = [];
    const undone: string[] = [];
    const stateOf = () => {
      const id = standing.at(-1);
      const [index, label] = id === undefined ? [] : [Number(id.slice(1)) - 1, answers[Number(id.slice(1)) - 1]?.['labelName']];
      if (id === undefined || index === undefined) return {};
      const after = { ...answers[index], labelName: label };
      const entry = {
        identifier: id,
        act: id,
        entity: 'annotation',
        entityIdentifier: id,
        action: 'created',
        by: 'ana',
        date: '2026-01-01',
        after,
      };
      return { undo: { act: id, count: 1, entry, documentIdentifier: 'doc-1' } };
    };
    server.use(
      http.get('*/api/projects/:name/label_sets', () =>
        HttpResponse.json([{ name: 'default', label: 'Default', nature: 'sequence_labelling', labels }]),
      ),
      http.post('*/api/projects/:name/annotations', async ({ request }) => {
        answers.push((await request.json()) as Record<string, unknown>);
        standing.push(`a${String(answers.length)}`);
        return HttpResponse.json({ identifier: standing.at(-1) });
      }),
      http.get('*/api/projects/press/_history/_state', () => HttpResponse.json(stateOf())),
      http.post('*/api/projects/press/documents/doc-1/_history/_undo', async ({ request }) => {
        const { act } = (await request.json()) as { act: string };
        expect(act).toBe(standing.at(-1));
        undone.push(standing.pop() ?? '');
        return HttpResponse.json({ act, changed: 1, removed: [act] });
      }),
    );
    await renderStudio('/suggestions');
    await screen.findByRole('heading', { name: 'Document 1' });
    await userEvent.keyboard('y');
    await userEvent.keyboard('l');
    await userEvent.click(await screen.findByRole('option', { name: /group/ }));
    expect(await screen.findByRole('heading', { name: 'Document 2' })).toBeVisible();
    // Another label is stored as two answers: one undo reverts both, and the suggestion has the focus again at that
    // proposal.
    await userEvent.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(undone).toEqual(['a3', 'a2']));
    expect(await screen.findByRole('heading', { name: 'Document 1' })).toBeVisible();
    expect(await screen.findByText('Undone: 2 changes')).toBeInTheDocument();
    const current = () => screen.getByRole('article').querySelector('li[aria-current] strong')?.textContent;
    await waitFor(() => expect(current()).toBe('Rome'));
    await userEvent.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(undone).toEqual(['a3', 'a2', 'a1']));
    await waitFor(() => expect(current()).toBe('Ada'));
  });

  it('undoes a skip with the shared undo, and shows the suggestion again', async () => {
    const undone: string[] = [];
    const entry = { identifier: '7', act: '7', entity: 'suggestion', entityIdentifier: ID, action: 'skipped', by: 'ana', date: '' };
    const undo = { act: '7', count: 1, entry, documentIdentifier: 'doc-1' };
    server.use(
      http.delete('*/api/projects/:name/suggestions/:id', ({ params }) => {
        skipped.push(String(params['id']));
        return HttpResponse.json({ ok: true });
      }),
      http.get('*/api/projects/press/_history/_state', () => HttpResponse.json(skipped.length > 0 ? { undo } : {})),
      http.post('*/api/projects/press/documents/doc-1/_history/_undo', () => {
        undone.push(...skipped.splice(0));
        return HttpResponse.json({ act: '7', changed: 1, suggestions: undone });
      }),
    );
    await renderStudio('/suggestions');
    await screen.findByRole('heading', { name: 'Document 1' });
    await userEvent.keyboard('s');
    expect(await screen.findByRole('heading', { name: 'Document 2' })).toBeVisible();
    await waitFor(() => expect(useReviewSessionStore.getState().sessions['press']?.skipped).toBe(1));
    await userEvent.keyboard('{Control>}z{/Control}');
    expect(await screen.findByRole('heading', { name: 'Document 1' })).toBeVisible();
    expect(undone).toEqual([ID]);
    expect(useReviewSessionStore.getState().sessions['press']?.skipped).toBe(0);
  });

  it('shows no error when a skipped suggestion no longer exists (E-048)', async () => {
    await renderStudio('/suggestions');
    await screen.findByRole('heading', { name: 'Document 1' });
    await userEvent.keyboard('s');
    expect(await screen.findByRole('heading', { name: 'Document 2' })).toBeVisible();
    await waitFor(() => expect(skipped).toEqual([ID]));
    expect(screen.queryByText('We failed to skip the suggestion.')).toBeNull();
    await expect(skipSuggestion('press', 'x')).resolves.toBeUndefined();
  });

  it('shows the proposal again when the server refuses the answer (E-040)', async () => {
    server.use(http.post('*/api/projects/:name/annotations', () => errorResponse(500, 'Broken')));
    await renderStudio('/suggestions');
    await screen.findByRole('heading', { name: 'Document 1' });
    await userEvent.keyboard('{Shift>}Y{/Shift}');
    expect(await screen.findByText('We failed to accept the segment.')).toBeVisible();
    await waitFor(() => expect(screen.getAllByText('Ada').length).toBeGreaterThan(0));
  });

  it.each([
    ['one answer', 'y', 'We failed to accept the suggestion.'],
    ['a skip', 's', 'We failed to skip the suggestion.'],
    ['a validated document', 'v', 'We failed to validate the document.'],
  ])('E-040 says under its own title that %s was refused', async (_what, key, title) => {
    const broken = () => errorResponse(500, 'Broken');
    server.use(http.post('*/api/projects/:name/annotations', broken), http.delete('*/api/projects/:name/suggestions/:id', broken));
    await renderStudio('/suggestions');
    await screen.findByRole('heading', { name: 'Document 1' });
    await userEvent.keyboard(key);
    expect(await screen.findByText(title)).toBeVisible();
  });

  it('E-040 the list, the context and clearing have their own titles', async () => {
    server.use(
      http.get('*/api/projects/:name/documents/:id', () => errorResponse(500, 'The document cannot be read')),
      http.post('*/api/projects/:name/suggestions/_clear', () => errorResponse(500, 'They stay')),
    );
    const { unmount } = await renderStudio('/suggestions');
    expect(await screen.findByText('Unable to fetch the context.')).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: 'Clear all' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Clear all' }));
    expect(await screen.findByText('We failed to clear the suggestions.')).toBeVisible();
    unmount();
    server.use(http.get('*/api/projects/:name/suggestions', () => errorResponse(500, 'Broken')));
    await renderStudio('/suggestions');
    expect((await screen.findAllByText('Unable to fetch the suggestions.')).length).toBeGreaterThan(0);
  });

  it('S-037, T-022 validating rejects each suggested category of the document, then skips its suggestions', async () => {
    const category = (labelName: string) => ({ labelName, score: 0.7 });
    const both = [ID, '65a000000000000000000003'].map((id) =>
      suggestion(id, { documentIdentifier: 'doc-1', annotations: [], categories: [category('sport'), category('press')] as never }),
    );
    const sent: string[] = [];
    server.use(
      http.get('*/api/projects/:name/suggestions', () =>
        HttpResponse.json({ suggestions: both.filter((item) => !sent.includes(`gone ${item._id}`)), total: { value: 2 } }),
      ),
      http.post('*/api/projects/:name/categories', async ({ request }) => {
        const { documentIdentifier, labelName, status } = (await request.json()) as Record<string, string>;
        sent.push([documentIdentifier, labelName, status].join(' '));
        return HttpResponse.json({ identifier: String(sent.length) });
      }),
      http.delete('*/api/projects/:name/suggestions/:id', ({ params }) => {
        sent.push(`gone ${String(params['id'])}`);
        return HttpResponse.json({ ok: true });
      }),
    );
    await renderStudio('/suggestions');
    await screen.findByRole('article');
    await userEvent.keyboard('v');
    await waitFor(() => expect(sent.filter((one) => one.startsWith('gone'))).toHaveLength(2));
    expect(new Set(sent.filter((one) => !one.startsWith('gone')))).toEqual(new Set(['doc-1 sport KO', 'doc-1 press KO']));
    expect(sent.findIndex((one) => one.endsWith('KO'))).toBeLessThan(sent.findIndex((one) => one.startsWith('gone')));
  });

  it('S-037 the context has six levels, and stops at the narrowest and the widest', async () => {
    await renderStudio('/suggestions');
    await screen.findByRole('article');
    const level = () => screen.getByRole('img', { name: /segments before, \d after/ }).getAttribute('aria-label');
    for (let step = 0; step < 7; step += 1) await userEvent.keyboard('-');
    const seen = [level()];
    for (let step = 0; step < 7; step += 1) {
      await userEvent.keyboard('+');
      seen.push(level());
    }
    expect([...new Set(seen)]).toEqual(
      CONTEXT_LEVELS.map(([before, after]) => `${String(before)} segments before, ${String(after)} after`),
    );
  });
});
