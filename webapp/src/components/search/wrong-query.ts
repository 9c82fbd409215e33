import i18next from 'i18next';
import { useEffect } from 'react';
import { notifyFailure } from '@/api/errors';
import { isUnreadableQuery } from '@/api/resources/search';
import { notify } from '@/state/notifications-store';

/** E-019: told only when the query was sent with Enter; half-typed ones are ignored. Other failures are always told. */
export function useSearchFailure(error: unknown, explicit: boolean, title: string): void {
  useEffect(() => {
    if (error === null || error === undefined) return;
    if (!isUnreadableQuery(error)) notifyFailure(error, title);
    else if (explicit) notify({ type: 'warning', message: i18next.t('errors:wrongQuery') });
  }, [error, explicit, title]);
}
