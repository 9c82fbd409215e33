/** S-049, T-028: annotators made from lexicons, against a simulated server. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useLayoutStore } from '@/state/layout-store';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { errorResponse, job, PERMISSIONS, project, server } from '@/test/server';
import { serveStudio } from '@/test/studio-server';
import { failedSynchronisation } from './gazetteer-state';

const AT = '*/api/projects/press';
const LEXICONS = [{ name: 'unesco', label: 'UNESCO', color: '#3366CC', terms: 3 }];
const GAZETTEER = {
  ...{ name: 'themes', label: 'Themes', engine: 'term_matcher', parameters: { lexicons: ['unesco'], case_sensitive: true } },
  ...{ models: 1, timestamp: 5, duration: 1200, uptodate: true, running: false, terms: 4421, lexicons: ['unesco'] },
};
const FORM = {
  ...{ title: 'Term matcher', description: '', uiSchema: {}, defaults: { lexicons: [], case_sensitive: false } },
  schema: {
    type: 'object',
    properties: {
      lexicons: { type: 'array', items: { type: 'string' }, title: 'Lexicons to read', 'x-widget': 'lexicons' },
      case_sensitive: { type: 'boolean', title: 'Case matters' },
    },
  },
};

let known: object[];
let sent: string[];
let bodies: unknown[];

const answer = (method: 'post' | 'patch' | 'delete', path: string, body: object = {}) =>
  http[method](`${AT}${path}`, async ({ request }) => {
    const { pathname, search } = new URL(request.url);
    sent.push(`${request.method} ${pathname.replace('/api/projects/press', '')}${search}`);
    const text = await request.text();
    bodies.push(text === '' ? undefined : JSON.parse(text));
    return HttpResponse.json(body);
  });

serveStudio();
beforeEach(() => {
  known = [GAZETTEER];
  sent = [];
  bodies = [];
  const permissions = [...PERMISSIONS, 'seeGazetteers', 'exportModels', 'importModels', 'annotateCorpus'];
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })),
    http.get(`${AT}/_info`, () => HttpResponse.json({ ...project('press'), documents: 4 })),
    http.get(`${AT}/jobs`, () => HttpResponse.json([])),
    http.get(`${AT}/label_sets`, () => HttpResponse.json([])),
    http.get(`${AT}/labels`, () => HttpResponse.json([])),
    http.get(`${AT}/lexicons`, () => HttpResponse.json(LEXICONS)),
    http.get(`${AT}/gazetteers`, () => HttpResponse.json(known)),
    http.get(`${AT}/engines`, () => HttpResponse.json(['term_matcher'])),
    http.get(`${AT}/engine_parameters`, () => HttpResponse.json(FORM)),
    http.post(`${AT}/gazetteers/_label_hint`, async ({ request }) => {
      const { label } = (await request.json()) as { label: string };
      return HttpResponse.json({ labelHint: `${label} 2` });
    }),
  );
  useSessionStore.getState().openProject('press');
  useLayoutStore.getState().setDrawer('gazetteers', 'labels', true);
});

const press = async (name: string | RegExp, inside: HTMLElement = document.body) =>
  userEvent.click(await within(inside).findByRole('button', { name }));
const dialog = async (name: string | RegExp) => screen.findByRole('dialog', { name });
const open = () => renderStudio('/gazetteers/annotators?gazetteer=themes');

describe('the list', () => {
  it('names the lexicons of each annotator and whether it is up to date', async () => {
    known = [GAZETTEER, { ...GAZETTEER, name: 'old', label: 'Old', uptodate: false }];
    await renderStudio('/gazetteers/annotators');
    const row = await screen.findByRole('row', { name: /Themes/ });
    await waitFor(() => expect(row).toHaveTextContent('UNESCO'));
    expect(row).toHaveTextContent('4,421');
    expect(row).toHaveTextContent('Up to date');
    expect(screen.getByRole('row', { name: /Old/ })).toHaveTextContent('Not up to date');
  });

  it('leads to the lexicons while there is none', async () => {
    known = [];
    server.use(http.get(`${AT}/lexicons`, () => HttpResponse.json([])));
    await renderStudio('/gazetteers/annotators');
    expect(await screen.findByRole('link', { name: 'Go to the lexicons' })).toHaveAttribute('href', '/gazetteers/lexicons');
  });

  it('shows the progress of a synchronisation, which can be stopped', async () => {
    known = [{ ...GAZETTEER, running: true, jobId: 'j1' }];
    server.use(
      http.get(`${AT}/job/j1`, () =>
        HttpResponse.json(job('j1', { status: 'STARTED', type: 'SYNCHRONIZE_TERMS', currentStepCount: 1, totalStepCount: 4 })),
      ),
      answer('post', '/gazetteers/themes/_cancel_synchronize'),
    );
    await open();
    expect((await screen.findAllByText('25%')).length).toBeGreaterThan(0);
    await press('Stop');
    await waitFor(() => expect(sent).toEqual(['POST /gazetteers/themes/_cancel_synchronize']));
  });

  it('names lexicons that are gone', async () => {
    known = [{ ...GAZETTEER, uptodate: false, missingLexicons: ['old'] }];
    await open();
    expect(await screen.findByText('The project has no lexicon old any more.')).toBeVisible();
  });

  it('reports a synchronisation that failed after the last good one', () => {
    const failed = job('f', { type: 'SYNCHRONIZE_TERMS', status: 'FAILED', description: 'Synchronise Themes', createdAt: 9 });
    const gazetteer = { ...GAZETTEER, timestamp: 5 };
    expect(failedSynchronisation(gazetteer, [failed])).toBe(failed);
    expect(failedSynchronisation({ ...gazetteer, timestamp: 10 }, [failed])).toBeUndefined();
    expect(failedSynchronisation(gazetteer, [failed, { ...failed, id: 'g', status: 'COMPLETED', createdAt: 10 }])).toBeUndefined();
  });
});

