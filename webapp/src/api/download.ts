/** Files that the server makes by a POST, which a link cannot start. */
import { BASE, handleResponseStatus, requestHeaders } from './client';
import { ApiError } from './errors';

/** The answer of any path below `/api` as a file; throws an `ApiError`. */
export async function downloadByPost(path: string): Promise<Blob> {
  const response = await fetch(`${BASE}${path}`, { method: 'POST', headers: requestHeaders(), credentials: 'same-origin' });
  handleResponseStatus(response.status);
  if (!response.ok) throw new ApiError(response.status, (await response.json().catch(() => null)) as never, response.statusText);
  return response.blob();
}
