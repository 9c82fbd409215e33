import { useTranslation } from 'react-i18next';
import type { Suggester } from '@/api/resources/suggesters';
import { StatusBadge } from '@/ui/badge';
import { TwoLineCell, type Column } from '@/ui/data-table';
import { useFormat } from '@/ui/format';
import { When } from '@/ui/when';
import type { SuggesterFacts } from './use-suggesters';
import styles from './settings.module.css';

type FactsOf = (row: Suggester) => SuggesterFacts;

export function SuggesterStateBadge({ suggester, facts }: { readonly suggester: Suggester; readonly facts: SuggesterFacts }) {
  const { t } = useTranslation('settings');
  const learns = facts.trained ? 'state' : 'untrainedState';
  if (facts.unavailable !== undefined) return <StatusBadge status="failed">{t('state.unavailable')}</StatusBadge>;
  if (suggester.training === true) return <StatusBadge status="running">{t(`${learns}.training`)}</StatusBadge>;
  if (!suggester.running) return <StatusBadge status="draft">{t('state.stopped')}</StatusBadge>;
  return (
    <StatusBadge status={suggester.uptodate ? 'completed' : 'stale'}>
      {t(suggester.uptodate ? 'state.running' : `${learns}.stale`)}
    </StatusBadge>
  );
}

/** `75%` and `3 of 4`; a dash before the first decision. */
export function useAcceptanceTexts() {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const percent = new Intl.NumberFormat(format.language, { style: 'percent' });
  return ({ decisions }: SuggesterFacts) => {
    const { accepted = 0, rejected = 0, acceptanceRate } = decisions ?? {};
    const counts = t('acceptance.counts', { accepted: format.number(accepted), number: format.number(accepted + rejected) });
    return acceptanceRate === undefined || acceptanceRate === null ? undefined : { rate: percent.format(acceptanceRate), counts };
  };
}

export function useSuggesterColumns(factsOf: FactsOf): Column<Suggester>[] {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const acceptanceOf = useAcceptanceTexts();
  return [
    {
      key: 'name',
      header: t('column.suggester'),
      cell: (row) => <TwoLineCell first={row.label} second={factsOf(row).title} />,
    },
    { key: 'state', header: t('column.state'), cell: (row) => <SuggesterStateBadge suggester={row} facts={factsOf(row)} /> },
    {
      key: 'acceptance',
      header: t('column.acceptance'),
      align: 'right',
      cell: (row) => {
        const texts = acceptanceOf(factsOf(row));
        return texts === undefined ? (
          '–'
        ) : (
          <>
            {texts.rate} <small className={styles['counts']}>{texts.counts}</small>
          </>
        );
      },
    },
    {
      key: 'quality',
      header: t('column.quality'),
      align: 'right',
      cell: (row) => ((row.quality ?? 0) > 0 ? format.score((row.quality ?? 0) / 100) : '–'),
    },
    {
      key: 'trained',
      header: t('column.trained'),
      cell: (row) => (row.timestamp > 0 ? <When at={row.timestamp} /> : t('never')),
      priority: 2,
    },
  ];
}
