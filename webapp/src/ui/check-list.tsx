/** Multiple choice from a list of checkboxes, with a filter for long lists. */
import { Search } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { foldCaseAndAccents } from '@/text/fold-accents';
import { CheckRow } from './choice-inputs';
import { TextInput } from './field';
import styles from './check-list.module.css';

export interface CheckItem {
  readonly value: string;
  readonly label: string;
  readonly help?: string;
  readonly disabled?: boolean;
}

interface CheckListProps {
  readonly label: string;
  readonly items: readonly CheckItem[];
  readonly selected: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Explanation below the list. */
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly disabled?: boolean;
}

const FILTER_FROM = 8;

export function CheckList({ label, items, selected, onChange, help, error, disabled = false }: CheckListProps) {
  const { t } = useTranslation('common');
  const [words, setWords] = useState('');
  const shown = items.filter((item) => foldCaseAndAccents(`${item.label} ${item.value}`).includes(foldCaseAndAccents(words)));
  const toggle = (value: string, on: boolean) => onChange(on ? [...selected, value] : selected.filter((one) => one !== value));
  return (
    <fieldset className={styles['choice']}>
      <legend>
        {label} <span>{t('checkList.chosen', { count: selected.length })}</span>
      </legend>
      {items.length > FILTER_FROM && (
        <TextInput
          hideLabel
          label={t('checkList.filter', { what: label })}
          placeholder={t('checkList.filterPlaceholder')}
          start={<Search size={14} aria-hidden />}
          value={words}
          onChange={setWords}
        />
      )}
      <div className={styles['boxes']}>
        {shown.map((item) => (
          <CheckRow
            key={item.value}
            label={item.label}
            {...(item.help === undefined || item.help === '' ? {} : { help: item.help })}
            checked={selected.includes(item.value)}
            disabled={disabled || item.disabled === true}
            onChange={(on) => toggle(item.value, on)}
          />
        ))}
        {shown.length === 0 && <p>{t(items.length === 0 ? 'checkList.none' : 'nothingMatches')}</p>}
      </div>
      {error !== undefined && <p className={styles['wrong']}>{error}</p>}
      {help !== undefined && <p className={styles['help']}>{help}</p>}
    </fieldset>
  );
}
