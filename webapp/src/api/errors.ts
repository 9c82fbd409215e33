/** Turns a failed call into a notification, by the status table of E-001 to E-016. */
import i18next from 'i18next';
import { translatedMessageOf } from './server-messages';
import { notify, type NewNotification, type NotificationType } from '@/state/notifications-store';

export interface ErrorBody {
  readonly code?: number | string;
  readonly message?: string;
  readonly cause?: string;
  readonly fix?: string;
  readonly error?: string;
  readonly said?: unknown;
  readonly details?: readonly { field?: string; message?: string; current?: unknown; said?: unknown }[];
}

/** A failed call. `status` 0: sent, no response (E-007). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    readonly body: ErrorBody | string | null,
    readonly statusText = '',
  ) {
    super(serverMessage(body) || statusText || String(status));
  }
  /** Per-field messages of a 400, for forms. */
  get fields(): readonly { field: string; message: string }[] {
    const details = typeof this.body === 'object' ? (this.body?.details ?? []) : [];
    return details.flatMap((one) => {
      const message = translatedMessageOf(one, 'message');
      return one.field !== undefined && message !== undefined ? [{ field: one.field, message }] : [];
    });
  }
}

/** The server's stable error code (`disabled`, `query_syntax`), to be used in conditions. Its messages are in the user's language. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof ApiError && typeof error.body === 'object' ? error.body?.error : undefined;
}

/** E-007 with our own text, as the browser's message is not in the language of the web app. */
export const noResponseError = (): ApiError => new ApiError(0, null, i18next.t('errors:noAnswer'));

const EXCERPT = 50;

/** E-009: `cause`, else `message`, else the JSON text cut at 50 characters (C-040), else the raw text. */
export function serverMessage(body: ErrorBody | string | null): string {
  if (body === null) return '';
  if (typeof body === 'string') return body;
  const words = translatedMessageOf(body, body.cause ? 'cause' : 'message');
  if (words) return words;
  const text = JSON.stringify(body);
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
}

export interface Failure {
  readonly type: NotificationType;
  /** Key in the `errors` catalogue, with the server's message as `{{message}}`. */
  readonly cause: 'bug' | 'refused' | 'unavailable' | 'rejected' | 'notAuthenticated' | 'denied';
  readonly message: string;
  readonly fix?: 'contactSupport' | 'retryLater' | 'signIn' | 'signOutAndIn';
  readonly signInFix: boolean;
}

const isBareBadRequest = (error: ApiError) => ['', 'Bad Request'].includes(error.message.trim()) || error.body === null;

function failureOfStatus(error: ApiError): Failure {
  const message = error.message;
  const failure = (part: Partial<Failure>): Failure => ({
    type: 'error',
    cause: 'bug',
    fix: 'contactSupport',
    message,
    signInFix: false,
    ...part,
  });
  switch (error.status) {
    case 0:
      return failure({ cause: 'unavailable' });
    case 400:
      return isBareBadRequest(error) ? failure({}) : { type: 'warning', cause: 'refused', message, signInFix: false };
    case 401:
      return failure({ cause: 'notAuthenticated', fix: 'signIn', signInFix: true });
    case 403:
      return failure({ type: 'warning', cause: 'denied', fix: 'signOutAndIn', signInFix: true });
    case 429:
    case 503:
      return failure({ cause: 'unavailable', fix: 'retryLater' });
    default:
      // E-010: a request that the server understood and refused is no bug; the server gives the reason, and a fix if it
      // has one.
      return isClientRejection(error) ? failure({ cause: 'rejected' }) : failure({});
  }
}

/** E-010, E-006: another client error; a 404 is a bug of the web app (E-004), a 400 without details too. */
const isClientRejection = ({ status }: ApiError) => status > 404 && status < 500;

/** The notification texts for any thrown value. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof ApiError) return failureOfStatus(error);
  const message = error instanceof Error ? error.message : String(error);
  return { type: 'error', cause: 'bug', message, signInFix: false };
}

/**
 * E-055: a predefined object cannot be created because a component or label is missing; `key` selects cause and fix in the catalogue
 * (`errors:missing`).
 */
export class MissingRequirementError extends Error {
  override readonly name = 'MissingRequirementError';
  constructor(
    readonly key: 'topics' | 'component' | 'label' | 'pipeline',
    readonly values: Readonly<Record<string, string>> = {},
  ) {
    super(key);
  }
}

/**
 * E-016: notifies with a title of the catalogue (`createAnnotation` -> `errors:error.createAnnotation`), cause and fix. Returns the
 * notification's id, or null when a rule dropped it. `action`: what the notification offers to do.
 */
export function notifyFailure(error: unknown, titleKey: string, action?: NewNotification['action']): number | null {
  const failure = describeFailure(error);
  const t = (key: string, values?: Readonly<Record<string, string>>) => i18next.t(`errors:${key}`, values ?? {});
  const message = i18next.exists(`errors:error.${titleKey}`) ? t(`error.${titleKey}`) : t('unexpected');
  if (error instanceof MissingRequirementError) {
    const { key, values } = error;
    return notify({ type: 'error', message, cause: t(`missing.${key}.cause`, values), fix: t(`missing.${key}.fix`, values) });
  }
  return notify({
    type: failure.type,
    message,
    cause: t(`cause.${failure.cause}`, { message: failure.message }),
    ...(failure.fix === undefined ? {} : { fix: t(`fix.${failure.fix}`) }),
    signInFix: failure.signInFix,
    ...(action !== undefined && { action }),
  });
}
