/** Deletes labels or a whole set: shows what is deleted with them, and requires a confirmation if it is not empty (V-002). */
import { useTranslation } from 'react-i18next';
import { DEFAULT_LABEL_SET, deleteLabels, deleteLabelSet, type Label, type LabelSet } from '@/api/resources/labels';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useFormat } from '@/ui/format';
import { labelDisplayName } from '@/text/short-name';
import { LabelConsequencesText, isLabelUsed, useLabelConsequences } from './label-consequences';
import { ignoreNotFound, useLabelOperation } from './use-label-operations';

interface RemoveProps {
  readonly project: string;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

export function RemoveLabelsDialog({ project, labels, onClose, onDone }: RemoveProps & { readonly labels: readonly Label[] }) {
  const { t } = useTranslation('labels');
  const format = useFormat();
  const names = labels.map(({ name }) => name);
  const told = useLabelConsequences(project, names);
  // For several labels a 404 must not be ignored, as the others still have to be deleted.
  const erase = () => (names.length === 1 ? ignoreNotFound(deleteLabels(project, names)) : deleteLabels(project, names));
  const remove = useLabelOperation('deleteLabel', erase, onDone);
  const count = labels.length;
  return (
    <DeleteDialog
      title={t('remove.title', { count, number: format.number(count), label: labelDisplayName(labels[0]?.label ?? '') })}
      keepLabel={t('remove.keep')}
      deleteLabel={t('remove.verb', { count })}
      onClose={onClose}
      onDelete={() => remove.mutateAsync(undefined)}
      {...((told === undefined || isLabelUsed(told)) && { strong: t('remove.strong') })}
    >
      <LabelConsequencesText consequences={told} effect="carried" />
    </DeleteDialog>
  );
}

export function RemoveSetDialog({ project, set, onClose, onDone }: RemoveProps & { readonly set: LabelSet }) {
  const { t } = useTranslation('labels');
  const format = useFormat();
  const labels = set.labels ?? [];
  const told = useLabelConsequences(
    project,
    labels.map(({ name }) => name),
  );
  const remove = useLabelOperation('deleteLabelSet', () => deleteLabelSet(project, set.name ?? ''), onDone);
  const count = labels.length;
  return (
    <DeleteDialog
      title={t('remove.setTitle', { label: set.label ?? set.name })}
      keepLabel={t('remove.keep')}
      deleteLabel={t('remove.setVerb')}
      onClose={onClose}
      onDelete={() => remove.mutateAsync(undefined)}
      {...(count > 0 && (told === undefined || isLabelUsed(told)) && { strong: t('remove.strong') })}
    >
      {set.name === DEFAULT_LABEL_SET && <p>{t('remove.defaultSet')}</p>}
      {count > 0 && (
        <>
          <p>{t('remove.setLabels', { count, number: format.number(count) })}</p>
          <LabelConsequencesText consequences={told} effect="carried" />
        </>
      )}
    </DeleteDialog>
  );
}
