import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { notifyFailure } from '@/api/errors';
import { isUnreadableQuery } from '@/api/resources/search';
import { notify } from '@/state/notifications-store';

/** E-019: told only when the query was sent with Enter; half-typed ones are ignored. Other failures are always told. */
export function useSearchFailureNotification(error: unknown, explicit: boolean, title: string): void {
  useEffect(() => {
    if (error === null || error === undefined) return;
    if (!isUnreadableQuery(error)) notifyFailure(error, title);
    else if (explicit) notify({ type: 'warning', message: i18next.t('errors:wrongQuery') });
  }, [error, explicit, title]);
}

/** E-019: what was found before stays while a query that nobody sent cannot be read yet. `half`: that is what is shown. */
export function useResultsOfLastValidQuery<T>(
  data: T | undefined,
  error: unknown,
  explicit: boolean,
): { readonly found: T | undefined; readonly half: boolean } {
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  const half = data === undefined && last !== undefined && !explicit && isUnreadableQuery(error);
  return { found: half ? last : data, half };
}
