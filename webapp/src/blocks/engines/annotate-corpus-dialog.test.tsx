import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { http, HttpResponse } from 'msw';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '@/api/query-client';
import type { CurrentSearch } from '@/api/resources/annotators';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { startTestI18n } from '@/test/render';
import { job, project, errorResponse, server } from '@/test/server';
import { AnnotateCorpusDialog } from './annotate-corpus-dialog';

const notifications = () => useNotificationsStore.getState().items.map(({ message }) => message);
const i18nKey = (obstacle: string) => `annotate:obstacle.${obstacle}`;
const show = (search?: CurrentSearch) =>
  render(
    <MemoryRouter>
      <QueryClientProvider client={createQueryClient()}>
        <AnnotateCorpusDialog project="tickets" onClose={() => undefined} {...(search !== undefined && { search })} />
      </QueryClientProvider>
    </MemoryRouter>,
  );

beforeAll(async () => {
  await startTestI18n();
  server.listen({ onUnhandledRequest: 'error' });
});
beforeEach(() => {
  useNotificationsStore.setState({ items: [] });
  server.use(
    http.get('*/api/projects/:name/jobs', () => HttpResponse.json([])),
    http.get('*/api/projects/:name/annotators_by_type', ({ params }) =>
      HttpResponse.json({
        learner: [{ name: 'crf', label: params['name'] === 'press' ? 'Names of the press' : 'Own names', engine: 'crf' }],
      }),
    ),
  );
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

describe('annotating the corpus (D-012)', () => {
  it('offers annotators of all visible projects', async () => {
    let asked = '';
    server.use(
      http.post('*/api/projects/tickets/annotators/:name/_annotate_corpus', ({ request, params }) => {
        asked = `${String(params['name'])}${new URL(request.url).search}`;
        return HttpResponse.json(job('a', { type: 'CORPUS_ANNOTATE', status: 'STARTED' }));
      }),
    );
    show();
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText(/^Own names/);
    await userEvent.click(await within(dialog).findByLabelText('From'));
    await userEvent.click(await screen.findByRole('option', { name: 'Regional press' }));
    await within(dialog).findByText(/^Names of the press/);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Annotate' }));
    await waitFor(() => expect(asked).toBe('crf?overwrite=true&annotatorProject=press'));
  });

  it('offers the current search with its count, and annotates only its results', async () => {
    let asked = '';
    server.use(
      http.post('*/api/projects/tickets/documents/_search_and_count', () => HttpResponse.json({ documents: 7 })),
      http.post('*/api/projects/tickets/documents/_search_and_annotate', ({ request }) => {
        asked = new URL(request.url).search;
        return HttpResponse.json(job('a', { type: 'CORPUS_ANNOTATE', status: 'STARTED' }));
      }),
    );
    show({ searchIn: 'documents', query: 'rain', simpleQuery: true, selectedFacets: ['+label:Person'] });
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText(/^Own names/);
    await userEvent.click(await within(dialog).findByLabelText('What to annotate'));
    await userEvent.click(await screen.findByRole('option', { name: 'Results of the current search (7 documents)' }));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Annotate' }));
    await waitFor(() => expect(asked).not.toBe(''));
    expect(Object.fromEntries(new URLSearchParams(asked))).toEqual({
      annotator: 'crf',
      searchIn: 'documents',
      query: 'rain',
      simpleQuery: 'true',
      selectedFacets: '+label:Person',
    });
  });

  it('states that nothing is trained only when the server reports it', async () => {
    server.use(http.get('*/api/projects/:name/annotators_by_type', () => errorResponse(500, 'No record')));
    show();
    const dialog = await screen.findByRole('dialog');
    await waitFor(() => expect(notifications()).toEqual(['Unable to fetch the annotators.']));
    expect(within(dialog).queryByText(/Nothing is trained/u)).toBeNull();
    expect(within(dialog).getByRole('button', { name: 'Annotate' })).toBeDisabled();
  });

  it.each<[string, object, object[], string]>([
    ['there are no documents', { documents: 0 }, [], i18nKey('noDocuments')],
    ['an annotation of the corpus runs', {}, [job('a', { type: 'CORPUS_ANNOTATE', status: 'STARTED' })], i18nKey('running')],
    ['one has ended', {}, [job('a', { type: 'CORPUS_ANNOTATE', status: 'COMPLETED' })], ''],
  ])('V-023 is closed while %s', async (_when, info, jobs, why) => {
    server.use(
      http.get('*/api/projects/:name/_info', () => HttpResponse.json(project('tickets', info))),
      http.get('*/api/projects/:name/jobs', () => HttpResponse.json(jobs)),
    );
    show();
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText(/^Own names/);
    const button = within(dialog).getByRole('button', { name: 'Annotate' });
    if (why === '') {
      await waitFor(() => expect(button).toBeEnabled());
      expect(within(dialog).queryByRole('alert')).toBeNull();
    } else {
      expect(await within(dialog).findByRole('alert')).toHaveTextContent(i18next.t(why));
      expect(button).toBeDisabled();
    }
  });

  it.each([
    ['annotation is not collaborative', false, undefined, [/corpus/]],
    ['annotation is collaborative', true, undefined, [/corpus/, /dataset/i]],
    ['there is a search as well', true, { query: 'paris' }, [/corpus/, /dataset/i, /search/]],
  ])('C-072, V-016 the whole corpus first; the scopes when %s', async (_when, collaborativeAnnotation, search, scopes) => {
    server.use(http.get('*/api/projects/:name/_info', () => HttpResponse.json(project('tickets', { collaborativeAnnotation }))));
    show(search as never);
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText(/^Own names/);
    const select = await within(dialog).findByLabelText(i18next.t('annotate:scope'));
    await waitFor(() => expect(select).toHaveTextContent(/corpus/));
    await userEvent.click(select);
    const options = await screen.findAllByRole('option');
    expect(options).toHaveLength(scopes.length);
    for (const [index, words] of scopes.entries()) expect(options[index]).toHaveTextContent(words);
  });

  describe('V-015 offers an e-mail notification', () => {
    const signedIn = (email: string | undefined, sends: boolean) => {
      useSessionStore.setState({
        principal: { username: 'ana', profilename: 'Ana', ssoLogin: false },
        config: { emailNotifications: sends },
      });
      server.use(http.get('*/api/users/ana/profile', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', email })));
    };
    afterEach(() => useSessionStore.setState({ principal: null, config: {} }));

    it('to users with an address, in the language of the web app', async () => {
      signedIn('ana@example.org', true);
      let asked = '';
      server.use(
        http.post('*/api/projects/tickets/annotators/crf/_annotate_corpus', ({ request }) => {
          asked = `${new URL(request.url).search} ${request.headers.get('accept-language') ?? ''}`;
          return HttpResponse.json(job('a', { type: 'CORPUS_ANNOTATE', status: 'STARTED' }));
        }),
      );
      show();
      const dialog = await screen.findByRole('dialog');
      await within(dialog).findByText(/^Own names/);
      await userEvent.click(await within(dialog).findByLabelText('Email me when it ends'));
      expect(within(dialog).getByText('To ana@example.org')).toBeVisible();
      await userEvent.click(within(dialog).getByRole('button', { name: 'Annotate' }));
      await waitFor(() => expect(asked).toBe('?overwrite=true&emailNotification=true en'));
    });

    it.each([
      ['who has no address', undefined, true],
      ['where the server sends no email', 'ana@example.org', false],
    ])('not to %s', async (_why, email, sends) => {
      signedIn(email, sends);
      let profiles = 0;
      server.events.on('response:mocked', ({ request }) => (profiles += request.url.endsWith('/profile') ? 1 : 0));
      show();
      const dialog = await screen.findByRole('dialog');
      await within(dialog).findByText(/^Own names/);
      await waitFor(() => expect(profiles).toBe(sends ? 1 : 0));
      expect(within(dialog).queryByRole('switch')).toBeNull();
      server.events.removeAllListeners();
    });
  });

  it('E-032, E-041 reports that the annotators could not be fetched', async () => {
    server.use(http.get('*/api/projects/:name/annotators_by_type', () => errorResponse(500, 'Broken')));
    show();
    await waitFor(() => expect(notifications()).toEqual(['Unable to fetch the annotators.']));
  });

  it('E-041 reports that the corpus was not annotated, and stays open with the chosen values', async () => {
    server.use(http.post('*/api/projects/tickets/annotators/:name/_annotate_corpus', () => errorResponse(409, 'A job is running')));
    show();
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText(/^Own names/);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Annotate' }));
    await waitFor(() => expect(notifications()).toEqual(['We failed to annotate the corpus.']));
    expect(within(dialog).getByText(/^Own names/)).toBeVisible();
    await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Annotate' })).toBeEnabled());
  });

  it('E-052 only logs that the projects could not be fetched, and offers its own annotators', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    server.use(http.get('*/api/projects', () => errorResponse(500, 'Broken')));
    show();
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText(/^Own names/);
    await waitFor(() => expect(warn).toHaveBeenCalled());
    expect(within(dialog).queryByLabelText('From')).toBeNull();
    expect(notifications()).toEqual([]);
    warn.mockRestore();
  });
});
