import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, errorResponse, server } from '@/test/server';
import { changedGroupFields, toGroupDraft as groupDraftOf, groupDraftErrors as wrongGroup } from './group-draft';
import { shownRoles } from './role-draft';
import { hasNoSteps, offeredRoles, applyRoleChanges, userUpdateSteps, userDraftErrors, type UserDraft } from './user-draft';

const ADMIN = ['createUserIn:*', 'writeGroup:*', 'assignRole:*'];

const role = (rolename: string, change: object = {}) => ({
  rolename,
  label: rolename,
  description: '',
  type: 'functional',
  permissions: ['seeDocuments'],
  predefined: true,
  ...change,
});
const ROLES = [
  role('Minimal', { type: 'system' }),
  role('Reader'),
  role('Annotator'),
  role('Coder', { label: 'Coder', predefined: false, groupName: 'press', permissions: ['seeExplore', 'useAnnotator:crf', 'writeLabel'] }),
];
const group = (name: string, change: object = {}) => ({
  name,
  label: name.toUpperCase(),
  loginAllowed: true,
  maxUsers: -1,
  maxDocsPerProject: -1,
  maxProjects: 5,
  maxProjectsPerUser: -1,
  attachedRoles: ['Reader'],
  systemAttachedRoles: [],
  ...change,
});
const user = (username: string, change: object = {}) => ({
  username,
  profilename: `${username} Roth`,
  email: `${username}@example.org`,
  roles: ['Annotator'],
  permissions: [],
  groups: [{ name: 'press', label: 'PRESS' }],
  disabled: false,
  createdAt: '2026-01-02T00:00:00Z',
  ...change,
});

let sent: { method: string; path: string; body: unknown }[];

