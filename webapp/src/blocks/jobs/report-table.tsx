/** The entries of a report: the outcome of each item, the reason, and a possible fix. */
import { Ban, Check, Copy, RefreshCw, X, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ReportItem } from '@/api/resources/document-imports';
import { Badge, type Tone } from '@/ui/badge';
import { DataTable, type Column } from '@/ui/data-table';
import { useFormat } from '@/ui/format';
import { addressPath } from '@/state/search-address';
import { itemMessageAndFix } from './report-messages';
import styles from './job-report.module.css';

const LOOK: Readonly<Record<string, { tone: Tone; icon: LucideIcon }>> = {
  imported: { tone: 'success', icon: Check },
  replaced: { tone: 'info', icon: RefreshCw },
  unchanged: { tone: 'neutral', icon: Ban },
  skipped: { tone: 'neutral', icon: Copy },
  refused: { tone: 'error', icon: X },
};

export interface ReportTableProps {
  readonly items: readonly ReportItem[];
  /** A dry run: nothing has been changed yet. */
  readonly check: boolean;
  /** Whether documents can be opened because they are in the open project. */
  readonly linked: boolean;
  readonly onFollow?: () => void;
}

function DocumentExcerptAndCounts({ row }: { readonly row: ReportItem }) {
  const { t } = useTranslation('import');
  const format = useFormat();
  const { facts } = row;
  if (facts === undefined) return null;
  const counted = (['segments', 'annotations', 'categories'] as const).filter((name) => name === 'segments' || facts[name] > 0);
  return (
    <span className={styles['facts']}>
      <q>{facts.start.replaceAll(/\s+/g, ' ')}</q>
      <span>{counted.map((name) => t(`facts.${name}`, { count: facts[name], number: format.number(facts[name]) })).join(' · ')}</span>
    </span>
  );
}

function ReportItemCell({ row, linked, check, onFollow }: { readonly row: ReportItem } & Omit<ReportTableProps, 'items'>) {
  const { t } = useTranslation('import');
  const { why, todo } = itemMessageAndFix(row);
  const identifier = row.documentIdentifier ?? '';
  const there = identifier !== '' && (check ? ['replaced', 'unchanged'] : ['imported', 'replaced', 'unchanged']).includes(row.outcome);
  return (
    <div className={styles['item']}>
      {row.isSum !== true && <strong>{row.item}</strong>}
      {there && linked ? (
        <Link to={addressPath('/document', { documentIdentifier: identifier })} {...(onFollow !== undefined && { onClick: onFollow })}>
          {t('openDocument', { name: identifier })}
        </Link>
      ) : (
        identifier !== '' && <small>{identifier}</small>
      )}
      {why !== '' && <span data-refused={row.outcome === 'refused' || undefined}>{why}</span>}
      {todo !== '' && (
        <span>
          <b>{t('whatToDo')}</b> {todo}
        </span>
      )}
      {row.outcome !== 'refused' && <DocumentExcerptAndCounts row={row} />}
    </div>
  );
}

export function ReportTable({ items, check, ...rest }: ReportTableProps) {
  const { t } = useTranslation('import');
  const words = check ? 'itemWouldBe' : 'itemOutcome';
  const columns: Column<ReportItem>[] = [
    { key: 'item', header: t('column.item'), cell: (row) => <ReportItemCell row={row} check={check} {...rest} /> },
    {
      key: 'outcome',
      header: t(check ? 'column.wouldBe' : 'column.outcome'),
      width: 150,
      cell: (row) => <Badge {...LOOK[row.outcome]}>{t(`${words}.${row.outcome}`, { defaultValue: row.outcome })}</Badge>,
    },
  ];
  return (
    <div className={styles['report-table']} data-scroll tabIndex={0} role="region" aria-label={t('report')}>
      <DataTable label={t('report')} twoLines columns={columns} rows={items} rowKey={(row) => row.item} />
    </div>
  );
}
