/** Categories of an open document: adding one of the project, and creating one where it is needed. On the real router, against msw. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentAnswers, serveDocuments } from '@/test/document-screen';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, errorResponse, project, server } from '@/test/server';

const DOCUMENT = {
  ...{ identifier: 'd1', title: 'Council', text: 'Ines spoke.', version: 1 },
  ...{ annotations: [], categories: [], sentences: [{ start: 0, end: 11 }] },
};
const SPORT = { name: 'sport', label: 'Sport', color: '#A25703', labelSetName: 'topics' };
const MAY = [...PERMISSIONS, 'seeDocuments'];

let labels: object[] = [];
let made: unknown[] = [];
let sent: unknown[] = [];

const signIn = (permissions: readonly string[]) =>
  server.use(http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })));

serveDocuments({ 'document/labels': false });
beforeEach(() => {
  [labels, made, sent] = [[], [], []];
  signIn(MAY);
  server.use(
    http.get('*/api/projects/press/_info', () =>
      HttpResponse.json(project('press', { nature: 'classification', owner: { username: 'lea', profilename: 'Léa Durand' } })),
    ),
    http.get('*/api/projects/press/label_sets', () =>
      HttpResponse.json([{ name: 'topics', label: 'Topics', nature: 'classification', labels }]),
    ),
    http.post('*/api/projects/press/labels', async ({ request }) => {
      made.push(await request.json());
      labels = [...labels, SPORT];
      return HttpResponse.json(SPORT);
    }),
    http.post('*/api/projects/press/categories', async ({ request }) => {
      const body = (await request.json()) as object;
      sent.push(body);
      return HttpResponse.json({ ...body, identifier: '9', version: 1 });
    }),
    ...documentAnswers(DOCUMENT),
  );
});

const GIVEN = { documentIdentifier: 'd1', labelName: 'sport', status: 'OK', creationMode: 'manual' };
const open = async () => {
  await renderStudio('/document');
  await screen.findByRole('group', { name: 'Text of Council' }, { timeout: 8000 });
};

describe('the categories of a document', () => {
  it('without any in the project, the first is created here and given to the document', async () => {
    const user = userEvent.setup();
    await open();
    await user.click(screen.getByRole('button', { name: 'Create the first category' }));
    await user.keyboard('Sport{Enter}');
    await waitFor(() => expect(sent).toEqual([GIVEN]));
    expect(made).toEqual([{ label: 'Sport', labelSetName: 'topics' }]);
    expect(await within(screen.getByRole('list', { name: 'Categories' })).findByText('Sport')).toBeInTheDocument();
    expect(screen.queryByRole('textbox', { name: 'New label' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Add' })).toBeInTheDocument();
  }, 40_000);

  it('one of the project is chosen from a menu, which also creates one', async () => {
    labels = [{ name: 'law', label: 'Law', color: '#112233', labelSetName: 'topics' }];
    const user = userEvent.setup();
    await open();
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await user.click(await screen.findByRole('menuitem', { name: /Law/ }));
    await waitFor(() => expect(sent).toEqual([{ ...GIVEN, labelName: 'law' }]));
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Create a category' }));
    await user.type(await screen.findByRole('textbox', { name: 'New label' }), 'Sport{Enter}');
    await waitFor(() => expect(sent).toEqual([{ ...GIVEN, labelName: 'law' }, GIVEN]));
  }, 40_000);

  it('what was typed stays when the label is refused, and nothing is given to the document', async () => {
    server.use(http.post('*/api/projects/press/labels', () => errorResponse(503, 'Busy')));
    const user = userEvent.setup();
    await open();
    await user.click(screen.getByRole('button', { name: 'Create the first category' }));
    await user.keyboard('Sport{Enter}');
    expect(await screen.findByText('We failed to save the label.')).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: 'New label' })).toHaveValue('Sport');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('textbox', { name: 'New label' })).toBeNull();
    expect(sent).toEqual([]);
  }, 40_000);

  it('those who may not create labels are told who can, and are offered the existing ones', async () => {
    signIn(MAY.filter((name) => name !== 'writeLabel'));
    await open();
    expect(screen.getByText(/You may not create labels in this project\. Léa Durand, who owns it, can/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Create the first category' })).toBeNull();
  }, 40_000);
});
