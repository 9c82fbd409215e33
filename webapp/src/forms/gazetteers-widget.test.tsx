import type { RJSFSchema } from '@rjsf/utils';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '@/api/query-client';
import { useSessionStore } from '@/state/session-store';
import { startTestI18n } from '@/test/render';
import { server } from '@/test/server';
import { SchemaForm, type FormValues } from './schema-form';

const SCHEMA = {
  type: 'object',
  properties: {
    gazetteers: { type: 'array', items: { type: 'string' }, default: [], title: 'Dictionaries', 'x-widget': 'gazetteers' },
  },
} as RJSFSchema;

const handleChange = vi.fn<(values: FormValues) => void>();

function Host() {
  const [value, setValue] = useState<FormValues>({});
  const change = (next: FormValues) => {
    setValue(next);
    handleChange(next);
  };
  return (
    <QueryClientProvider client={createQueryClient()}>
      <SchemaForm id="f" schema={SCHEMA} value={value} onChange={change} onSubmit={() => undefined} />
    </QueryClientProvider>
  );
}

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'error' });
  await startTestI18n();
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(() => server.close());

describe('the choice of gazetteers in a form', () => {
  it('offers those of the open project, by label, and stores their names', async () => {
    useSessionStore.setState({ projectName: 'press' });
    server.use(
      http.get('*/api/projects/press/gazetteers', () => HttpResponse.json([{ name: 'doid', label: 'Human diseases' }, { name: 'places' }])),
    );
    const user = userEvent.setup();
    render(<Host />);
    await user.click(await screen.findByLabelText('Dictionaries'));
    await user.click(await screen.findByRole('option', { name: 'Human diseases' }));
    await waitFor(() => expect(handleChange).toHaveBeenLastCalledWith({ gazetteers: ['doid'] }));
  });
});
