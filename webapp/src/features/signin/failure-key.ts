import { ApiError } from '@/api/errors';

/** Statuses whose own sentence leaves nothing to add: no answer, wrong credentials, too many attempts. */
export const saysAll = ({ status }: ApiError): boolean => [0, 401, 429].includes(status);

/** E-021: a disabled account is denied; wrong credentials and the rest have their own sentence. Keys of the `signin` catalogue. */
export function failureKey(error: unknown): 'accessDenied' | 'wrong' | 'tooMany' | 'unreachable' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed';
  if (/disabled/i.test(`${error.statusText} ${error.message}`)) return 'accessDenied';
  if (error.status === 401) return 'wrong';
  if (error.status === 403) return 'accessDenied';
  if (error.status === 429) return 'tooMany';
  return error.status === 0 || error.status >= 500 ? 'unreachable' : 'failed';
}
