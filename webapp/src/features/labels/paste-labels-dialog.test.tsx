/** The dialogs that make labels, on the real router, against msw: a pasted list, and the key of one label. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { errorResponse, job, PERMISSIONS, server } from '@/test/server';

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

  it('is undone from its notice: only the labels that it created are deleted, and a refusal is reported', async () => {
    const deleted: unknown[] = [];
    server.use(
      http.delete('*/api/projects/press/labels', async ({ request }) => {
        deleted.push(await request.json());
        return deleted.length === 1 ? errorResponse(503, 'Busy') : HttpResponse.json({ removeJob: job('r') });
      }),
    );
    const dialog = await openList();
    await userEvent.click(within(dialog).getByRole('textbox', { name: /^Labels, one a line/ }));
    await userEvent.paste('Person\nShip');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add 1 label' }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    const notice = useNotificationsStore.getState().items.find(({ message }) => message === '1 label added');
    expect(notice?.action?.label).toBe('Undo');
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('We failed to delete the label.')).toBeInTheDocument();
    notice?.action?.run();
    await waitFor(() => expect(deleted).toEqual([{ names: ['ship'] }, { names: ['ship'] }]));
  });

  it('offers no undo when every label was there before', async () => {
    server.use(http.post('*/api/projects/press/labels/_list', () => HttpResponse.json({ created: [], known: [SETS[0]?.labels[0]] })));
    const dialog = await openList();
    await userEvent.click(within(dialog).getByRole('textbox', { name: /^Labels, one a line/ }));
    await userEvent.paste('Person');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add label' }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    const [notice] = useNotificationsStore.getState().items;
    expect(notice).toMatchObject({ message: '0 labels added' });
    expect(notice?.action).toBeUndefined();
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
    server.use(http.post('*/api/projects/press/labels/_list', () => errorResponse(409, 'Taken')));
    const dialog = await openList();
    const text = within(dialog).getByRole('textbox', { name: /^Labels, one a line/ });
    await userEvent.click(text);
    await userEvent.paste('Ship');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add 1 label' }));
    expect(await screen.findByText('We failed to save the label.')).toBeInTheDocument();
    expect(dialog).toBeInTheDocument();
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
    expect(within(dialog).getByText(/^“Y” is already in use/)).toBeVisible();
    await userEvent.clear(key);
    await userEvent.type(key, 'p');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save label' }));
    await waitFor(() => expect(keys).toEqual([{ hotkeys: { person: 'p' } }]));
  });
});

describe('the short name of a label', () => {
  const openEdit = async () => {
    await renderStudio('/labels/default');
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Person' }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit label' });
    return { dialog, field: within(dialog).getByRole('textbox', { name: 'Short name' }) };
  };

  it('is proposed, shown in the preview as it is typed, and saved', async () => {
    const sent: unknown[] = [];
    server.use(
      http.patch('*/api/projects/press/labels/person', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(SETS[0]?.labels[0]);
      }),
    );
    const { dialog, field } = await openEdit();
    expect(field).toHaveAttribute('placeholder', 'PER');
    expect(within(dialog).getAllByText('PER')).toHaveLength(2);
    await userEvent.type(field, 'Hum');
    expect(within(dialog).getAllByText('Hum')).toHaveLength(2);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save label' }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(sent).toEqual([{ shortName: 'Hum' }]);
  });

  it('is not saved while it is too long, has a space or belongs to another label; what was typed stays', async () => {
    const place = { name: 'place', label: 'Place', color: '#A25703', labelSetName: 'default', shortName: 'PLC' };
    const labels = [...(SETS[0]?.labels ?? []), place];
    server.use(http.get('*/api/projects/press/label_sets', () => HttpResponse.json([{ ...SETS[0], labels }])));
    const { dialog, field } = await openEdit();
    for (const [typed, problem] of [
      ['123456789', 'At most 8 characters, without spaces'],
      ['A B', 'At most 8 characters, without spaces'],
      ['plc', '“Place” has this short name'],
    ] as const) {
      await userEvent.clear(field);
      await userEvent.type(field, typed);
      expect(within(dialog).getByText(problem)).toBeVisible();
    }
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save label' }));
    expect(dialog).toBeInTheDocument();
    expect(field).toHaveValue('plc');
  });
});
