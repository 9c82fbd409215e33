import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { job, PERMISSIONS, project, server } from '@/test/server';

const ALL = [...PERMISSIONS, 'seeSuggestersSettings', 'seeAdvancedSettings', 'changeProjectConfig', 'shareProject', 'deleteProject'];
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

describe('tabs of the settings (R-010)', () => {
  it.each([
    ['/settings', 'Suggesters'],
    ['/settings/advanced', 'Advanced'],
    ['/settings/suggesters', 'Suggesters'],
    ['/settings/nothing', 'Suggesters'],
  ])('%s shows %s', async (path, chosen) => {
    await renderStudio(path);
    expect(await tabs()).toEqual(['Suggesters', 'Advanced'].map((name) => [name, String(name === chosen)]));
  });

  it('has the tab in the address', async () => {
    const { router } = await renderStudio('/settings');
    await user.click(await screen.findByRole('tab', { name: 'Advanced' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/settings/advanced'));
  });

  it.each([
    ['seeAdvancedSettings', 'Advanced'],
    ['seeSuggestersSettings', 'Suggesters'],
  ])('only that of %s', async (permission, name) => {
    allow(...PERMISSIONS, permission);
    await renderStudio('/settings');
    expect(await tabs()).toEqual([[name, 'true']]);
  });

  it('without a permitted tab the page is refused', async () => {
    allow(...PERMISSIONS);
    const { router } = await renderStudio('/settings');
    await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
  });
});

describe('project settings (S-041)', () => {
  it('saves label and description together; shows the creation date', async () => {
    await renderStudio('/settings/advanced');
    const label = await screen.findByLabelText(/^Name/);
    expect(screen.getByText(/^Created .* by lea$/)).toBeVisible();
    fill(label, 'National press');
    fill(screen.getByLabelText('Description'), 'New words');
    const [save] = screen.getAllByRole('button', { name: 'Save changes' });
    await user.click(save as HTMLElement);
    await waitFor(() => expect(patches).toEqual([{ label: 'National press', description: 'New words' }]));
  });

  it.each([
    ['Annotate together', { collaborativeAnnotation: true }],
    ['Clean imported texts', { cleanHtml: true }],
    ['Texts are Markdown', { markdownContent: false }],
    ['Unify line ends', { replaceCarriageReturns: true }],
    ['One category at most', { classification: { exclusive_classes: false } }],
  ])('%s, at once', async (name, patch) => {
    await renderStudio('/settings/advanced');
    await user.click(await screen.findByRole('switch', { name: new RegExp(`^${name}`) }));
    await waitFor(() => expect(patches).toEqual([patch]));
  });

  it('sets the landing screen', async () => {
    await renderStudio('/settings/advanced');
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
    const { router } = await renderStudio('/settings/advanced');
    expect(await screen.findByRole('radiogroup', { name: 'Where the picture comes from' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Reindex' }));
    await waitFor(() => expect(indexed).toBe(1));
    await user.click(screen.getByRole('button', { name: 'Delete project' }));
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
    await renderStudio('/settings/advanced');
    expect(await screen.findByLabelText(/^Name/)).toBeDisabled();
    for (const one of screen.getAllByRole('switch')) expect(one).toBeDisabled();
    for (const name of ['Save changes', 'Reindex', 'Delete project']) expect(screen.queryByRole('button', { name })).toBeNull();
  });
});