describe('an annotator', () => {
  it('is created with the drawn form over lexicons of the project', async () => {
    server.use(answer('post', '/gazetteers', { name: 'new' }));
    await renderStudio('/gazetteers/annotators');
    await press(/New annotator/);
    const form = await dialog('New annotator');
    await userEvent.click(await within(form).findByRole('combobox', { name: /Lexicons to read/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'UNESCO' }));
    await press('Create annotator', form);
    await waitFor(() => expect(sent).toEqual(['POST /gazetteers']));
    expect(bodies[0]).toMatchObject({ engine: 'term_matcher', label: 'Term matcher 2', parameters: { lexicons: ['unesco'] } });
  });

  it('is cloned under a proposed name with its parameters (D-023)', async () => {
    server.use(answer('post', '/gazetteers', { name: 'themes_2' }));
    await open();
    await press('Clone');
    const form = await dialog('Clone Themes');
    await waitFor(() => expect(within(form).getByLabelText(/^Name/)).toHaveValue('Themes 2'));
    await press('Create annotator', form);
    await waitFor(() => expect(bodies[0]).toMatchObject({ label: 'Themes 2', parameters: GAZETTEER.parameters }));
  });

  it('is synchronised with the corpus annotation, or without', async () => {
    server.use(answer('post', '/gazetteers/themes/_synchronize', job('j1')));
    await open();
    await press('Synchronise');
    await press('Synchronise', await dialog(/Synchronise .Themes./));
    await waitFor(() => expect(sent).toEqual(['POST /gazetteers/themes/_synchronize?annotateCorpus=true']));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Synchronise');
    const form = await dialog(/Synchronise .Themes./);
    await userEvent.click(within(form).getByRole('switch', { name: 'Annotate the corpus at the end' }));
    await press('Synchronise', form);
    await waitFor(() => expect(sent[1]).toBe('POST /gazetteers/themes/_synchronize?annotateCorpus=false'));
  });

  it('is a favourite, and is deleted after a confirmation', async () => {
    server.use(answer('patch', '/gazetteers/themes'), answer('delete', '/gazetteers/themes', { removed: 1 }));
    await open();
    await press('Favourite: Themes');
    await waitFor(() => expect(bodies[0]).toEqual({ favorite: true }));
    await press('Delete');
    const question = await dialog(/Delete .Themes./);
    expect(question).toHaveTextContent('Its lexicons and the annotations stay.');
    await press('Delete annotator', question);
    await waitFor(() => expect(sent[1]).toBe('DELETE /gazetteers/themes'));
  });

  it('is exported and imported as a file (E-037)', async () => {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    server.use(
      answer('post', '/gazetteers/themes/_export'),
      http.post('*/api/uploads', () => HttpResponse.json([{ id: 'u1', filename: 'themes.zip' }])),
      answer('post', '/gazetteers/_load', { models: 1, configs: ['themes'], ignored: ['old'] }),
    );
    await open();
    await press('Annotator files');
    await userEvent.click(await screen.findByRole('menuitem', { name: /Export .Themes./ }));
    await waitFor(() => expect(sent).toEqual(['POST /gazetteers/themes/_export']));
    await userEvent.upload(screen.getByLabelText('Import annotators'), new File(['x'], 'themes.zip'));
    await waitFor(() => expect(bodies[1]).toEqual([{ id: 'u1', filename: 'themes.zip' }]));
    await waitFor(() =>
      expect(useNotificationsStore.getState().items.map(({ message }) => message)).toEqual(
        expect.arrayContaining(['1 annotator imported', '1 annotator was ignored']),
      ),
    );
    vi.restoreAllMocks();
  });
});

describe('E-044 each failure has its title', () => {
  const broken = () => errorResponse(500, 'Broken');
  it('the list', async () => {
    server.use(http.get(`${AT}/gazetteers`, broken));
    await renderStudio('/gazetteers/annotators');
    expect(await screen.findByText('Unable to fetch the gazetteers.')).toBeVisible();
  });
  it('a synchronisation, whose dialog stays', async () => {
    server.use(http.post(`${AT}/gazetteers/themes/_synchronize`, broken));
    await open();
    await press('Synchronise');
    await press('Synchronise', await dialog(/Synchronise .Themes./));
    await waitFor(() =>
      expect(useNotificationsStore.getState().items.map(({ message }) => message)).toEqual(['We failed to synchronise the gazetteer.']),
    );
    expect(screen.getByRole('dialog')).toBeVisible();
  });
});
