/** S-012: adds a category to all found documents, or removes it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { categoriseFound } from '@/api/resources/bulk-actions';
import { labelSetsQuery } from '@/api/resources/labels';
import { projectQuery } from '@/api/resources/projects';
import { SegmentedControl, SelectInput } from '@/ui/choice-inputs';
import { useFormat } from '@/ui/format';
import { labelDisplayName } from '@/text/short-name';
import { BulkDialog, useBulkState, type BulkDialogProps } from './bulk-dialog';

type Action = 'add' | 'remove';

/** Labels that can be categories: of classification sets, else all. */
function useCategoryOptions(project: string): readonly { value: string; label: string; exclusive: boolean }[] {
  const { data: sets = [] } = useQuery({ ...labelSetsQuery(project), meta: { silent: true } });
  const { data: info } = useQuery(projectQuery(project));
  const fitting = sets.filter((set) => (set.nature ?? info?.nature) === 'classification');
  return (fitting.length > 0 ? fitting : sets).flatMap((set) =>
    (set.labels ?? []).map(({ name, label }) => ({
      value: name,
      label: labelDisplayName(label),
      exclusive: set.exclusiveClasses === true,
    })),
  );
}

export function CategoriseDialog(props: BulkDialogProps) {
  const { t } = useTranslation('bulk');
  const format = useFormat();
  const state = useBulkState(props);
  const categories = useCategoryOptions(props.project);
  const [action, setAction] = useState<Action>('add');
  const [label, setLabel] = useState('');
  const chosen = categories.find(({ value }) => value === label);
  const count = state.count?.documents ?? 0;
  const words = { count, number: format.number(count), label: chosen?.label ?? '' };
  const effect = () => {
    if (chosen === undefined) return t('categorise.hint');
    if (action === 'remove') return t('categorise.removeEffect', words);
    return t(chosen.exclusive ? 'categorise.addExclusive' : 'categorise.addEffect', words);
  };
  return (
    <BulkDialog
      {...props}
      title={t('categorise.title')}
      state={state}
      effect={effect()}
      verb={t(action === 'add' ? 'categorise.add' : 'categorise.remove', words)}
      valid={chosen !== undefined}
      errorTitle="createCategory"
      run={(search) => categoriseFound(props.project, search, label, action === 'add')}
    >
      <SegmentedControl<Action>
        label={t('categorise.what')}
        value={action}
        onChange={setAction}
        options={(['add', 'remove'] as const).map((one) => ({ value: one, label: t(`categorise.action.${one}`) }))}
      />
      <SelectInput
        label={t('categorise.label')}
        value={label}
        options={categories}
        onChange={setLabel}
        help={categories.length === 0 ? t('categorise.none') : undefined}
      />
    </BulkDialog>
  );
}
