/** Splits a label: selected annotations get another label. */
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { labellingChoiceCountQuery, splitLabel, type Label, type LabellingChoice } from '@/api/resources/labels';
import { CheckRow, SelectInput } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { useFormat } from '@/ui/format';
import { usePersonName } from '@/blocks/projects/person-name';
import { LabelOperationDialog } from './label-operation-dialog';
import { useLabelConsequences } from './label-consequences';
import { labelDisplayName } from '@/text/short-name';
import styles from './labels.module.css';
import { useLabelOperation } from './use-label-operations';

const STATUSES = ['OK', 'KO', 'undefined'] as const;
const MODES = ['manual', 'automatic', 'imported', 'undefined'] as const;

interface ChoicesProps<T extends string> {
  readonly legend: string;
  readonly values: readonly T[];
  readonly texts: (value: T) => string;
  readonly selected: readonly T[];
  readonly onChange: (chosen: readonly T[]) => void;
}

function CheckboxGroup<T extends string>({ legend, values, texts, selected, onChange }: ChoicesProps<T>) {
  return (
    <fieldset className={styles['choices']}>
      <legend>{legend}</legend>
      <div className={styles['choices-line']}>
        {values.map((value) => (
          <CheckRow
            key={value}
            label={texts(value)}
            checked={selected.includes(value)}
            onChange={(on) => onChange(on ? [...selected, value] : selected.filter((other) => other !== value))}
          />
        ))}
      </div>
    </fieldset>
  );
}

export interface SplitLabelDialogProps {
  readonly project: string;
  readonly label: Label;
  readonly labels: readonly Label[];
  readonly onClose: () => void;
}

export function SplitLabelDialog({ project, label, labels, onClose }: SplitLabelDialogProps) {
  const { t } = useTranslation(['labels', 'search']);
  const format = useFormat();
  const options = labels.filter(({ name }) => name !== label.name).map((other) => ({ value: other.name, label: other.label }));
  const [choice, setChoice] = useState<LabellingChoice>({
    target: options[0]?.value ?? '',
    text: '',
    createdBy: [],
    statuses: [],
    creationModes: [],
  });
  const change = (part: Partial<LabellingChoice>) => setChoice((known) => ({ ...known, ...part }));
  const creators = useLabelConsequences(project, [label.name])?.creators.map(({ createdBy }) => createdBy) ?? [];
  const personName = usePersonName();
  const { data: count } = useQuery(labellingChoiceCountQuery(project, label.name, useDeferredValue(choice)));
  const act = useLabelOperation<void>('splitLabel', () => splitLabel(project, label.name, choice), onClose);
  const any = t('split.any');
  return (
    <LabelOperationDialog
      title={t('split.title', { label: labelDisplayName(label.label) })}
      verb={t('split.verb', { count: count ?? 0, number: format.number(count ?? 0) })}
      valid={choice.target !== '' && (count ?? 0) > 0}
      mutation={act}
      onClose={onClose}
    >
      <p className={styles['note']}>{t('split.text')}</p>
      <SelectInput label={t('split.target')} value={choice.target} options={options} onChange={(target) => change({ target })} />
      <TextInput
        label={t('split.piece')}
        help={t('split.pieceHelp')}
        value={choice.text}
        maxLength={1000}
        onChange={(text) => change({ text })}
      />
      {creators.length > 1 && (
        <CheckboxGroup
          legend={`${t('split.creators')} (${any})`}
          values={creators}
          texts={personName}
          selected={choice.createdBy}
          onChange={(createdBy) => change({ createdBy })}
        />
      )}
      <CheckboxGroup
        legend={`${t('split.statuses')} (${any})`}
        values={STATUSES}
        texts={(value) => t(`search:status.${value}`)}
        selected={choice.statuses}
        onChange={(statuses) => change({ statuses })}
      />
      <CheckboxGroup
        legend={`${t('split.modes')} (${any})`}
        values={MODES}
        texts={(value) => t(`search:creationMode.${value}`)}
        selected={choice.creationModes}
        onChange={(creationModes) => change({ creationModes })}
      />
      <p role="status">{count !== undefined && t('split.count', { count, number: format.number(count) })}</p>
    </LabelOperationDialog>
  );
}
