/** Ctrl K finds what the studio holds, within the rights of the user. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clearSession } from '@/app/session-lifecycle';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, server } from '@/test/server';
import { usePaletteStore } from '@/ui/palette-store';

const AT = '*/api/projects/press';
let asked: URL[] = [];

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
afterEach(() => {
  usePaletteStore.getState().close();
  clearSession();
  server.resetHandlers();
  asked = [];
});
afterAll(() => server.close());

async function openWith(permissions: readonly string[], query: string) {
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana', permissions })),
    http.get(`${AT}/labels`, () => HttpResponse.json([{ name: 'person', label: 'Person', labelSetName: 'default', color: '#112233' }])),
    http.post(`${AT}/documents/_search`, ({ request }) => {
      asked.push(new URL(request.url));
      return HttpResponse.json({
        total: { value: 1 },
        hits: [
          {
            _id: 'd1',
            document: { identifier: 'd1', title: 'A letter from Nancy' },
            excerpt: { start: 0, text: 'Dear friend, this letter', highlights: [{ start: 18, end: 24 }], length: 24 },
          },
        ],
      });
    }),
  );
  const { router } = await renderStudio('/home');
  await screen.findByRole('link', { name: 'Regional press' });
  useSessionStore.getState().openProject('press');
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.type(await screen.findByRole('combobox', { name: 'Find anything' }), query);
  return router;
}

describe('the palette', () => {
  it('finds a document by its words, and opens it', async () => {
    const router = await openWith([...PERMISSIONS, 'seeDocuments'], 'letter');
    const option = await screen.findByRole('option', { name: /A letter from Nancy/ });
    expect(within(option).getByText('letter', { selector: 'mark' })).toBeVisible();
    expect(option).toHaveTextContent('Dear friend, this letter');
    await userEvent.click(option);
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/document\//));
    // The document's screen searches, too.
    expect(asked.map(({ searchParams }) => searchParams.get('query'))).toContain('letter*');
  });

  it('finds a label, a setting by what people call it, and offers the search for the words', async () => {
    await openWith([...PERMISSIONS, 'seeDocuments', 'seeSettings', 'seeAdvancedSettings'], 'per');
    expect(await screen.findByRole('option', { name: /^Person/ })).toBeVisible();
    await userEvent.type(screen.getByRole('combobox'), '{Backspace}{Backspace}{Backspace}embeddings');
    expect(await screen.findByRole('option', { name: 'Settings: search' })).toBeVisible();
    expect(screen.getByRole('option', { name: 'Search the documents for “embeddings”' })).toBeVisible();
  });

  it('asks for nothing the user may not see', async () => {
    await openWith(['seeHomepage', 'seeUserProfile'], 'letter');
    expect(await screen.findByText('Nothing matches')).toBeVisible();
    expect(asked).toEqual([]);
  });
});
