import { ApiError, errorCode } from '@/api/errors';
import { translatedMessageOf } from '@/api/server-messages';

/** The server's addition to our error text: the waiting time after too many attempts. Undefined where our text is sufficient. */
export function serverErrorDetail(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || [0, 401].includes(error.status)) return undefined;
  if (error.status !== 429) return error.message;
  return error.body !== null && typeof error.body === 'object' ? translatedMessageOf(error.body, 'fix') : undefined;
}

/** E-021: a disabled account is denied; wrong credentials and other errors have their own text. Keys of the `signin` catalogue. */
export function signInErrorKey(error: unknown): 'accessDenied' | 'wrong' | 'tooMany' | 'unreachable' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed';
  if (errorCode(error) === 'disabled') return 'accessDenied';
  if (error.status === 401) return 'wrong';
  if (error.status === 403) return 'accessDenied';
  if (error.status === 429) return 'tooMany';
  return error.status === 0 || error.status >= 500 ? 'unreachable' : 'failed';
}