const keep = async ({ request }: { request: Request }) => {
  const { pathname, search } = new URL(request.url);
  const text = await request.text();
  sent.push({ method: request.method, path: pathname.replace('/api', '') + search, body: text === '' ? undefined : JSON.parse(text) });
};

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  sent = [];
  const ok = async (info: { request: Request }) => {
    await keep(info);
    return HttpResponse.json({ ok: true });
  };
  server.use(
    http.get('*/api/users/:name', () =>
      HttpResponse.json({ username: 'ana', profilename: 'Ana Roth', permissions: [...PERMISSIONS, ...ADMIN] }),
    ),
    http.get('*/api/users', () => HttpResponse.json({ users: [user('ana'), user('bo'), user('eve', { groups: [], roles: ['Reader'] })] })),
    http.get('*/api/groups', () => HttpResponse.json([group('press'), group('law')])),
    http.get('*/api/roles', () => HttpResponse.json(ROLES)),
    http.get('*/api/permissions', () =>
      HttpResponse.json(['seeDocuments', 'seeExplore', 'useAnnotator:*', 'useAnnotator:crf', 'writeLabel']),
    ),
    http.get('*/api/projects', () => HttpResponse.json([])),
    http.patch('*/api/users/:name', ok),
    http.patch('*/api/users/:name/profile', ok),
    http.post('*/api/users/:name/groups', ok),
    http.delete('*/api/users/:name/groups', ok),
    http.delete('*/api/users/:name', ok),
    http.post('*/api/users', async (info) => {
      await keep(info);
      return HttpResponse.json(user('zoe', { profilename: 'Zoe' }));
    }),
    http.post('*/api/groups', async (info) => {
      await keep(info);
      return HttpResponse.json({ name: 'news' });
    }),
    http.patch('*/api/groups/:name', ok),
    http.delete('*/api/groups/:name', ok),
    http.post('*/api/roles', async (info) => {
      await keep(info);
      return HttpResponse.json(role('ReaderCopy'));
    }),
    http.patch('*/api/roles/:name', ok),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const rowOf = async (name: RegExp) => screen.findByRole('row', { name });
const dialog = (name: RegExp | string) => screen.findByRole('dialog', { name });

describe('users (R-011, S-068)', () => {
  it('lists users, searches by name without accents, and filters by group', async () => {
    await renderStudio('/admin/users');
    expect(await rowOf(/^ana Roth/)).toHaveTextContent('you');
    expect(await rowOf(/^bo Roth/)).toHaveTextContent('PRESS');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Find by name or email' }), 'ÈVE@');
    await waitFor(() => expect(screen.queryByRole('row', { name: /^bo Roth/ })).toBeNull());
    expect(await rowOf(/^eve Roth/)).toBeVisible();
  });

  it('adds a user; a server error is shown at its field and the input is kept', async () => {
    let taken = true;
    server.use(
      http.post('*/api/users', async (info) => {
        await keep(info);
        const message = 'There is already a user zoe';
        return taken
          ? HttpResponse.json({ code: 409, message, details: [{ field: 'username', message }] }, { status: 409 })
          : HttpResponse.json(user('zoe2', { profilename: 'Zoe' }));
      }),
    );
    await renderStudio('/admin/users');
    await userEvent.click(await screen.findByRole('button', { name: 'Add user' }));
    const box = within(await dialog('Add a user'));
    await userEvent.click(box.getByRole('button', { name: 'Add user' }));
    expect(box.getByText(/^Use letters, digits/)).toBeVisible();
    expect(box.getByText('Use at least 8 characters')).toBeVisible();
    expect(sent).toEqual([]);
    await userEvent.type(box.getByLabelText(/^Username/), 'zoe');
    await userEvent.type(box.getByLabelText(/^Password/), 'a good one');
    await userEvent.click(box.getByRole('checkbox', { name: 'LAW' }));
    await userEvent.click(box.getByRole('checkbox', { name: 'Annotator' }));
    expect(box.queryByRole('checkbox', { name: /Minimal/ })).toBeNull();
    expect(box.queryByRole('checkbox', { name: /Coder/ })).toBeNull();
    await userEvent.click(box.getByRole('button', { name: 'Add user' }));
    expect(await box.findByText('There is already a user zoe')).toBeVisible();
    expect(box.getByLabelText(/^Password/)).toHaveValue('a good one');
    taken = false;
    await userEvent.type(box.getByLabelText(/^Username/), '2');
    await userEvent.click(box.getByRole('button', { name: 'Add user' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.at(-1)?.body).toEqual({ username: 'zoe2', password: 'a good one', groups: ['law'], roles: ['Annotator'] });
  });

  it('saves only what changed', async () => {
    server.use(http.get('*/api/users/bo', () => HttpResponse.json(user('bo', { roles: ['Annotator', 'Coder'] }))));
    await renderStudio('/admin/users');
    await userEvent.click(within(await rowOf(/^bo Roth/)).getByRole('button', { name: 'Edit bo Roth' }));
    const box = within(await dialog('User bo'));
    expect(box.getByRole('button', { name: 'Save changes' })).toBeDisabled();
    await userEvent.click(await box.findByRole('checkbox', { name: 'LAW' }));
    await userEvent.click(box.getByRole('checkbox', { name: 'Reader' }));
    await userEvent.click(box.getByRole('checkbox', { name: 'PRESS' }));
    await userEvent.click(box.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /users/bo/groups?groupName=law',
      'PATCH /users/bo',
      'DELETE /users/bo/groups?groupName=press',
    ]);
    expect(sent[1]?.body).toEqual({ roles: ['Annotator', 'Coder', 'Reader'] }); // Coder was added by somebody else meanwhile
  });

  it("T-044 disables an account by an update, never the user's own", async () => {
    await renderStudio('/admin/users');
    expect(within(await rowOf(/^ana Roth/)).getByRole('button', { name: 'Disable ana Roth' })).toBeDisabled();
    await userEvent.click(within(await rowOf(/^bo Roth/)).getByRole('button', { name: 'Disable bo Roth' }));
    await waitFor(() => expect(sent).toEqual([{ method: 'PATCH', path: '/users/bo', body: { disabled: true } }]));
  });

  it('shows which projects are deleted with an account before deleting it', async () => {
    server.use(
      http.get('*/api/projects', ({ request }) =>
        HttpResponse.json(
          request.url.includes('username=bo') ? [{ name: 'p1', label: 'Press news', description: '', image: '', lang: 'en' }] : [],
        ),
      ),
    );
    await renderStudio('/admin/users');
    await userEvent.click(within(await rowOf(/^bo Roth/)).getByRole('button', { name: 'Delete bo Roth' }));
    const box = within(await dialog('Delete bo Roth?'));
    expect(await box.findByText(/Press news/)).toBeVisible();
    expect(box.getByRole('button', { name: 'Delete user' })).toBeDisabled();
    await userEvent.click(box.getByRole('checkbox'));
    await userEvent.click(box.getByRole('button', { name: 'Delete user' }));
    await waitFor(() => expect(sent).toEqual([{ method: 'DELETE', path: '/users/bo?cascade=true', body: undefined }]));
  });

  it('still warns where the projects of an account cannot be fetched', async () => {
    server.use(
      http.get('*/api/projects', ({ request }) =>
        request.url.includes('username=bo') ? errorResponse(500, 'Broken') : HttpResponse.json([]),
      ),
    );
    await renderStudio('/admin/users');
    await userEvent.click(within(await rowOf(/^bo Roth/)).getByRole('button', { name: 'Delete bo Roth' }));
    const box = within(await dialog('Delete bo Roth?'));
    expect(box.getByRole('button', { name: 'Delete user' })).toBeDisabled();
    expect(box.getByRole('checkbox', { name: /they could not be counted|projects could not be loaded/ })).not.toBeChecked();
  });

  it('lets a group administrator change only accounts that include their access data', async () => {
    const bare = { username: 'far', profilename: 'Far Away' };
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, 'createUserIn:press', 'writeGroup:press'] }),
      ),
      http.get('*/api/users', () => HttpResponse.json({ users: [user('bo'), bare] })),
    );
    await renderStudio('/admin/users');
    expect(within(await rowOf(/^bo Roth/)).getByRole('button', { name: 'Edit bo Roth' })).toBeVisible();
    expect(within(await rowOf(/^Far Away/)).queryByRole('button')).toBeNull();
  });
});

