/** The document screen of a project without labels: the first one is made at the words. On the real router, against msw. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentAnswers, serveDocuments } from '@/test/document-screen';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, errorResponse, project, server } from '@/test/server';

const DOCUMENT = {
  ...{ identifier: 'd1', title: 'Council', text: 'Ines spoke in Halden.', version: 1 },
  ...{ annotations: [], categories: [], sentences: [{ start: 0, end: 21 }] },
};
const MAY = [...PERMISSIONS, 'seeDocuments'];

let made: unknown[] = [];
let sent: unknown[] = [];
let labels: object[] = [];

const signIn = (permissions: readonly string[]) =>
  server.use(http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })));

serveDocuments();
beforeEach(() => {
  [made, sent, labels] = [[], [], []];
  signIn(MAY);
  server.use(
    http.get('*/api/projects/press/_info', () =>
      HttpResponse.json(project('press', { owner: { username: 'lea', profilename: 'Léa Durand' }, annotations: 0 })),
    ),
    http.get('*/api/projects/press/label_sets', () =>
      HttpResponse.json([{ name: 'default', label: 'Default', nature: 'sequence_labelling', labels }]),
    ),
    http.post('*/api/projects/press/labels', async ({ request }) => {
      made.push(await request.json());
      const label = { name: 'person', label: 'Person', color: '#017D7E', labelSetName: 'default' };
      labels = [label];
      return HttpResponse.json(label);
    }),
    http.post('*/api/projects/press/annotations', async ({ request }) => {
      const body = (await request.json()) as object;
      sent.push(body);
      return HttpResponse.json({ ...body, identifier: '9', text: 'Ines spoke', creationMode: 'manual', version: 1 });
    }),
    ...documentAnswers(DOCUMENT),
  );
});

async function openPicker(user: ReturnType<typeof userEvent.setup>) {
  await renderStudio('/document');
  const text = await screen.findByRole('group', { name: 'Text of Council' }, { timeout: 8000 });
  text.focus();
  // Selects `Ines spoke`: from the first word to the next.
  await user.keyboard('{Control>}{Home}{/Control}{Shift>}{ArrowRight}{/Shift}{Enter}');
}

describe('a project without labels', () => {
  it('makes the first label at the chosen words, and gives it to them', async () => {
    const user = userEvent.setup();
    await openPicker(user);
    expect(await screen.findByText('No label yet. Type a name to create the first one')).toBeInTheDocument();
    await user.keyboard('Person{Enter}');
    await waitFor(() => expect(sent).toHaveLength(1), { timeout: 8000 });
    expect(made).toEqual([{ label: 'Person', labelSetName: 'default' }]);
    expect(sent[0]).toMatchObject({ labelName: 'person', start: 0, end: 10 });
  }, 40_000);

  it('keeps the name when the label cannot be made', async () => {
    server.use(http.post('*/api/projects/press/labels', () => errorResponse(503, 'Busy')));
    const user = userEvent.setup();
    await openPicker(user);
    await user.keyboard('Person{Enter}');
    expect(await screen.findByText('We failed to save the label.')).toBeInTheDocument();
    expect(screen.getByRole('combobox', { name: 'New label' })).toHaveValue('Person');
    expect(sent).toEqual([]);
  }, 40_000);

  it('tells those who may not create labels who can', async () => {
    signIn(MAY.filter((name) => name !== 'writeLabel'));
    const user = userEvent.setup();
    await openPicker(user);
    expect(await screen.findByText(/You may not create labels in this project\. Léa Durand, who owns it, can/)).toBeInTheDocument();
    await user.keyboard('Person{Enter}');
    expect(made).toEqual([]);
  }, 40_000);
});
