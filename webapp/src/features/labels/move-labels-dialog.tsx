/** Moves labels to another set: the keyboard alternative to dragging. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { moveLabels, type Label, type LabelSet } from '@/api/resources/labels';
import { SelectInput } from '@/ui/choice-inputs';
import { useFormat } from '@/ui/format';
import { LabelOperationDialog } from './label-operation-dialog';
import { useLabelOperation } from './use-label-operations';

export interface MoveLabelsDialogProps {
  readonly project: string;
  readonly labels: readonly Label[];
  readonly sets: readonly LabelSet[];
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

export function MoveLabelsDialog({ project, labels, sets, onClose, onDone }: MoveLabelsDialogProps) {
  const { t } = useTranslation('labels');
  const format = useFormat();
  const from = new Set(labels.map(({ labelSetName }) => labelSetName));
  const options = sets
    .filter(({ name }) => from.size > 1 || !from.has(name ?? ''))
    .map(({ name = '', label = name }) => ({ value: name, label }));
  const [target, setTarget] = useState(options[0]?.value ?? '');
  const act = useLabelOperation<void>(
    'moveLabels',
    () =>
      moveLabels(
        project,
        labels.map(({ name }) => name),
        target,
      ),
    () => {
      onDone?.();
      onClose();
    },
  );
  const count = labels.length;
  return (
    <LabelOperationDialog
      title={t('move.title', { count, number: format.number(count), label: labels[0]?.label ?? '' })}
      verb={t('move.verb')}
      valid={target !== ''}
      mutation={act}
      onClose={onClose}
    >
      <SelectInput label={t('move.set')} value={target} options={options} onChange={setTarget} />
    </LabelOperationDialog>
  );
}
