import { render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestI18n } from '@/test/render';
import { ErrorPage } from './error-page';
import { loadScreen } from './load-screen';

beforeAll(async () => {
  await startTestI18n();
});

const show = (load: () => Promise<() => null>) => {
  const routes = [
    { path: '/', lazy: async () => ({ Component: await loadScreen(load) }), errorElement: <ErrorPage />, HydrateFallback: () => null },
  ];
  render(<RouterProvider router={createMemoryRouter(routes)} />);
};

describe('a failed page', () => {
  it("reports in the user's language that its code could not be loaded, without the browser's message", async () => {
    show(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1/assets/x.js')));
    expect(await screen.findByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
    expect(screen.getByText('The server is not available (part of the application could not be downloaded).')).toBeVisible();
    expect(screen.getByRole('link', { name: 'All projects' })).toBeVisible();
    expect(screen.queryByText(/Failed to fetch/)).toBeNull();
  });

  it('calls an error of the web app a bug', async () => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    show(() =>
      Promise.resolve(() => {
        throw new Error('x is undefined');
      }),
    );
    expect(await screen.findByText('A bug occurred. x is undefined')).toBeVisible();
    quiet.mockRestore();
  });
});
