/** Alternative texts of a project are deleted by name (D-014, V-025). */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createQueryClient } from '@/api/query-client';
import type { Project } from '@/api/resources/projects';
import { useSessionStore } from '@/state/session-store';
import { startTestI18n } from '@/test/render';
import { project, server } from '@/test/server';
import { AltTextsCard } from './alt-texts-card';

let sent: unknown[] = [];
let requestCount = 0;
const show = (permissions: readonly string[], nature = 'sequence_labelling') => {
  useSessionStore.setState({ permissions: new Set(permissions) });
  return render(
    <MemoryRouter>
      <QueryClientProvider client={createQueryClient()}>
        <AltTextsCard info={project('press', { nature }) as Project} />
      </QueryClientProvider>
    </MemoryRouter>,
  );
};

beforeAll(async () => {
  await startTestI18n();
  server.listen({ onUnhandledRequest: 'error' });
});
beforeEach(() => {
  [sent, requestCount] = [[], 0];
  server.use(
    http.get('*/api/projects/press/alt_texts', () => {
      requestCount += 1;
      return HttpResponse.json([
        { name: 'summary', count: 12 },
        { name: 'translation', count: 3 },
      ]);
    }),
    http.post('*/api/projects/press/alt_texts/_delete', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ removed: 12 });
    }),
  );
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

describe('deleting alternative texts (D-014)', () => {
  it('V-025 requires a selection, then the confirmation', async () => {
    show(['deleteDocuments']);
    const row = await screen.findByRole('checkbox', { name: /summary/ });
    const button = screen.getByRole('button', { name: /^Delete/ });
    expect(screen.getByText(/12/)).toBeVisible();
    expect(button).toBeDisabled();
    await userEvent.click(row);
    await userEvent.click(button);
    const dialog = within(await screen.findByRole('dialog'));
    const verb = dialog.getByRole('button', { name: /^Delete/ });
    expect(verb).toBeDisabled();
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole('checkbox'));
    await userEvent.click(verb);
    await waitFor(() => expect(sent).toEqual([[{ name: 'summary' }]]));
  });

  it.each([
    ['without deleteDocuments', [], 'sequence_labelling'],
    ['in a project of questions', ['deleteDocuments'], 'question_answering'],
  ])('is not there %s', async (_when, permissions, nature) => {
    const { container } = show(permissions, nature);
    await new Promise((done) => setTimeout(done, 50));
    expect(container).toBeEmptyDOMElement();
    expect(requestCount).toBe(0);
  });
});
