import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { job, PERMISSIONS, project, server } from '@/test/server';

const SETTINGS = ['seeSuggestersSettings', 'seeAdvancedSettings', 'changeProjectConfig'];
const ALL = [...PERMISSIONS, ...SETTINGS, 'seePlans', 'shareProject', 'deleteProject'];
const INFO = project('press', {
  label: 'Regional press',
  description: 'Old words',
  createdBy: 'lea',
  nature: 'classification',
  collaborativeAnnotation: false,
  cleanHtml: false,
  markdownContent: true,
  replaceCarriageReturns: false,
  classification: { exclusive_classes: true },
  readOnly: false,
} as never);

let patches: object[] = [];

// The page is long, and jsdom applies all style sheets for each computed style. The checks for hidden or unclickable
// elements, and the text areas that grow with each key, took most of the time.
const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const allow = (...permissions: string[]) =>
  server.use(http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })));

beforeAll(() => {
  configure({ defaultHidden: true });
  server.listen({ onUnhandledRequest: 'bypass' });
});
beforeEach(() => {
  patches = [];
  allow(...ALL);
  server.use(
    http.get('*/api/projects/:name/_info', () => HttpResponse.json(INFO)),
    http.get('*/api/projects/:name/suggesters', () => HttpResponse.json([])),
    http.get('*/api/projects/:name/jobs', () => HttpResponse.json([])),
    http.patch('*/api/projects/press/config', async ({ request }) => {
      patches.push((await request.json()) as object);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  useSessionStore.getState().openProject('press');
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

const tabs = async () => (await screen.findAllByRole('tab')).map((tab) => [tab.textContent, tab.getAttribute('aria-selected')]);

const TABS = ['General', 'Sharing', 'Documents', 'Search', 'Suggesters', 'Plans in use', 'Danger zone'];

describe('tabs of the settings (R-010)', () => {
  it.each([
    ['/settings', 'General'],
    ['/settings/advanced', 'General'],
    ['/settings/sharing', 'Sharing'],
    ['/settings/suggesters', 'Suggesters'],
    ['/settings/plans', 'Plans in use'],
    ['/settings/nothing', 'General'],
  ])('%s shows %s', async (path, chosen) => {
    await renderStudio(path);
    expect(await tabs()).toEqual(TABS.map((name) => [name, String(name === chosen)]));
  });

  it('has the tab in the address', async () => {
    const { router } = await renderStudio('/settings');
    await user.click(await screen.findByRole('tab', { name: 'Search' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/settings/search'));
  });

  it.each([
    ['seeAdvancedSettings', [...TABS.slice(0, 4), 'Danger zone']],
    ['seeSuggestersSettings', ['Suggesters']],
  ])('only those of %s', async (permission, names) => {
    allow(...PERMISSIONS.filter((name) => name !== 'seePlans'), permission);
    await renderStudio('/settings');
    expect((await tabs()).map(([name]) => name)).toEqual(names);
  });

  it('without a permitted tab the page is refused', async () => {
    allow(...PERMISSIONS);
    const { router } = await renderStudio('/settings');
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
  });

  it('keeps what was typed in a tab while another one is shown', async () => {
    await renderStudio('/settings/general');
    fill(await screen.findByLabelText(/^Name/), 'National press');
    await user.click(screen.getByRole('tab', { name: 'Search' }));
    await screen.findByRole('heading', { name: 'Search index' });
    await user.click(screen.getByRole('tab', { name: 'General' }));
    expect(await screen.findByLabelText(/^Name/)).toHaveValue('National press');
  });

  it('S-051 lists the parts of answering in projects of that nature, and where such a plan is active', async () => {
    const active = { name: 'p', label: 'Short answers', parameters: { pipeline: [] }, tags: [], favorite: false, isActive: true };
    const when = { modifiedAt: '2026-01-02T00:00:00Z', modifiedBy: 'ana', version: 1 };
    const plans = [{ ...active, ...when, type: 'question-answerer' }];
    server.use(http.get('*/api/projects/press/plans', () => HttpResponse.json(plans)));
    await renderStudio('/settings/plans');
    await screen.findByRole('link', { name: 'Short answers' });
    expect(screen.getByRole('heading', { name: 'Answerers' })).toBeTruthy();
    expect(screen.queryByRole('heading', { name: 'Search parameters' })).toBeNull();
    server.use(http.get('*/api/projects/:name/_info', () => HttpResponse.json({ ...INFO, nature: 'question_answering' })));
    clearSession();
    useSessionStore.getState().openProject('press');
    await renderStudio('/settings/plans');
    expect(await screen.findByRole('heading', { name: 'Search parameters' })).toBeTruthy();
  });

  it('lists the plans in use by type, with a link to each', async () => {
    const modified = { modifiedBy: 'ana', modifiedAt: '2026-01-02T03:04:05Z', version: 1 };
    const plan = { parameters: { pipeline: [] }, tags: [], favorite: false, ...modified };
    server.use(
      http.get('*/api/projects/press/plans', () =>
        HttpResponse.json([
          { ...plan, name: 'cut', label: 'Cut by paragraph', type: 'segmentation', isActive: true },
          { ...plan, name: 'idle', label: 'Not in use', type: 'conversion', isActive: false },
        ]),
      ),
    );
    await renderStudio('/settings/plans');
    const link = await screen.findByRole('link', { name: 'Cut by paragraph' });
    expect(link.getAttribute('href')).toMatch(/^\/plans\/\w+/);
    expect(screen.queryByText('Not in use')).toBeNull();
    expect(screen.getAllByText('None is active.')).toHaveLength(3);
  });

  it('shares in place, with people, groups and links', async () => {
    let shared = '';
    server.use(
      http.get('*/api/projects/press/shares/users', () => HttpResponse.json([])),
      http.get('*/api/projects/press/shares/groups', () => HttpResponse.json([])),
      http.get('*/api/users', () => HttpResponse.json({ users: [{ username: 'bo', profilename: 'Bo Roth' }] })),
      http.get('*/api/groups', () => HttpResponse.json([])),
      http.post('*/api/projects/press/shares/users', ({ request }) => {
        shared = new URL(request.url).searchParams.get('username') ?? '';
        return HttpResponse.json({});
      }),
    );
    await renderStudio('/settings/sharing');
    expect(await screen.findByRole('button', { name: 'Create a link' })).toBeVisible();
    await user.click(await screen.findByRole('combobox', { name: 'Share with a person' }));
    await user.click(await screen.findByRole('option', { name: /Bo Roth/ }));
    const [people] = screen.getAllByRole('button', { name: 'Share' }).filter((button) => button.closest('[role=tabpanel]') !== null);
    await user.click(people as HTMLElement);
    await waitFor(() => expect(shared).toBe('bo'));
  });
});

describe('project settings (S-041)', () => {
  it('saves label and description together; shows the creation date', async () => {
    await renderStudio('/settings/general');
    const label = await screen.findByLabelText(/^Name/);
    expect(screen.getByText(/^Created .* by lea$/)).toBeVisible();
    fill(label, 'National press');
    fill(screen.getByLabelText('Description'), 'New words');
    const [save] = screen.getAllByRole('button', { name: 'Save changes' });
    await user.click(save as HTMLElement);
    await waitFor(() => expect(patches).toEqual([{ label: 'National press', description: 'New words' }]));
  });

  it.each([
    ['general', 'Annotate together', { collaborativeAnnotation: true }],
    ['documents', 'Clean imported texts', { cleanHtml: true }],
    ['documents', 'Texts are Markdown', { markdownContent: false }],
    ['documents', 'Unify line ends', { replaceCarriageReturns: true }],
    ['general', 'One category at most', { classification: { exclusive_classes: false } }],
  ])('%s: %s, at once', async (tab, name, patch) => {
    await renderStudio(`/settings/${tab}`);
    await user.click(await screen.findByRole('switch', { name: new RegExp(`^${name}`) }));
    await waitFor(() => expect(patches).toEqual([patch]));
  });

  it('sets the landing screen', async () => {
    await renderStudio('/settings/general');
    await user.click(await screen.findByLabelText('Opens on'));
    await user.click(await screen.findByRole('option', { name: 'Dashboard' }));
    await waitFor(() => expect(patches).toEqual([{ routeOnOpenProject: 'dashboard' }]));
  });

  it('changes the image, rebuilds the index, and deletes the project', async () => {
    let indexed = 0;
    let deleted = '';
    server.use(
      http.post('*/api/projects/press/_reindex', () => {
        indexed += 1;
        return HttpResponse.json(job('index', { type: 'PROJECT_INDEXING', status: 'STARTED' }));
      }),
      http.delete('*/api/projects/:name', ({ params }) => {
        deleted = String(params['name']);
        return HttpResponse.json({ ok: true });
      }),
    );
    const { router } = await renderStudio('/settings/general');
    expect(await screen.findByRole('radiogroup', { name: 'Where the picture comes from' })).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Search' }));
    await user.click(await screen.findByRole('button', { name: 'Reindex' }));
    await waitFor(() => expect(indexed).toBe(1));
    await user.click(screen.getByRole('tab', { name: 'Danger zone' }));
    await user.click(await screen.findByRole('button', { name: 'Delete project' }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByRole('button', { name: 'Delete project' })).toBeDisabled();
    await user.click(within(dialog).getByRole('checkbox'));
    await user.click(within(dialog).getByRole('button', { name: 'Delete project' }));
    await waitFor(() => expect(deleted).toBe('press'));
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
  });

  it('are read-only on a read-only project', async () => {
    allow(...ALL.filter((name) => name !== 'writeProject:*'));
    server.use(http.get('*/api/projects/:name/_info', () => HttpResponse.json({ ...INFO, readOnly: true })));
    await renderStudio('/settings/general');
    expect(await screen.findByLabelText(/^Name/)).toBeDisabled();
    expect(screen.queryByRole('tab', { name: 'Danger zone' })).toBeNull();
    for (const tab of ['Documents', 'Search']) await user.click(screen.getByRole('tab', { name: tab }));
    for (const one of screen.getAllByRole('switch')) expect(one).toBeDisabled();
    for (const name of ['Save changes', 'Reindex', 'Delete project']) expect(screen.queryByRole('button', { name })).toBeNull();
  });
});