describe('accounts administered by somebody else', () => {
  it('shows why they cannot be changed, and offers the remaining actions', async () => {
    const whyNot = 'It has the permission seeGlobalJobs, which you do not have';
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions: [...PERMISSIONS, 'createUserIn:press', 'writeGroup:press'] }),
      ),
      http.get('*/api/users', () => HttpResponse.json({ users: [{ ...user('bo'), administered: false, whyNot }] })),
    );
    await renderStudio('/admin/users');
    const row = within(await rowOf(/^bo Roth/));
    expect(row.getByRole('button', { name: 'Delete bo Roth' })).toBeDisabled();
    expect(row.getByRole('button', { name: 'Disable bo Roth' })).toBeDisabled();
    await userEvent.click(row.getByRole('button', { name: 'Edit bo Roth' }));
    const box = within(await screen.findByRole('dialog'));
    expect(box.getByText(whyNot)).toBeVisible();
    expect(box.queryByLabelText('New password')).toBeNull();
    expect(box.getByText(/^You can remove it from your groups/)).toBeVisible();
  });
});

describe('groups (S-067)', () => {
  it('adds a group with limits', async () => {
    await renderStudio('/admin/groups');
    await userEvent.click(await screen.findByRole('button', { name: 'Add group' }));
    const box = within(await dialog('Add a group'));
    await userEvent.type(box.getByLabelText(/^Name/), 'News');
    await userEvent.type(box.getByLabelText('Users'), 'ten');
    await userEvent.click(box.getByRole('button', { name: 'Add group' }));
    expect(box.getByText('Enter a whole number, or leave empty')).toBeVisible();
    await userEvent.clear(box.getByLabelText('Users'));
    await userEvent.type(box.getByLabelText('Users'), '10');
    await userEvent.click(box.getByRole('button', { name: 'Add group' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent[0]?.body).toMatchObject({ label: 'News', maxUsers: 10, maxProjects: -1, loginAllowed: true, identifier: null });
  });

  it('deletes what belongs to the group alone only on request', async () => {
    await renderStudio('/admin/groups');
    await userEvent.click(within(await rowOf(/^PRESS/)).getByRole('button', { name: 'Delete PRESS' }));
    const box = within(await dialog('Delete the group PRESS?'));
    await userEvent.click(await box.findByRole('checkbox', { name: /0 projects and 2 users/ }));
    expect(box.getByRole('button', { name: 'Delete group' })).toBeDisabled();
    await userEvent.click(box.getByRole('checkbox', { name: /^I want/ }));
    await userEvent.click(box.getByRole('button', { name: 'Delete group' }));
    await waitFor(() => expect(sent[0]?.path).toBe('/groups/press?cascade=true'));
  });
});

describe('roles (S-069)', () => {
  it('shows built-in roles, which can be copied, without Minimal', async () => {
    await renderStudio('/admin/roles');
    expect(within(await rowOf(/^Reader/)).queryByRole('button', { name: /^Delete/ })).toBeNull();
    expect(screen.queryByText('Minimal Permissions')).toBeNull();
    await userEvent.click(within(await rowOf(/^Reader/)).getByRole('button', { name: 'Copy Reader' }));
    const box = within(await dialog('Add a role'));
    expect(box.getByLabelText(/^Name/)).toHaveValue('Reader (copy)');
    await userEvent.click(box.getByText('Actions'));
    await userEvent.click(box.getByRole('checkbox', { name: /^Add and change labels/ }));
    await userEvent.click(box.getByRole('button', { name: 'Add role' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent[0]?.body).toMatchObject({ label: 'Reader (copy)', type: 'functional', permissions: ['seeDocuments', 'writeLabel'] });
  });

  it('are listed by whom they belong to, and found by name', async () => {
    await renderStudio('/admin/roles');
    const product = within(await screen.findByRole('table', { name: 'Roles of the product' }));
    expect(product.getByText('Reader')).toBeVisible();
    expect(product.queryByText('Coder')).toBeNull();
    expect(within(await screen.findByRole('table', { name: 'Roles of PRESS' })).getByText('Coder')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Filter: Roles'), 'cod');
    expect(screen.queryByRole('table', { name: 'Roles of the product' })).toBeNull();
    expect(screen.getByText('Coder')).toBeVisible();
  });

  it('show their permissions as a table that can be searched and reduced to what is given', async () => {
    await renderStudio('/admin/roles');
    await userEvent.click(within(await rowOf(/^Coder/)).getByRole('button', { name: 'Edit Coder' }));
    const box = within(await dialog('Role Coder'));
    const shown = () => box.getAllByRole('checkbox').length;
    const all = shown();
    await userEvent.type(box.getByLabelText('Filter: Permissions'), 'writelabel');
    expect(shown()).toBe(1);
    await userEvent.clear(box.getByLabelText('Filter: Permissions'));
    await userEvent.click(box.getByRole('radio', { name: '3 chosen' }));
    expect(shown()).toBe(3);
    // What is taken away stays in sight until the choice is made again.
    await userEvent.click(box.getByRole('checkbox', { name: /^Add and change labels/ }));
    expect(shown()).toBe(3);
    await userEvent.click(box.getByRole('radio', { name: 'All' }));
    expect(shown()).toBe(all);
  });

  it('a wildcard permission covers the permissions of its family', async () => {
    await renderStudio('/admin/roles');
    await userEvent.click(within(await rowOf(/^Coder/)).getByRole('button', { name: 'Edit Coder' }));
    const box = within(await dialog('Role Coder'));
    await userEvent.click(await box.findByText('Components: annotators'));
    const one = box.getByRole('checkbox', { name: 'useAnnotator:crf' });
    expect(one).toBeEnabled();
    await userEvent.click(box.getByRole('checkbox', { name: /^All annotators/ }));
    expect(one).toBeDisabled();
    expect(one).toBeChecked();
  });
});

describe('the rules', () => {
  const draft: UserDraft = { username: 'bo', profilename: 'Bo', email: '', password: '', groups: ['press'], roles: ['Coder'] };

  it('roles of a group are assigned to its members only', () => {
    const names = (change: Partial<UserDraft>) =>
      offeredRoles(ROLES as never, { ...draft, roles: [], ...change }).map(({ rolename }) => rolename);
    expect(names({})).toEqual(['Reader', 'Annotator', 'Coder']);
    expect(names({ groups: [] })).toEqual(['Reader', 'Annotator']);
    expect(names({ groups: [], roles: ['Coder', 'Minimal'] })).toEqual(['Minimal', 'Reader', 'Annotator', 'Coder']);
  });

  it('an emptied e-mail address is removed', () => {
    expect(userUpdateSteps({ ...draft, email: 'a@b' }, draft).profile).toEqual({ email: null });
    expect(hasNoSteps(userUpdateSteps(draft, draft))).toBe(true);
  });

  it('a role that somebody else assigned meanwhile is preserved', () => {
    const steps = userUpdateSteps(draft, { ...draft, roles: ['Reader'] });
    expect(applyRoleChanges(['Coder', 'Annotator'], steps)).toEqual(['Annotator', 'Reader']);
  });

  it('V-005 a password is checked when it is not empty', () => {
    expect(userDraftErrors(draft, 8, false)).toEqual({});
    expect(userDraftErrors({ ...draft, password: 'short' }, 8, false)).toHaveProperty('password');
    expect(userDraftErrors(draft, 8, true)).toHaveProperty('password');
  });

  it('an administrator of a single group sends no limits', () => {
    const before = groupDraftOf(group('press') as never);
    expect(changedGroupFields(before, { ...before, label: 'Press' })).toEqual({ label: 'Press' });
    expect(changedGroupFields(before, { ...before, maxProjects: '' })).toEqual({ maxProjects: -1 });
    expect(wrongGroup({ ...before, maxUsers: '-3' })).toHaveProperty('maxUsers');
  });

  it('built-in roles come first', () => {
    expect(shownRoles(ROLES as never, ({ label }) => label).map(({ rolename }) => rolename)).toEqual(['Annotator', 'Reader', 'Coder']);
  });
});

describe('foreign models', () => {
  const model = (name: string, state: string, change: object = {}) => ({
    id: name.padEnd(64, '0'),
    projectName: 'press',
    projectLabel: 'Press',
    kind: 'experiment',
    name,
    label: name.toUpperCase(),
    engine: 'crf',
    timestamp: 0,
    size: 2_000_000,
    state,
    reason: '',
    ...change,
  });
  const list = () => HttpResponse.json({ models: [model('names', 'waiting'), model('places', 'crashed', { reason: 'SIGSEGV' })] });

  it('are accepted and rejected by platform administrators, with an explanation', async () => {
    const answer = async (info: { request: Request }) => {
      await keep(info);
      return HttpResponse.json({ models: [] });
    };
    server.use(
      http.get('*/api/foreign_models', list),
      http.post('*/api/foreign_models/:id/_accept', answer),
      http.delete('*/api/foreign_models/:id', answer),
    );
    await renderStudio('/admin/models');
    expect(await screen.findByText('awaiting acceptance')).toBeInTheDocument();
    await userEvent.click(within(await rowOf(/PLACES/)).getByRole('button', { name: 'Accept PLACES of Press' }));
    const accept = await dialog('Accept the model PLACES?');
    expect(within(accept).getByText('It crashed the last time it ran (SIGSEGV).')).toBeInTheDocument();
    await userEvent.click(within(accept).getByRole('button', { name: 'Accept model' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.click(within(await rowOf(/NAMES/)).getByRole('button', { name: 'Reject NAMES of Press' }));
    await userEvent.click(within(await dialog('Reject the model NAMES?')).getByRole('button', { name: 'Reject model' }));
    await waitFor(() => expect(sent.map(({ method }) => method)).toEqual(['POST', 'DELETE']));
  });

  it('stay open and show the error', async () => {
    server.use(
      http.get('*/api/foreign_models', list),
      http.post('*/api/foreign_models/:id/_accept', () => errorResponse(404, 'There is no external model with this content')),
    );
    await renderStudio('/admin/models');
    await userEvent.click(within(await rowOf(/NAMES/)).getByRole('button', { name: 'Accept NAMES of Press' }));
    const accept = await dialog('Accept the model NAMES?');
    await userEvent.click(within(accept).getByRole('button', { name: 'Accept model' }));
    expect(await screen.findByText(/There is no external model/)).toBeInTheDocument();
    expect(accept).toBeInTheDocument();
  });

  it('are not shown to administrators of a group', async () => {
    server.use(
      http.get('*/api/users/:name', () =>
        HttpResponse.json({ username: 'ana', profilename: 'Ana Roth', permissions: [...PERMISSIONS, 'createUserIn:press'] }),
      ),
    );
    await renderStudio('/admin/models');
    expect(await screen.findByRole('tab', { name: 'Users' })).toBeInTheDocument();
    expect(screen.queryByRole('tab', { name: 'External models' })).toBeNull();
  });
});
