import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { readAddress } from '@/state/search-address';
import { ASTHMA, lexiconHandlers } from '@/test/lexicons';
import { startTestI18n } from '@/test/render';
import { server } from '@/test/server';
import { TermCard, type TermCardProps } from './term-card';

const PARIS = {
  identifier: 't1',
  lexicon: 'wikidata',
  preferredForm: 'Paris',
  properties: { wikipediaExternalRef: '22989', wikidataId: 'Q90' },
};

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'error' });
  await startTestI18n();
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());
beforeEach(() => useSessionStore.setState({ config: { annotationDetails: { entityFishing: true } } }));
afterEach(cleanup);

type ShownTerm = NonNullable<TermCardProps['term']>;

/** A card with what an annotation says about the term; outside of a project, as for a term of a knowledge base. */
const show = (term: ShownTerm, more: Partial<TermCardProps> = {}) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <TermCard project="" lexicon={term.lexicon ?? ''} identifier={term.identifier} term={term} language="fr" {...more} />
      </MemoryRouter>
    </QueryClientProvider>,
  );

const RIGHTS = ['useSearch', 'seeExplore', 'readFacet:*', 'importTerms', 'readProject:*', 'writeProject:*'];

/** The card of asthma in the project, whose corpus has it in 12 segments. */
function showAsthma(permissions: readonly string[] = RIGHTS, more: Partial<TermCardProps> = {}) {
  const lexicons = lexiconHandlers();
  useSessionStore.setState({ projectName: 'press', projectReadOnly: false, permissions: new Set(permissions) });
  server.use(
    ...lexicons.handlers,
    http.post('*/api/projects/press/segments/_do_search', () => HttpResponse.json({ hits: [], total: { value: 12, relation: 'eq' } })),
  );
  const { identifier, lexicon } = ASTHMA;
  return { ...show({ identifier, lexicon }, { project: 'press', language: 'en', ...more }), lexicons };
}

