/** The vectors card of the settings, against msw. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, server } from '@/test/server';

const COMPONENTS = [
  { name: 'lsa', title: 'Latent', description: 'Learned here.', languages: [], available: true },
  { name: 'minilm', title: 'MiniLM', description: 'English.', languages: ['en'], available: false, reason: 'a package is missing' },
];
const READY = { name: 'default', vectorizer: 'lsa', title: 'Latent', parameters: { dimension: 64 }, dimension: 64, timestamp: 5 };
const FORM = {
  schema: { type: 'object', properties: { dimension: { type: 'integer', title: 'Dimension', minimum: 8 } } },
  defaults: { dimension: 256 },
  title: 'Latent',
  description: '',
};

let answer: object;
let requests: unknown[] = [];
let forgotten = 0;

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  requests = [];
  forgotten = 0;
  answer = { vectorizations: [], vectorizers: COMPONENTS };
  useSessionStore.setState({ projectName: 'press' });
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeSettings', 'seeAdvancedSettings'] }),
    ),
    http.get('*/api/projects/press/vectorizers', () => HttpResponse.json(answer)),
    http.get('*/api/services/lsa/parameters', () => HttpResponse.json(FORM)),
    http.post('*/api/projects/press/segments/_vectorize', async ({ request }) => {
      requests.push(await request.json());
      answer = { vectorizations: [{ ...READY, state: 'building', documents: 3, total: 10, jobId: 'j1' }], vectorizers: COMPONENTS };
      return HttpResponse.json({ id: 'j1', type: 'PROJECT_VECTORIZATION', status: 'STARTED' });
    }),
    http.delete('*/api/projects/press/vectorizers/default', () => {
      forgotten += 1;
      answer = { vectorizations: [], vectorizers: COMPONENTS };
      return new HttpResponse(null, { status: 204 });
    }),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const card = async () => within(await screen.findByRole('region', { name: 'Search by meaning' }));

describe('vectors of a project', () => {
  it('tell those who can install components what is missing', async () => {
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'seeSettings', 'seeAdvancedSettings', 'createUserIn:*'] }),
      ),
    );
    await renderStudio('/settings/search');
    expect(await (await card()).findByText('MiniLM is not available on this server: a package is missing')).toBeInTheDocument();
  });

  it('T-031 are computed with the chosen parameters, and an unavailable vectorizer is named', async () => {
    await renderStudio('/settings/search');
    const found = await card();
    expect(await found.findByText('No vectors yet')).toBeInTheDocument();
    expect(found.getByText('MiniLM is not available on this server. Ask an administrator to install it.')).toBeInTheDocument();
    const dimension = await found.findByLabelText(/Dimension/u);
    await userEvent.clear(dimension);
    await userEvent.type(dimension, '32');
    await userEvent.click(found.getByRole('button', { name: 'Compute vectors' }));
    await waitFor(() => expect(requests).toEqual([{ vectorizer: 'lsa', parameters: { dimension: 32 } }]));
    expect(await (await card()).findByRole('progressbar')).toHaveAttribute('aria-valuenow', '30');
  });

  it('can be deleted once they are ready', async () => {
    answer = { vectorizations: [{ ...READY, state: 'ready', documents: 10, total: 10 }], vectorizers: COMPONENTS };
    await renderStudio('/settings/search');
    const found = await card();
    expect(await found.findByText(/Latent, 10 of 10 documents/u)).toBeInTheDocument();
    await userEvent.click(found.getByRole('button', { name: 'Delete vectors' }));
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete vectors' }));
    await waitFor(() => expect(forgotten).toBe(1));
    expect(await (await card()).findByText('No vectors yet')).toBeInTheDocument();
  });

  it('show their measured quality, and its effect on hybrid searches', async () => {
    const probe = { documents: 900, weight: 0.3, titles: { questions: 250, text: 71.5, vectors: 40, hybrid: 72 }, sentences: null };
    answer = { vectorizations: [{ ...READY, state: 'ready', documents: 10, total: 10, probe }], vectorizers: COMPONENTS };
    await renderStudio('/settings/search');
    const facts = within(await (await card()).findByRole('region', { name: 'Search quality' }));
    const row = within(facts.getByRole('row', { name: /a hidden title \(250\)/u }));
    expect(row.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['71.5', '40', '72']);
    expect(facts.getByText(/vectors have 30\s?% of the weight of text/u)).toBeInTheDocument();
  });

  it('T-031 of a plan are shown with their quality, even without others', async () => {
    const ofPlan = { ...READY, name: 'deep', state: 'ready', documents: 10, total: 10, probe: { documents: 9, weight: 0 } };
    answer = { vectorizations: [ofPlan], vectorizers: COMPONENTS };
    await renderStudio('/settings/search');
    const found = await card();
    expect(await found.findByRole('heading', { name: 'Plan deep' })).toBeInTheDocument();
    expect(found.queryByText('No vectors yet')).not.toBeInTheDocument();
    expect(found.getByText('Used by default in searches.')).toBeInTheDocument();
    expect(found.getByText(/rank by words/u)).toBeInTheDocument();
    expect(found.queryByRole('button', { name: 'Delete vectors' })).not.toBeInTheDocument();
  });
});
