import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { SelectInput } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { operatorsOf, textFilter, type Operator, type SearchFilter } from '@/state/search-filters';
import { useMetadataTitle } from './metadata-titles';
import styles from './search.module.css';

interface FilterFormProps {
  /** Names of metadata that can be filtered. */
  readonly metadata: readonly string[];
  readonly onAdd: (filter: SearchFilter) => void;
}

const METADATA = 'metadata.';

/** Field, operator and text of a new filter. */
export function FilterForm({ metadata, onAdd }: FilterFormProps): ReactNode {
  const { t } = useTranslation('search');
  const metadataTitle = useMetadataTitle();
  const [field, setField] = useState('text');
  const [chosen, setChosen] = useState<Operator>('contains');
  const [text, setText] = useState('');
  const fields = ['text', 'title', 'documentIdentifier', ...metadata];
  const operators = operatorsOf(field);
  const operator = operators.includes(chosen) ? chosen : (operators[0] ?? 'contains');
  const filter = textFilter(field, operator, text);
  const fieldLabel = (one: string) =>
    one.startsWith(METADATA) ? metadataTitle(one.slice(METADATA.length)) : t(`filter.fields.${one}`, { defaultValue: one });
  const add = () => {
    if (filter === undefined) return;
    onAdd(filter);
    setText('');
  };
  return (
    <form
      className={styles['form']}
      aria-label={t('filter.title')}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <div className={styles['form-row']}>
        <SelectInput
          hideLabel
          label={t('filter.field')}
          value={field}
          options={fields.map((value) => ({ value, label: fieldLabel(value) }))}
          onChange={setField}
        />
        <SelectInput<Operator>
          hideLabel
          label={t('filter.operator')}
          value={operator}
          options={operators.map((value) => ({ value, label: t(`filter.operators.${value}`) }))}
          onChange={setChosen}
        />
      </div>
      <div className={styles['form-row']}>
        <TextInput hideLabel label={t('filter.value')} placeholder={t('filter.placeholder')} value={text} onChange={setText} />
        <Button type="submit" icon={Plus} disabled={filter === undefined}>
          {t('filter.add')}
        </Button>
      </div>
    </form>
  );
}
