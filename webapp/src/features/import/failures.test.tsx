/** Errors of the import screen when something is missing. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createQueryClient } from '@/api/query-client';
import { useNotificationsStore } from '@/state/notifications-store';
import { startTestI18n } from '@/test/render';
import { server } from '@/test/server';
import { SamplesMenu } from './import-body';
import { defaultImportOptions, importObstacle } from './import-rules';
import { ImportSettings } from './import-settings';

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'bypass' });
  await startTestI18n();
});
afterEach(() => {
  server.resetHandlers();
  useNotificationsStore.setState({ items: [] });
});
afterAll(() => server.close());

it('E-029 a sample that cannot be fetched is reported, and nothing is saved', async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue(undefined);
  server.use(http.get('*/api/samples/:file', () => new HttpResponse(null, { status: 404, statusText: 'Not Found' })));
  render(<SamplesMenu />);
  await userEvent.click(screen.getByRole('button', { name: 'Samples' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /sample-simple\.json/ }));
  await waitFor(() =>
    expect(useNotificationsStore.getState().items).toMatchObject([
      { type: 'error', message: 'Unable to download resource', cause: 'Not Found' },
    ]),
  );
  expect(saved).not.toHaveBeenCalled();
  saved.mockRestore();
});

it('E-033 an originating group is mandatory once the switch is on (V-013)', async () => {
  const options = defaultImportOptions(undefined);
  const settings = (group: string) => (
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter>
        <ImportSettings
          nature={undefined}
          options={{ ...options, group }}
          onChange={() => undefined}
          groups={[{ name: 'legal', label: 'Legal' }]}
          groupWanted
          onGroupWanted={() => undefined}
          disabled={false}
          project="p"
          fileNames={[]}
          errors={[]}
        />
      </MemoryRouter>
    </QueryClientProvider>
  );
  const { rerender } = render(settings(''));
  await userEvent.click(screen.getByRole('button', { name: /Advanced settings/ }));
  expect(screen.getByText('Originating group is mandatory')).toBeVisible();
  expect(importObstacle([{ key: 'a', file: new File([''], 'a'), state: 'uploaded', share: 1 }], false, true, '')).toBe('group');
  rerender(settings('legal'));
  expect(screen.queryByText('Originating group is mandatory')).toBeNull();
});
