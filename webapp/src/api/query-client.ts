import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, notifyFailure } from './errors';

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * `errorTitle`: key of the error catalogue (E-039 to E-047). `silent`: no notification, the screen tells (section 9 of constants.md).
     */
    queryMeta: { readonly errorTitle?: string; readonly silent?: boolean };
    mutationMeta: { readonly errorTitle?: string; readonly silent?: boolean };
  }
}

// At once, not a task later: an act that is saved leaves the line of edits in the same breath as its answer enters the cache, and what is drawn
// in between would be the text as it was before the act.
notifyManager.setScheduler(queueMicrotask);

const retryable = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status === 503);

/** E-016 for reads and writes alike; a 401 is told by the session-expiry handler. */
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

/** The studio's cache; tests make their own with `createQueryClient`. */
export const queryClient = createQueryClient();
