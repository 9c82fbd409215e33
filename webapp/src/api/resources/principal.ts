/** Who is signed in. Without the query cache, as the first page has none. */
import { BASE, call, client, CSRF_HEADER, handleResponseStatus, requestHeaders } from '@/api/client';
import { ApiError, noResponseError, type ErrorBody } from '@/api/errors';

export interface PrincipalAnswer {
  readonly username: string;
  readonly ssoLogin?: boolean;
  readonly profilename?: string;
  readonly permissions?: readonly string[];
}

/** UTF-8, as the server reads Basic credentials. */
function basicAuthHeader(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

/** The principal: with credentials this opens the session (cookie), without them it reads the present one. */
export async function fetchPrincipal(username: string, password?: string): Promise<PrincipalAnswer> {
  const headers = password === undefined ? requestHeaders() : { ...CSRF_HEADER, Authorization: basicAuthHeader(username, password) };
  let response: Response;
  try {
    response = await fetch(`${BASE}/users/${encodeURIComponent(username)}?jwtFormat=true`, { headers, credentials: 'same-origin' });
  } catch {
    throw noResponseError();
  }
  if (password === undefined) handleResponseStatus(response.status);
  const text = await response.text();
  const body = parse(text);
  if (!response.ok) throw new ApiError(response.status, body as ErrorBody | string, response.statusText);
  return body as PrincipalAnswer;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The principal of the present session; null when nobody is signed in. */
export async function restorePrincipal(): Promise<PrincipalAnswer | null> {
  try {
    const { username } = await call(client.GET('/current_user'));
    return await fetchPrincipal(username);
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return null;
    throw error;
  }
}
