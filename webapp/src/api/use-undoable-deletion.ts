import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from '@/state/notifications-store';

interface UndoableDeletion<Row> {
  readonly remove: (row: Row) => Promise<unknown>;
  readonly restore: (row: Row) => Promise<unknown>;
  /** Fetches what is shown again. */
  readonly refresh: () => Promise<unknown>;
  /** Titles of failures. */
  readonly removeTitle: string;
  readonly restoreTitle: string;
  /** Message of the notice; by default that the row was deleted. */
  readonly message?: (row: Row) => string;
}

/** A deletion whose notice offers to undo it, also after its screen was left. */
export function useUndoableDeletion<Row extends { readonly label: string }>(given: UndoableDeletion<Row>) {
  const { remove, restore, refresh, removeTitle, restoreTitle, message } = given;
  const { t } = useTranslation('common');
  const { mutate: undo } = useMutation({ mutationFn: restore, onSettled: refresh, meta: { errorTitle: restoreTitle } });
  return useMutation({
    mutationFn: remove,
    onSuccess: (_answer, row) => {
      notify({
        type: 'success',
        message: message?.(row) ?? t('deleted.message', { label: row.label }),
        action: { label: t('deleted.undo'), run: () => undo(row) },
      });
      return refresh();
    },
    meta: { errorTitle: removeTitle },
  });
}
