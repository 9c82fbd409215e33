/** The HTTP client: `/api`, same-origin cookie, CSRF header, at most four concurrent requests. */
import createClient from 'openapi-fetch';
import { restartSessionTimer } from '@/state/session-timer';
import { useSessionStore } from '@/state/session-store';
import { useLiveStore } from '@/state/live-store';
import { createLimiter } from './request-limiter';
import { ApiError, noResponseError, type ErrorBody } from './errors';
import type { ExtraPaths } from './extra-paths';
import type { components, paths } from './schema';
import { ServerWatch } from './server-watch';

export type Schemas = components['schemas'];
export const BASE = '/api';
/** B-003: cross-site forms cannot send it. */
export const CSRF_HEADER = { 'X-Requested-With': 'XMLHttpRequest' } as const;

/**
 * Headers of every request: the CSRF header, and the user of this page. The cookie is shared by all windows; after another window signed in
 * as a different user, the response is a 401 and nothing is done in the wrong name.
 */
export function requestHeaders(): Record<string, string> {
  const { principal } = useSessionStore.getState();
  return { ...CSRF_HEADER, ...(principal !== null && { 'X-Annotarium-User': encodeURIComponent(principal.username) }) };
}

const limited = createLimiter();
const serverWatch = new ServerWatch(
  (signal) => globalThis.fetch(`${location.origin}${BASE}/health/live`, { signal, credentials: 'omit' }),
  (silent) => useLiveStore.getState().setSilent(silent),
);
let onUnauthorized: () => void = () => undefined;

/** Called for each 401 while a user is signed in (T-005). */
export function setUnauthorizedHandler(handler: () => void): void {
  onUnauthorized = handler;
}

/** E-002: a 401 is ignored before sign-in. */
export function handleResponseStatus(status: number): void {
  if (status !== 401) restartSessionTimer();
  else if (useSessionStore.getState().status === 'signedIn') onUnauthorized();
}

async function send(request: Request): Promise<Response> {
  for (const [name, value] of Object.entries(requestHeaders())) request.headers.set(name, value);
  const response = await limited(async () => {
    try {
      return await serverWatch.watch(() => globalThis.fetch(request));
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw noResponseError();
    }
  });
  handleResponseStatus(response.status);
  return response;
}

export const client = createClient<paths & Omit<ExtraPaths, keyof paths>>({
  baseUrl: typeof location === 'undefined' ? BASE : `${location.origin}${BASE}`,
  credentials: 'same-origin',
  fetch: send,
  // The contract repeats parameters: facets=a&facets=b.
  querySerializer: { array: { style: 'form', explode: true } },
});

interface Result<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The data of the response; throws an `ApiError`. `const list = await call(client.GET('/jobs'))`. */
export async function call<T>(request: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (!response.ok) throw new ApiError(response.status, (error ?? null) as ErrorBody | string | null, response.statusText);
  return data as T;
}

/** Published content type of merge patches; plain JSON is accepted too. */
export const MERGE_PATCH = { headers: { 'Content-Type': 'application/merge-patch+json' } } as const;
