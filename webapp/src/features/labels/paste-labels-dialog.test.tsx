/** The dialogs that make labels, on the real router, against msw: a pasted list, and the key of one label. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { errorResponse, PERMISSIONS, server } from '@/test/server';

const SETS = [
  {
    name: 'default',
    label: 'Default',
    nature: 'sequence_labelling',
    labels: [{ name: 'person', label: 'Person', color: '#017D7E', labelSetName: 'default' }],
  },
];

let lists: unknown[] = [];
let keys: unknown[] = [];

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  lists = [];
  keys = [];
  useSessionStore.setState({ projectName: 'press' });
  server.use(
    http.get('*/api/projects/press/label_sets', () => HttpResponse.json(SETS)),
    http.get('*/api/projects/press/relation_names', () => HttpResponse.json([])),
    http.post('*/api/projects/press/labels/_list', async ({ request }) => {
      lists.push(await request.json());
      return HttpResponse.json({ created: [{ name: 'ship', label: 'Ship', color: '#112233' }], known: [SETS[0]?.labels[0]] });
    }),
    http.patch('*/api/projects/press/_preferences', async ({ request }) => {
      const body = await request.json();
      keys.push(body);
      return HttpResponse.json(body);
    }),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const openList = async () => {
  await renderStudio('/labels/default');
  await userEvent.click(await screen.findByRole('button', { name: 'Paste a list' }));
  return screen.findByRole('dialog', { name: 'Paste a list of labels' });
};

describe('a pasted list of labels', () => {
  it('says what each line becomes, and is sent as one request', async () => {
    const dialog = await openList();
    await userEvent.click(within(dialog).getByRole('textbox', { name: /^Labels, one a line/ }));
    await userEvent.paste('Person\nShip, #112233, s, Boats too');
    expect(within(dialog).getByText('exists already, stays as it is')).toBeVisible();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add 1 label' }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(lists).toEqual([
      { labels: [{ label: 'Person' }, { label: 'Ship', color: '#112233', guideline: 'Boats too' }], labelSetName: 'default' },
    ]);
    expect(keys).toEqual([{ hotkeys: { ship: 's' } }]);
  });

  it('is not sent while a line is wrong; the dialog keeps what was pasted', async () => {
    const dialog = await openList();
    const text = within(dialog).getByRole('textbox', { name: /^Labels, one a line/ });
    await userEvent.click(text);
    await userEvent.paste('Ship, blue');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add 1 label' }));
    expect(within(dialog).getByText('Correct 1 line first')).toBeVisible();
    expect(within(dialog).getByText('Use a colour such as #1976D2')).toBeVisible();
    expect(lists).toEqual([]);
    expect(text).toHaveValue('Ship, blue');
  });

  it('stays open with its text when the server refuses it', async () => {
    server.use(http.post('*/api/projects/press/labels/_list', () => errorResponse(503, 'Busy')));
    const dialog = await openList();
    const text = within(dialog).getByRole('textbox', { name: /^Labels, one a line/ });
    await userEvent.click(text);
    await userEvent.paste('Ship');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add 1 label' }));
    expect((await screen.findAllByRole('alert')).length).toBeGreaterThan(0);
    expect(text).toHaveValue('Ship');
  });

  it('is not offered to those who may not write labels', async () => {
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: PERMISSIONS.filter((name) => name !== 'writeLabel') }),
      ),
    );
    await renderStudio('/labels/default');
    await screen.findByRole('heading', { name: 'Labels', level: 1 });
    expect(screen.queryByRole('button', { name: 'Paste a list' })).toBeNull();
  });
});

describe('the key of a label', () => {
  it('is set where the label is edited; keys of the text are refused with the reason', async () => {
    server.use(http.patch('*/api/projects/press/labels/person', () => HttpResponse.json(SETS[0]?.labels[0])));
    await renderStudio('/labels/default');
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Person' }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit label' });
    const key = within(dialog).getByRole('textbox', { name: 'Your key' });
    expect(key).toHaveAttribute('placeholder', '1');
    await userEvent.type(key, 'y');
    expect(within(dialog).getByText(/^“Y” already means/)).toBeVisible();
    await userEvent.clear(key);
    await userEvent.type(key, 'p');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save label' }));
    await waitFor(() => expect(keys).toEqual([{ hotkeys: { person: 'p' } }]));
  });
});
