import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { RouterProvider, type createMemoryRouter } from 'react-router';
import { queryClient } from '@/api/query-client';
import { StudioTheme } from './theme-provider';

export interface StudioProps {
  readonly router: ReturnType<typeof createMemoryRouter>;
  readonly client?: QueryClient;
}

/** All providers that a page needs. */
export function Studio({ router, client = queryClient }: StudioProps) {
  return (
    <QueryClientProvider client={client}>
      <StudioTheme>
        <Suspense fallback={null}>
          <RouterProvider router={router} />
        </Suspense>
      </StudioTheme>
    </QueryClientProvider>
  );
}