describe('TermCard', () => {
  it('shows a term of a lexicon as JSON, to copy and to unlink, and asks no knowledge base', async () => {
    const asked = vi.fn();
    server.use(
      http.get('*/service/kb/concept/:id', () => {
        asked();
        return HttpResponse.json({});
      }),
    );
    const user = userEvent.setup();
    const onUnlink = vi.fn();
    const term = { identifier: 'ellery', lexicon: 'places', preferredForm: 'Ellery Gate' };
    show(term, { onUnlink });
    expect(JSON.parse(screen.getByLabelText('As JSON').textContent ?? '')).toEqual(term);
    await user.click(screen.getByRole('button', { name: 'Copy Ellery Gate as JSON' }));
    expect(JSON.parse(await navigator.clipboard.readText())).toEqual(term);
    await user.click(screen.getByRole('button', { name: 'Unlink Ellery Gate from the annotation' }));
    expect(onUnlink).toHaveBeenCalledOnce();
    expect(screen.queryAllByRole('link')).toEqual([]);
    expect(asked).not.toHaveBeenCalled();
  });

  it('enriches a term of the knowledge base; statements get their names on request (T-046)', async () => {
    const languages: (string | null)[] = [];
    server.use(
      http.get('*/service/kb/concept/:id', ({ params, request }) => {
        languages.push(new URL(request.url).searchParams.get('lang'));
        if (params['id'] === 'Q142') return HttpResponse.json({ preferredTerm: 'France' });
        return HttpResponse.json({
          preferredTerm: 'Paris',
          definitions: [{ definition: 'Capitale de la France' }],
          statements: [
            { propertyName: 'pays', value: 'Q142' },
            { propertyName: 'gentilé', value: 'Parisien' },
          ],
        });
      }),
    );
    const user = userEvent.setup();
    show(PARIS);
    expect(await screen.findByText('Capitale de la France')).toBeInTheDocument();
    expect(screen.getByText('Parisien')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Show the name of Q142' }));
    expect(await screen.findByText('France')).toBeInTheDocument();
    expect(languages).toEqual(['fr', 'fr']);
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      'https://fr.wikipedia.org/?curid=22989',
      'https://www.wikidata.org/wiki/Q90',
    ]);
  });

  it('W-021: shows the image of this server only, and the properties of the term where the knowledge base has none', async () => {
    useSessionStore.setState({ config: { annotationDetails: { entityFishing: true, wikipediaImage: true } } });
    const images = ['/service/kb/concept/Q90/image', 'https://example.org/spy.png'];
    server.use(http.get('*/service/kb/concept/:id', () => HttpResponse.json({ preferredTerm: 'Paris', image: images.shift() })));
    const { container } = show(PARIS);
    await vi.waitFor(() =>
      expect(container.querySelector('img')?.getAttribute('src')).toMatch(/\/api\/service\/kb\/concept\/Q90\/image$/u),
    );
    cleanup();
    const other = show(PARIS);
    expect(await screen.findByRole('article', { name: 'Term Paris' })).toBeInTheDocument();
    expect(other.container.querySelector('img')).toBeNull();
    cleanup();
    useSessionStore.setState({ config: {} });
    const properties = {
      wikidataId: 'Q90',
      definition: 'A town',
      definitions: [{ definition: 'By the Seine' }],
      statements: [{ propertyName: 'river', value: 'Seine' }],
    };
    show({ ...PARIS, properties });
    for (const words of ['A town', 'By the Seine', 'river', 'Seine']) expect(screen.getByText(words)).toBeInTheDocument();
    cleanup();
    show({ ...PARIS, properties: { wikidataId: 'Q90' } });
    expect(screen.getByText('No knowledge base is connected to this server.')).toBeInTheDocument();
  });

  it('only logs an unreachable knowledge base (E-056), and omits links in air-gapped installations', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    server.use(http.get('*/service/kb/concept/:id', () => new HttpResponse(null, { status: 502 })));
    useSessionStore.setState({ config: { annotationDetails: { entityFishing: true }, airGapped: true } });
    show(PARIS);
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
    expect(screen.getByRole('article', { name: 'Term Paris' })).toBeInTheDocument();
    expect(screen.queryAllByRole('link')).toEqual([]);
    expect(screen.queryByRole('alert')).toBeNull();
    warn.mockRestore();
  });

  it('W-021: shows definition, forms by language, relatives, properties and occurrences of a term of a lexicon', async () => {
    showAsthma();
    const card = await screen.findByRole('article', { name: 'Term asthma' });
    expect(await within(card).findByText('A bronchial disease')).toBeInTheDocument();
    expect(within(card).queryByText('Une maladie des bronches')).toBeNull();
    expect(within(card).getByText('Diseases')).toBeInTheDocument();
    expect(within(card).getByText('French').nextElementSibling).toHaveTextContent('asthme');
    expect(within(card).getByText('wheeze')).toHaveTextContent('wheeze related');
    expect(within(card).getByText('MESH:D001249, ICD10CM:J45')).toBeInTheDocument();
    const parents = within(card).getByRole('list', { name: 'Parents' });
    expect(within(parents).getAllByRole('button')).toHaveLength(1);
    expect(within(parents).getByRole('button', { name: 'Show the term bronchial disease' })).toBeInTheDocument();
    expect(within(card).getByText('30 more')).toBeInTheDocument();
    expect(JSON.parse(within(card).getByLabelText('As JSON').textContent ?? '')).toEqual(ASTHMA);
    const link = await within(card).findByRole('link', { name: '12 segments with this term: asthma' });
    expect(readAddress(link.getAttribute('href')?.split('/')[2]).selectedFacets).toEqual([
      { facetName: 'term', facetValue: 'diseases:DOID:2841', facetSelector: '+' },
    ]);
  });

  it('follows a relative within the card, and comes back', async () => {
    const user = userEvent.setup();
    showAsthma(RIGHTS, { onUnlink: vi.fn() });
    await user.click(await screen.findByRole('button', { name: 'Show the term allergic asthma' }));
    expect(await screen.findByRole('article', { name: 'Term allergic asthma' })).toBeInTheDocument();
    // The relative is not what the annotation is linked to.
    expect(screen.queryByRole('button', { name: /^Unlink/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(await screen.findByRole('article', { name: 'Term asthma' })).toBeInTheDocument();
  });

  it('deletes the term after a confirmation, with P-014 and where the lexicon allows it', async () => {
    const user = userEvent.setup();
    const onDeleted = vi.fn();
    const { lexicons } = showAsthma(RIGHTS, { onDeleted });
    await user.click(await screen.findByRole('button', { name: 'Delete asthma from its lexicon' }));
    expect(lexicons.of('/diseases/_delete_term')).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Delete term' }));
    await vi.waitFor(() => expect(onDeleted).toHaveBeenCalledOnce());
    expect(lexicons.of('/diseases/_delete_term')[0]?.body).toEqual({ identifier: ASTHMA.identifier });
    const notice = useNotificationsStore.getState().items.find(({ message }) => message === '“asthma” was deleted');
    expect(notice).toBeDefined();
    notice?.action?.run();
    await vi.waitFor(() => expect(lexicons.of('/diseases/_restore_term')[0]?.body).toEqual({ identifier: ASTHMA.identifier }));
  });

  it.each<[string, readonly string[], Partial<TermCardProps>]>([
    ['may not change terms', RIGHTS.filter((right) => right !== 'importTerms'), {}],
    ['looks at a lexicon that is not edited by hand', RIGHTS, { lexicon: 'places', identifier: 'Q1' }],
  ])('offers no deletion to who %s', async (_who, permissions, more) => {
    showAsthma(permissions, more);
    expect(await screen.findByText(more.lexicon === 'places' ? 'Places' : 'A bronchial disease')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull();
  });

  it('shows no occurrences without the permission for the facet, and says that a term is gone', async () => {
    showAsthma(['useSearch', 'seeExplore'], { identifier: 'gone' });
    expect(await screen.findByText('The lexicon does not have this term any more.')).toBeInTheDocument();
    expect(screen.queryByText(/segments with this term/)).toBeNull();
  });
});
