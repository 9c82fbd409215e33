/** Splitting a label: those of its annotations that are chosen become another label's. */
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { choiceCountQuery, splitLabel, type Label, type LabellingChoice } from '@/api/resources/labels';
import { CheckRow, SelectInput } from '@/components/choices';
import { TextInput } from '@/components/field';
import { useFormat } from '@/components/format';
import { usePersonName } from '@/components/person-name';
import { ActDialog } from './act-dialog';
import { useConsequences } from './consequences';
import styles from './labels.module.css';
import { useAct } from './use-label-acts';

const STATUSES = ['OK', 'KO', 'undefined'] as const;
const MODES = ['manual', 'automatic', 'imported', 'undefined'] as const;

interface ChoicesProps<T extends string> {
  readonly legend: string;
  readonly values: readonly T[];
  readonly words: (value: T) => string;
  readonly chosen: readonly T[];
  readonly onChange: (chosen: readonly T[]) => void;
}

function Choices<T extends string>({ legend, values, words, chosen, onChange }: ChoicesProps<T>) {
  return (
    <fieldset className={styles['choices']}>
      <legend>{legend}</legend>
      <div className={styles['choices-line']}>
        {values.map((value) => (
          <CheckRow
            key={value}
            label={words(value)}
            checked={chosen.includes(value)}
            onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value))}
          />
        ))}
      </div>
    </fieldset>
  );
}

export interface SplitDialogProps {
  readonly project: string;
  readonly label: Label;
  readonly labels: readonly Label[];
  readonly onClose: () => void;
}

export function SplitDialog({ project, label, labels, onClose }: SplitDialogProps) {
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
  const creators = useConsequences(project, [label.name])?.creators.map(({ createdBy }) => createdBy) ?? [];
  const personName = usePersonName();
  const { data: count } = useQuery(choiceCountQuery(project, label.name, useDeferredValue(choice)));
  const act = useAct<void>('splitLabel', () => splitLabel(project, label.name, choice), onClose);
  const any = t('split.any');
  return (
    <ActDialog
      title={t('split.title', { label: label.label })}
      verb={t('split.verb', { count: count ?? 0, number: format.number(count ?? 0) })}
      valid={choice.target !== '' && (count ?? 0) > 0}
      act={act}
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
        <Choices
          legend={`${t('split.creators')} (${any})`}
          values={creators}
          words={personName}
          chosen={choice.createdBy}
          onChange={(createdBy) => change({ createdBy })}
        />
      )}
      <Choices
        legend={`${t('split.statuses')} (${any})`}
        values={STATUSES}
        words={(value) => t(`search:status.${value}`)}
        chosen={choice.statuses}
        onChange={(statuses) => change({ statuses })}
      />
      <Choices
        legend={`${t('split.modes')} (${any})`}
        values={MODES}
        words={(value) => t(`search:creationMode.${value}`)}
        chosen={choice.creationModes}
        onChange={(creationModes) => change({ creationModes })}
      />
      <p role="status">{count !== undefined && t('split.count', { count, number: format.number(count) })}</p>
    </ActDialog>
  );
}
