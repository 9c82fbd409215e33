import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { notifyFailure } from '@/api/errors';
import { isUnreadableQuery } from '@/api/resources/search';
import { notify } from '@/state/notifications-store';

/** E-019: a syntax error is reported only when the query was submitted with Enter. Other failures are always reported. */
export function useSearchFailureNotification(error: unknown, explicit: boolean, title: string): void {
  useEffect(() => {
    if (error === null || error === undefined) return;
    if (!isUnreadableQuery(error)) notifyFailure(error, title);
    else if (explicit) notify({ type: 'warning', message: i18next.t('errors:wrongQuery') });
  }, [error, explicit, title]);
}

/** E-019: keeps the previous results while an unsubmitted query has a syntax error. `half`: these results are shown. */
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
