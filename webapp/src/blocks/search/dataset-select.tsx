import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DatasetSelector } from '@/state/search-types';
import { useCan } from '@/state/session-store';
import { SelectInput } from '@/ui/choice-inputs';
import styles from './search.module.css';

/** C-062: all segments, or those in or outside of the dataset. */
export function DatasetSelect({
  value,
  onChange,
}: {
  readonly value: DatasetSelector;
  readonly onChange: (value: DatasetSelector) => void;
}): ReactNode {
  const { t } = useTranslation('search');
  const maySearch = useCan('useSearch');
  type Choice = 'all' | 'in' | 'out';
  const choice: Choice = value === '$inDataset' ? 'in' : value === '$outDataset' ? 'out' : 'all';
  const values: Record<Choice, DatasetSelector> = { all: '', in: '$inDataset', out: '$outDataset' };
  if (!maySearch) return null;
  return (
    <div className={styles['dataset']}>
      <SelectInput<Choice>
        hideLabel
        label={t('dataset.label')}
        value={choice}
        options={(['all', 'in', 'out'] as const).map((option) => ({ value: option, label: t(`dataset.${option}`) }))}
        onChange={(next) => onChange(values[next])}
      />
    </div>
  );
}
