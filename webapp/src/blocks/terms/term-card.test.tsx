import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useSessionStore } from '@/state/session-store';
import { startTestI18n } from '@/test/render';
import { server } from '@/test/server';
import { TermCard } from './term-card';

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

const show = (term: Parameters<typeof TermCard>[0]['term'], onDelete?: () => void) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TermCard term={term} language="fr" onDelete={onDelete} />
    </QueryClientProvider>,
  );

describe('TermCard', () => {
  it('shows a term of a lexicon as JSON, to copy and to delete, and sends no request', async () => {
    const asked = vi.fn();
    server.use(
      http.get('*/service/kb/concept/:id', () => {
        asked();
        return HttpResponse.json({});
      }),
    );
    const user = userEvent.setup();
    const onDelete = vi.fn();
    const term = { identifier: 'gate', lexicon: 'places', preferredForm: 'Ellery Gate' };
    show(term, onDelete);
    expect(JSON.parse(screen.getByLabelText('As JSON').textContent ?? '')).toEqual(term);
    await user.click(screen.getByRole('button', { name: 'Copy Ellery Gate as JSON' }));
    expect(JSON.parse(await navigator.clipboard.readText())).toEqual(term);
    await user.click(screen.getByRole('button', { name: 'Delete Ellery Gate' }));
    expect(onDelete).toHaveBeenCalledOnce();
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
});
