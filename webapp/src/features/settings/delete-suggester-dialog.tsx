import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { suggestionsQuery } from '@/api/resources/suggestions';
import type { Suggester } from '@/api/resources/suggesters';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useFormat } from '@/ui/format';
import styles from './settings.module.css';

const COUNTS = { from: 0, size: 0, sort: 'sampling', filter: '' } as const;

/** Open suggestions of a suggester; undefined until they are counted. */
function useOpenSuggestions(project: string, name: string): number | undefined {
  const { data } = useQuery({ ...suggestionsQuery(project, COUNTS), meta: { silent: true } });
  if (data === undefined) return undefined;
  const buckets = data.aggregations?.find((facet) => facet.name === 'suggester')?.buckets ?? [];
  return buckets.find(({ key }) => key === name)?.doc_count ?? 0;
}

interface Props {
  readonly project: string;
  readonly suggester: Suggester;
  readonly trained: boolean;
  readonly onClose: () => void;
  readonly onDelete: () => Promise<unknown>;
}

/** What goes with a suggester, and what stays. */
export function DeleteSuggesterDialog({ project, suggester, trained, onClose, onDelete }: Props) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const open = useOpenSuggestions(project, suggester.name);
  const goes = [
    ...(trained && suggester.models > 0 ? [t('deletes.model')] : []),
    ...(open === undefined ? [t('deletes.suggestions')] : [t('deletes.counted', { count: open, number: format.number(open) })]),
    ...(suggester.training === true ? [t('deletes.job')] : []),
  ];
  return (
    <DeleteDialog
      title={t('deleteTitle', { label: suggester.label })}
      keepLabel={t('keep')}
      deleteLabel={t('deleteSuggester')}
      onClose={onClose}
      onDelete={onDelete}
    >
      <p>{t('deletes.intro')}</p>
      <ul className={styles['goes']}>
        {goes.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p>{t('deletes.stays')}</p>
    </DeleteDialog>
  );
}
