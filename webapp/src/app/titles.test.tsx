/** Each failed call has its own title wherever it is made (E-042); some failures must not notify (E-051). */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/api/query-client';
import { ExportProjectDialog } from '@/blocks/projects/export-project-dialog';
import { ShareDialog } from '@/blocks/projects/share-dialog';
import * as files from '@/ui/save-file';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio, startTestI18n } from '@/test/render';
import { PERMISSIONS, project, errorResponse, server } from '@/test/server';
import { clearSession } from './session-lifecycle';

const AT = '*/api/projects/press';
const broken = () => errorResponse(500, 'Broken');
const notifications = () => useNotificationsStore.getState().items.map(({ message }) => message);
const ALL = [...PERMISSIONS, 'seeCorpusStats', 'seeAdvancedSettings', 'changeProjectConfig', 'deleteDocuments', 'exportDataset'];
const show = async (dialog: ReactNode) => {
  await startTestI18n();
  render(
    <MemoryRouter>
      <QueryClientProvider client={queryClient}>{dialog}</QueryClientProvider>
    </MemoryRouter>,
  );
};

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  queryClient.clear();
  useNotificationsStore.setState({ items: [] });
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: ALL })),
    http.get(`${AT}/_info`, () => HttpResponse.json(project('press'))),
    http.get(`${AT}/jobs`, () => HttpResponse.json([])),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('E-042', () => {
  it('projects', async () => {
    server.use(http.get('*/api/projects', broken));
    await renderStudio('/home');
    expect(await screen.findByText('Unable to fetch the projects.')).toBeTruthy();
  });

  it('statistics', async () => {
    server.use(
      http.get(`${AT}/corpusMetrics`, broken),
      http.get(`${AT}/annotationMetrics`, broken),
      http.get(`${AT}/categoriesMetrics`, broken),
      http.get(`${AT}/modelMetrics`, broken),
    );
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    useSessionStore.getState().openProject('press');
    await renderStudio('/dashboard');
    expect((await screen.findAllByText('Unable to fetch the statistics.')).length).toBeGreaterThan(0);
    warn.mockRestore();
  });

  it.each([
    ['read', http.get(`${AT}/alt_texts`, broken), false],
    ['deleted', http.post(`${AT}/alt_texts/_delete`, broken), true],
  ])('alternative texts %s', async (_what, handler, there) => {
    server.use(
      handler,
      http.get(`${AT}/alt_texts`, () => HttpResponse.json([{ name: 'summary', count: 3 }])),
    );
    useSessionStore.getState().openProject('press');
    await renderStudio('/settings/documents');
    if (there) {
      await userEvent.click(await screen.findByRole('checkbox', { name: 'summary' }));
      await userEvent.click(screen.getByRole('button', { name: 'Delete alternative texts' }));
      const dialog = await screen.findByRole('dialog');
      await userEvent.click(within(dialog).getByRole('checkbox'));
      await userEvent.click(within(dialog).getByRole('button', { name: 'Delete alternative texts' }));
    }
    await waitFor(() => expect(notifications()).toContain('We failed to process the alternative texts.'));
  });

  it('shares', async () => {
    server.use(
      http.get(`${AT}/shares/users`, () => HttpResponse.json([])),
      http.get(`${AT}/shares/groups`, () =>
        HttpResponse.json([{ groupName: 'desk', label: 'Desk', mode: { read: true, write: false }, canRevoke: true }]),
      ),
      http.delete(`${AT}/shares/groups/desk`, broken),
    );
    await show(<ShareDialog project="press" label="Press" may onClose={() => undefined} />);
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Stop sharing with desk' }));
    await waitFor(() => expect(notifications()).toEqual(['We failed to change the shares.']));
  });

  it('shares that cannot be fetched', async () => {
    server.use(http.get(`${AT}/shares/users`, broken), http.get(`${AT}/shares/groups`, broken));
    await show(<ShareDialog project="press" label="Press" may onClose={() => undefined} />);
    expect(await screen.findByText('Unable to fetch the shares.')).toBeTruthy();
  });
});

describe('downloads of a project', () => {
  let save = vi.spyOn(files, 'saveFromLink');
  beforeEach(() => {
    save = vi.spyOn(files, 'saveFromLink').mockImplementation(() => undefined);
  });
  afterEach(() => save.mockRestore());
  const open = async () => {
    await show(<ExportProjectDialog project="press" label="Press" nature="classification" mayDataset onClose={() => undefined} />);
    return screen.findByRole('dialog');
  };

  it('E-042 the dataset', async () => {
    server.use(http.get(`${AT}/dataset`, broken));
    const dialog = await open();
    await userEvent.click(within(dialog).getByRole('button', { name: /dataset/i }));
    await waitFor(() => expect(notifications()).toEqual(['Unable to download the project.']));
    expect(save).not.toHaveBeenCalled();
  });

  it('E-051 an export failure is only logged, and no file is saved', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    server.use(http.get(`${AT}/_export`, broken));
    const dialog = await open();
    await userEvent.click(within(dialog).getByRole('button', { name: /^Export/ }));
    await waitFor(() => expect(warn).toHaveBeenCalled());
    expect(notifications()).toEqual([]);
    expect(save).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('D-020 a question answering project has neither models nor a dataset to export', async () => {
    server.use(http.get(`${AT}/_export`, () => new HttpResponse('archive')));
    await show(<ExportProjectDialog project="press" label="Press" nature="question_answering" mayDataset onClose={() => undefined} />);
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).queryByRole('button', { name: /dataset/i })).toBeNull();
    expect(within(dialog).queryByRole('checkbox')).toBeNull();
    await userEvent.click(within(dialog).getByRole('button', { name: /^Export/ }));
    await waitFor(() => expect(save).toHaveBeenCalledWith('/api/projects/press/_export?includeModels=false'));
  });

  it('D-020 an export without models', async () => {
    server.use(http.get(`${AT}/_export`, () => new HttpResponse('archive')));
    const dialog = await open();
    await userEvent.click(within(dialog).getByRole('checkbox'));
    await userEvent.click(within(dialog).getByRole('button', { name: /^Export/ }));
    await waitFor(() => expect(save).toHaveBeenCalledWith('/api/projects/press/_export?includeModels=false'));
  });

  it('a successful export is saved by the browser', async () => {
    server.use(http.get(`${AT}/_export`, () => new HttpResponse('archive')));
    const dialog = await open();
    await userEvent.click(within(dialog).getByRole('button', { name: /^Export/ }));
    await waitFor(() => expect(save).toHaveBeenCalledWith('/api/projects/press/_export?includeModels=true'));
  });
});

describe('the settings of a project', () => {
  it('show an error instead of a blank page when they cannot be fetched', async () => {
    server.use(http.get(`${AT}/_info`, broken));
    useSessionStore.getState().openProject('press');
    await renderStudio('/settings/general');
    expect(await screen.findByText("Unable to fetch the project's settings.")).toBeTruthy();
  });
});
