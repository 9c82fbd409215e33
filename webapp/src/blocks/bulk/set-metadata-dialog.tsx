/** S-013: sets one metadata value on all found documents. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { metadataNamesQuery, tagFound } from '@/api/resources/bulk-actions';
import { Button } from '@/ui/button';
import { SegmentedControl } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { useFormat } from '@/ui/format';
import { BulkDialog, useBulkState, type BulkDialogProps } from './bulk-dialog';
import { useMetadataTitle } from '@/blocks/search/metadata-titles';
import styles from './bulk.module.css';

const KNOWN_NAMES = 8;

type Action = 'set' | 'remove';

export function SetMetadataDialog(props: BulkDialogProps) {
  const { t } = useTranslation('bulk');
  const format = useFormat();
  const metadataTitle = useMetadataTitle();
  const state = useBulkState(props);
  const [action, setAction] = useState<Action>('set');
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const { data: names = [] } = useQuery(metadataNamesQuery(props.project));
  const count = state.count?.documents ?? 0;
  const words = { count, number: format.number(count), name: name.trim(), value: value.trim() };
  const named = name.trim() !== '';
  const effect = !named ? t('tag.hint') : action === 'set' ? t('tag.setEffect', words) : t('tag.removeEffect', words);
  return (
    <BulkDialog
      {...props}
      title={t('tag.title')}
      state={state}
      effect={effect}
      verb={t(action === 'set' ? 'tag.set' : 'tag.remove', words)}
      valid={named && (action === 'remove' || value.trim() !== '')}
      errorTitle="tagDocuments"
      run={(search) => tagFound(props.project, search, name.trim(), action === 'set' ? value.trim() : '')}
    >
      <SegmentedControl<Action>
        label={t('tag.what')}
        value={action}
        onChange={setAction}
        options={(['set', 'remove'] as const).map((one) => ({ value: one, label: t(`tag.action.${one}`) }))}
      />
      <div className={action === 'set' ? styles['pair'] : undefined}>
        <TextInput label={t('tag.name')} value={name} onChange={setName} maxLength={255} required />
        {action === 'set' && <TextInput label={t('tag.value')} value={value} onChange={setValue} required />}
      </div>
      {names.length > 0 && (
        <div className={styles['names']} role="group" aria-label={t('tag.known')}>
          <span>{t('tag.known')}</span>
          {names.slice(0, KNOWN_NAMES).map((known) => (
            <Button key={known} small kind="quiet" aria-pressed={known === name} title={known} onClick={() => setName(known)}>
              {metadataTitle(known)}
            </Button>
          ))}
        </div>
      )}
    </BulkDialog>
  );
}
