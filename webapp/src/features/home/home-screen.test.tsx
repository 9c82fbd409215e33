import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import type { Project } from '@/api/resources/projects';
import { useLayoutStore } from '@/state/layout-store';
import { pathWithState } from '@/state/path-state';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, project, errorResponse, server } from '@/test/server';
import { HOME_DEFAULTS } from './home-state';

const PRESS = project('press', {
  label: 'Regional press',
  description: 'Articles of four newspapers',
  imageId: 'img7',
  lang: 'en',
  nature: 'sequence_labelling',
  owner: { username: 'lea', profilename: 'Léa Durand' },
  group: { name: 'press', label: 'Press' },
  private: true,
  readOnly: true,
  documents: 1284,
  segments: 20_511,
  annotations: 34,
  categories: 0,
  terms: 12,
} as Partial<Project>);
const TICKETS = project('tickets', {
  label: 'Support tickets',
  nature: 'classification',
  lang: 'fr',
  documents: 900,
  annotations: 0,
  categories: 1,
});

let query: Record<string, string> = {};

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  useLayoutStore.setState({ choices: {}, drawers: {}, panels: {} });
  server.use(
    http.get('*/api/projects', ({ request }) => {
      query = Object.fromEntries(new URL(request.url).searchParams);
      return HttpResponse.json([PRESS, TICKETS]);
    }),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('the list of projects', () => {
  it('S-001 shows everything about a project on its card', async () => {
    await renderStudio('/home');
    await userEvent.click(await screen.findByRole('radio', { name: 'Cards' }));
    const card = (await screen.findByRole('link', { name: 'Regional press' })).closest('li') as HTMLElement;
    for (const part of [
      /Articles of four newspapers/,
      /Sequence labelling/,
      /English · Press · Léa Durand · (January 2|2 January)/,
      /Read-only/,
    ])
      expect(card).toHaveTextContent(part);
    expect(card.querySelector('img')).toHaveAttribute('src', expect.stringContaining('img7'));
    expect(within(card).getByLabelText(/^Private/)).toBeInTheDocument();
    const counts = within(card)
      .getAllByRole('term')
      .map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`);
    expect(counts).toEqual(['Documents 1,284', 'Segments 20,511', 'Annotations 34', 'Categories 0', 'Terms 12']);
  });

  it('counts what is labelled by nature: categories of a classification project', async () => {
    await renderStudio('/home');
    const row = async (name: string) => (await screen.findByRole('link', { name })).closest('tr') as HTMLElement;
    expect(within(await row('Regional press')).getByText('34 annotations')).toBeInTheDocument();
    expect(within(await row('Regional press')).queryByText(/categor/)).toBeNull();
    expect(within(await row('Support tickets')).getByText('1 category')).toBeInTheDocument();
    expect(within(await row('Support tickets')).queryByText(/annotation/)).toBeNull();
  });

  it('S-002 requests the short list, and filters it by facets and name (R-002)', async () => {
    const { router } = await renderStudio('/home');
    await screen.findByRole('link', { name: 'Regional press' });
    expect(query).toEqual({ computeMetrics: 'false', computeOwners: 'true', computeEngines: 'true', estimatedCounts: 'true' });
    await userEvent.click(screen.getByRole('button', { name: 'Show the filters' }));
    await userEvent.click(screen.getByRole('checkbox', { name: /^Classification/ }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Regional press' })).toBeNull());
    expect(router.state.location.pathname).toMatch(/^\/home\/[\w-]+$/);
    await userEvent.type(screen.getByLabelText('Filter by name'), 'PRESS');
    expect(await screen.findByText('No projects match')).toBeVisible();
  });

  it('S-002, E-062 facets that cannot be computed leave the list unfiltered, even when one is chosen', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const broken = { ...TICKETS, engines: 5 } as unknown as Project;
    server.use(http.get('*/api/projects', () => HttpResponse.json([PRESS, broken])));
    const chosen = { selectedFacets: [{ facetName: 'engines', facetValue: 'crf', facetSelector: '+' }] } as const;
    await renderStudio(pathWithState('/home', chosen, HOME_DEFAULTS));
    await screen.findByRole('link', { name: 'Regional press' });
    await userEvent.click(screen.getByRole('button', { name: 'Show the filters' }));
    expect(screen.getByLabelText('Filter by name')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Support tickets' })).toBeVisible();
    expect(screen.queryByText('No projects match')).toBeNull();
    expect(warn).toHaveBeenCalled();
    warn.mockRestore();
  });

  it('shows why there is no list in its place', async () => {
    server.use(http.get('*/api/projects', () => errorResponse(500, 'Broken')));
    await renderStudio('/home');
    expect((await screen.findAllByRole('alert')).map((one) => one.textContent).join(' ')).toContain('Unable to fetch the projects.');
  });
});

describe('shares of a project (D-019)', () => {
  const shares: string[] = [];
  const open = async (item: string, permissions = [...PERMISSIONS, 'shareProject']) => {
    server.use(
      http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })),
      http.get('*/api/projects', () => HttpResponse.json([{ ...PRESS, readOnly: false }])),
      http.get('*/api/users', () =>
        HttpResponse.json({ users: ['ana', 'lea', 'paul'].map((username) => ({ username, profilename: username })) }),
      ),
      http.get('*/api/groups', () => HttpResponse.json(['press', 'legal'].map((name) => ({ name, label: name.toUpperCase() })))),
      http.get('*/api/projects/press/shares/users', () =>
        HttpResponse.json([
          { username: 'paul', mode: { read: true, write: false }, canRevoke: true },
          { username: 'zoe', mode: { read: true, write: true }, canRevoke: false },
        ]),
      ),
      http.get('*/api/projects/press/shares/groups', () =>
        HttpResponse.json([{ groupName: 'legal', mode: { read: true, write: false }, canRevoke: true }]),
      ),
      http.post('*/api/projects/press/shares/:kind', async ({ request, params }) => {
        const { searchParams } = new URL(request.url);
        shares.push(
          `${String(params['kind'])} ${searchParams.get('username') ?? searchParams.get('groupName')} ${JSON.stringify(await request.json())}`,
        );
        return new HttpResponse(null, { status: 204 });
      }),
      http.delete('*/api/projects/press/shares/users/:name', ({ params }) => {
        shares.push(`end ${String(params['name'])}`);
        return new HttpResponse(null, { status: 204 });
      }),
      http.post('*/api/projects/press/_chgrp', ({ request }) => {
        shares.push(`group ${new URL(request.url).search}`);
        return HttpResponse.json({ username: 'lea', groupName: 'legal' });
      }),
    );
    shares.length = 0;
    await renderStudio('/home');
    await userEvent.click(await screen.findByRole('button', { name: 'Actions on Regional press' }));
    if (item !== '') await userEvent.click(await screen.findByRole('menuitem', { name: item }));
  };

  it('a recipient sees who shared it, and can leave', async () => {
    let left = false;
    server.use(
      http.get('*/api/projects', () => HttpResponse.json(left ? [TICKETS] : [{ ...PRESS, sharedBy: ['lea'] }, TICKETS])),
      http.post('*/api/projects/press/shares/_leave', () => {
        left = true;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await renderStudio('/home');
    expect(await screen.findByText(/^shared by/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Actions on Regional press' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Leave' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Leave project' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Regional press' })).toBeNull());
    expect(left).toBe(true);
  });

  it('shows people and groups with read or write access, and offers removal to permitted users', async () => {
    await open('Share');
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText('zoe');
    expect(within(dialog).queryByRole('button', { name: 'Stop sharing with zoe' })).toBeNull();
    await userEvent.click(
      within(within(dialog).getByRole('radiogroup', { name: 'Access of paul' })).getByRole('radio', { name: 'Can write' }),
    );
    await waitFor(() => expect(shares).toEqual(['users paul {"read":true,"write":true}']));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Stop sharing with paul' }));
    await waitFor(() => expect(shares[1]).toBe('end paul'));
    expect(within(dialog).getByText('legal')).toBeVisible();
  });

  it('shows the group of the project, and the effect on its shares', async () => {
    await open('Change group');
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(await within(dialog).findByLabelText('New group'));
    expect(screen.queryByRole('option', { name: 'PRESS' })).toBeNull();
    await userEvent.click(await screen.findByRole('option', { name: 'LEGAL' }));
    await userEvent.click(within(dialog).getByRole('radio', { name: 'can read it' }));
    await userEvent.click(within(dialog).getByLabelText('Stop sharing it with people'));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Change group' }));
    expect(await screen.findByText('“Regional press” now belongs to the group LEGAL')).toBeVisible();
    expect(Object.fromEntries(new URLSearchParams(shares[0]?.slice('group '.length)))).toEqual({
      groupName: 'legal',
      deleteExistingUserShares: 'true',
      deleteExistingGroupShares: 'false',
      shareWithNewGroup: 'true',
      readOnlyShare: 'true',
    });
  });

  it('neither without shareProject', async () => {
    await open('', PERMISSIONS);
    expect(await screen.findByRole('menuitem', { name: 'Open' })).toBeVisible();
    for (const name of ['Share', 'Change owner', 'Change group']) expect(screen.queryByRole('menuitem', { name })).toBeNull();
  });
});

describe('the image of a project (D-022)', () => {
  const create = async (airGapped = false) => {
    server.use(http.get('*/api/ui-config', () => HttpResponse.json({ airGapped })));
    await renderStudio('/home');
    await userEvent.click(await screen.findByRole('button', { name: /^Create project/ }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.type(within(dialog).getByLabelText(/^Name/), 'Press');
    return dialog;
  };
  const submit = async (dialog: HTMLElement) => userEvent.click(within(dialog).getByRole('button', { name: 'Create project' }));
  /** T-008: shown after creating a project. Wait for it, so that it does not open during the next test. */
  const findImportDialog = () => screen.findByRole('dialog', { name: 'Import documents' });

  it('C-057 a project is English by default; another language or several can be chosen', async () => {
    let created: unknown;
    server.use(
      http.post('*/api/projects', async ({ request }) => {
        created = await request.json();
        return HttpResponse.json({ projectName: 'press', status: 'created' });
      }),
    );
    const dialog = await create();
    const language = await within(dialog).findByRole('combobox', { name: /^Language/ });
    expect(language).toHaveValue('English');
    await userEvent.click(language);
    await userEvent.click(await screen.findByRole('option', { name: 'Multilingual' }));
    expect(language).toHaveValue('Multilingual');
    await submit(dialog);
    await waitFor(() => expect(created).toMatchObject({ lang: 'xx' }));
    await findImportDialog();
  });

  it('is random, uploaded or linked; V-036 shows "Not empty" when it is missing', async () => {
    let created: unknown;
    server.use(
      http.post('*/api/projects', async ({ request }) => {
        created = await request.json();
        return HttpResponse.json({ projectName: 'press', status: 'created' });
      }),
    );
    const dialog = await create();
    expect(within(dialog).getByRole('button', { name: 'Pick one at random' })).toBeVisible();
    await userEvent.click(within(dialog).getByRole('radio', { name: 'Upload' }));
    expect(within(dialog).queryByText('Not empty')).toBeNull();
    await submit(dialog);
    expect(await within(dialog).findByText('Not empty')).toBeVisible();
    await userEvent.click(within(dialog).getByRole('radio', { name: 'Link' }));
    expect(await within(dialog).findByText('Not empty')).toBeVisible();
    expect(created).toBeUndefined();
    await userEvent.type(within(dialog).getByLabelText('Address of the picture'), 'https://example.org/a.png');
    await waitFor(() => expect(within(dialog).getByText('https://example.org/a.png')).toBeVisible());
    await waitFor(() => expect(within(dialog).getByRole('radio', { name: 'Random' })).toBeChecked(), { timeout: 4000 });
    await submit(dialog);
    await waitFor(() => expect(created).toMatchObject({ label: 'Press', imageUrl: 'https://example.org/a.png' }));
    await findImportDialog();
  });

  it('B-007 is not drawn in an air-gapped installation', async () => {
    const dialog = await create(true);
    expect(within(dialog).getByRole('radio', { name: 'None' })).toBeChecked();
    expect(within(dialog).queryByRole('radio', { name: 'Random' })).toBeNull();
    expect(within(dialog).queryByRole('button', { name: 'Pick one at random' })).toBeNull();
  });
});

describe('a damaged project', () => {
  it('shows what is damaged and can be deleted', async () => {
    server.use(http.get('*/api/projects', () => HttpResponse.json([{ ...TICKETS, damaged: ['created_at'] }, PRESS])));
    await renderStudio('/home');
    const row = (await screen.findByText('Damaged')).closest('tr') as HTMLElement;
    expect(within(row).getByRole('link', { name: 'Support tickets' })).toBeInTheDocument();
    await userEvent.click(within(row).getByRole('button', { name: /Support tickets/ }));
    expect(await screen.findByRole('menuitem', { name: 'Delete' })).toBeEnabled();
  });
});

describe('an empty installation', () => {
  const open = async (permissions: readonly string[] = PERMISSIONS) => {
    server.use(
      http.get('*/api/projects', () => HttpResponse.json([])),
      http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })),
    );
    await renderStudio('/home');
    await screen.findByRole('heading', { name: 'No projects yet' });
  };

  it('prepares the film biographies with one click, shows the progress, and opens their suggestions', async () => {
    let done = false;
    server.use(
      http.post('*/api/projects/_sample', () => HttpResponse.json({ projectName: 'film_biographies', jobId: 'j1' })),
      http.get('*/api/projects/film_biographies/job/j1', () =>
        HttpResponse.json({
          ...{ id: 'j1', type: 'DOC_IMPORT', project: 'film_biographies', currentStepCount: 30, totalStepCount: 60 },
          status: done ? 'COMPLETED' : 'STARTED',
        }),
      ),
    );
    await open([...PERMISSIONS, 'seeSuggestions']);
    await userEvent.click(screen.getByRole('button', { name: 'Try with the film biographies' }));
    expect(await screen.findByRole('progressbar', { name: 'Preparing the film biographies' })).toHaveAttribute('aria-valuenow', '50');
    done = true;
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull(), { timeout: 4000 });
  });

  it('says why the sample could not be prepared, and offers to try again', async () => {
    server.use(
      http.post('*/api/projects/_sample', () => HttpResponse.json({ projectName: 'film_biographies', jobId: 'j1' })),
      http.get('*/api/projects/film_biographies/job/j1', () =>
        HttpResponse.json({ id: 'j1', type: 'DOC_IMPORT', status: 'FAILED', statusMessage: 'The disk is full' }),
      ),
    );
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Try with the film biographies' }));
    expect(await screen.findByText('The disk is full')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  });

  it('offers nothing to create to those who may not', async () => {
    await open(PERMISSIONS.filter((name) => name !== 'createProject'));
    expect(screen.queryByRole('button', { name: 'Try with the film biographies' })).toBeNull();
  });
});

describe('a project like another one', () => {
  it('takes over labels, settings and plans, and says what could not come along', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post('*/api/projects/tickets/_use_as_template', async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ projectName: 'tickets_2', labels: 3, plans: 1, leftOutPlans: ['Old model'] });
      }),
    );
    await renderStudio('/home');
    await userEvent.click((await screen.findAllByRole('button', { name: /Create project/ }))[0] as HTMLElement);
    const dialog = await screen.findByRole('dialog', { name: 'Create project' });
    expect(within(dialog).getByRole('radio', { name: 'Sequence labelling' })).toBeChecked();
    await userEvent.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'Tickets of May');
    await userEvent.click(within(dialog).getByRole('combobox', { name: 'Start from' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Support tickets' }));
    expect(within(dialog).queryByRole('radio', { name: 'Sequence labelling' })).toBeNull();
    expect(within(dialog).getByText(/^Classification, with its labels/)).toBeVisible();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create project' }));
    await waitFor(() => expect(bodies).toHaveLength(1));
    expect(bodies[0]).toMatchObject({ label: 'Tickets of May', nature: 'classification', lang: 'fr' });
    expect(await screen.findByText(/1 plan was left out.*Old model/)).toBeVisible();
  });

  it('copies the terms of its vocabularies unless one declines', async () => {
    const requests: string[] = [];
    server.use(
      http.post('*/api/projects/:template/_use_as_template', ({ request }) => {
        requests.push(new URL(request.url).searchParams.get('withTerms') ?? '');
        return HttpResponse.json({ message: 'No', code: 'invalid_input' }, { status: 400 });
      }),
    );
    await renderStudio('/home');
    await userEvent.click((await screen.findAllByRole('button', { name: /Create project/ }))[0] as HTMLElement);
    const dialog = await screen.findByRole('dialog', { name: 'Create project' });
    expect(within(dialog).queryByRole('checkbox', { name: /vocabularies/ })).toBeNull();
    await userEvent.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'News of May');
    await userEvent.click(within(dialog).getByRole('combobox', { name: 'Start from' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Regional press' }));
    const submit = within(dialog).getByRole('button', { name: 'Create project' });
    await userEvent.click(submit);
    await waitFor(() => expect(requests).toEqual(['true']));
    await userEvent.click(within(dialog).getByRole('checkbox', { name: /vocabularies/ }));
    await userEvent.click(submit);
    await waitFor(() => expect(requests).toEqual(['true', 'false']));
  });
});
