/** The import dialog with an active conversion plan, against msw. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importParams } from '@/api/resources/document-imports';
import { clearSession } from '@/app/session-lifecycle';
import { useSessionStore } from '@/state/session-store';
import { renderStudio } from '@/test/render';
import { PERMISSIONS, server } from '@/test/server';
import { defaultImportOptions } from './import-rules';

const PLAN = {
  name: 'sheets',
  label: 'Sheets',
  parameters: { pipeline: [] },
  tags: [],
  favorite: false,
  type: 'conversion',
  isActive: true,
};

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
beforeEach(() => {
  useSessionStore.setState({ projectName: 'press' });
  server.use(
    http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', permissions: [...PERMISSIONS, 'importDocuments'] })),
    http.get('*/api/projects/press/plans', () => HttpResponse.json([PLAN])),
    http.get('*/api/projects/press/services', () =>
      HttpResponse.json([{ name: 'csv', metadata: { title: 'Tables', extensions: 'csv: csv/tsv' } }]),
    ),
  );
});
afterEach(() => {
  clearSession();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('an active conversion plan', () => {
  it('T-031, C-050 reads files of any type, is named, and can be switched off', async () => {
    const user = userEvent.setup();
    void renderStudio('/addDocuments');
    expect(await screen.findByText('Files are read by the active plan “Sheets”.')).toBeTruthy();
    expect(screen.getByText(/any type/i)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /settings/i }));
    const reader = await screen.findByRole('combobox', { name: 'Files are read by' });
    expect(reader.textContent).toBe('The active plan “Sheets”');
    await user.click(reader);
    const options = within(await screen.findByRole('listbox')).getAllByRole('option');
    expect(options.map((one) => one.textContent)).toContain('Tables');
    await user.click(options[1] as HTMLElement);
    await waitFor(() => expect(screen.queryByText('Files are read by the active plan “Sheets”.')).toBeNull());
    expect(screen.getByText(/csv, tsv/)).toBeTruthy();
  });

  it('is switched off by a query parameter', () => {
    expect(importParams(defaultImportOptions(undefined))).not.toHaveProperty('useActivePlan');
    expect(importParams({ ...defaultImportOptions(undefined), usePlan: false })).toMatchObject({ useActivePlan: false });
  });
});
