import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, notifyFailure } from './errors';

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * `errorTitle`: key of the error catalogue (E-039 to E-047). `silent`: no notification, the screen shows the error (section 9 of
     * constants.md).
     */
    queryMeta: { readonly errorTitle?: string; readonly silent?: boolean };
    mutationMeta: { readonly errorTitle?: string; readonly silent?: boolean };
  }
}

// Notify in a microtask, not in a task: when an edit is saved, it leaves the queue together with the cache update. A
// render in between would show the text as it was before the edit.
notifyManager.setScheduler(queueMicrotask);

const retryable = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status === 503);

/** E-016 for queries and mutations; a 401 is reported by the session-expiry handler. */
function report(error: unknown, meta: { errorTitle?: string; silent?: boolean } | undefined): void {
  if (meta?.silent === true || (error instanceof ApiError && error.status === 401)) return;
  if (error instanceof DOMException && error.name === 'AbortError') return;
  notifyFailure(error, meta?.errorTitle ?? 'fetch');
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => report(error, query.meta) }),
    mutationCache: new MutationCache({ onError: (error, _variables, _context, mutation) => report(error, mutation.meta) }),
    defaultOptions: {
      queries: { staleTime: 30_000, refetchOnWindowFocus: false, retry: (count, error) => count < 1 && retryable(error), retryDelay: 600 },
      mutations: { retry: false },
    },
  });
}

/** The cache of the web app; tests create their own with `createQueryClient`. */
export const queryClient = createQueryClient();
