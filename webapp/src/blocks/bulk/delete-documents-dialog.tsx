/** S-012: deletes the found documents; the deletion can be undone. */
import { useTranslation } from 'react-i18next';
import { deleteFound } from '@/api/resources/bulk-actions';
import { useFormat } from '@/ui/format';
import { BulkDialog, useBulkState, type BulkDialogProps } from './bulk-dialog';

export function DeleteDocumentsDialog(props: BulkDialogProps) {
  const { t } = useTranslation('bulk');
  const format = useFormat();
  const state = useBulkState(props);
  const count = state.count?.documents ?? 0;
  const words = { count, number: format.number(count) };
  return (
    <BulkDialog
      {...props}
      title={t('delete.title')}
      state={state}
      effect={t('delete.effect', words)}
      strong={t('delete.strong', words)}
      verb={t('delete.verb', words)}
      danger
      valid
      errorTitle="deleteDocument"
      run={(search) => deleteFound(props.project, search)}
    />
  );
}
