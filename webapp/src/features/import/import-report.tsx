import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '@/api/resources/jobs';
import { hasEnded, OUTCOMES, reportQuery, wholeReport, type ReportItem } from '@/api/resources/uploads';
import { notifyFailure } from '@/api/errors';
import { Badge, type Tone } from '@/components/badge';
import { Button } from '@/components/button';
import { Segmented } from '@/components/choices';
import { DataTable, TwoLines, type Column } from '@/components/data-table';
import { useFormat } from '@/components/format';
import { Pager } from '@/components/pager';
import { ProgressBar } from '@/components/progress-bar';
import { Ban, Check, RefreshCw, X, type LucideIcon } from 'lucide-react';
import { reportCsv, sayItem } from './import-rules';
import styles from './import.module.css';

const SIZE = 100;

const LOOK: Readonly<Record<string, { tone: Tone; icon: LucideIcon }>> = {
  imported: { tone: 'success', icon: Check },
  replaced: { tone: 'info', icon: RefreshCw },
  unchanged: { tone: 'neutral', icon: Ban },
  refused: { tone: 'error', icon: X },
};

function saveText(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The whole report as a CSV file, made here from the server's pages. */
export function SaveReportButton({ project, job }: { readonly project: string; readonly job: Job }) {
  const { t } = useTranslation('import');
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const header = ['item', 'outcome', 'document', 'message', 'fix'].map((key) => t(`csv.${key}`));
      saveText(reportCsv(await wholeReport(project, job.id), header), `import-${job.id.slice(0, 8)}.csv`);
    } catch (error) {
      notifyFailure(error, 'downloadResource');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button kind="quiet" icon={Download} busy={busy} onClick={() => void save()}>
      {t('saveReport')}
    </Button>
  );
}

function useColumns(): Column<ReportItem>[] {
  const { t } = useTranslation('import');
  return [
    {
      key: 'item',
      header: t('column.item'),
      cell: (row) => (
        <TwoLines
          first={row.item}
          second={
            row.message === undefined ? (
              row.documentIdentifier
            ) : (
              <span data-refused={row.outcome === 'refused' || undefined}>{sayItem(row)}</span>
            )
          }
        />
      ),
    },
    {
      key: 'outcome',
      header: t('column.outcome'),
      width: 120,
      cell: (row) => <Badge {...LOOK[row.outcome]}>{t(`outcome.${row.outcome}`, { defaultValue: row.outcome })}</Badge>,
    },
  ];
}

function Counts({ job, outcomes }: { readonly job: Job; readonly outcomes: Readonly<Record<string, number>> }) {
  const { t } = useTranslation('import');
  const format = useFormat();
  const shown = OUTCOMES.filter((outcome) => outcome !== 'unchanged' || (outcomes[outcome] ?? 0) > 0);
  return (
    <div className={styles['counts']}>
      <div className={styles['counts-state']} role="status">
        <strong>{t(`state.${job.status}`)}</strong>
        {hasEnded(job) ? <small>{job.status === 'CANCELLED' ? t('stateHelp.CANCELLED') : ''}</small> : <ProgressOf job={job} />}
      </div>
      {shown.map((outcome) => (
        <div key={outcome} data-outcome={outcome}>
          <b>{format.number(outcomes[outcome] ?? 0)}</b>
          <small>{t(`outcome.${outcome}`)}</small>
        </div>
      ))}
    </div>
  );
}

/** Known progress is a bar; unknown progress is the time since the start. */
function ProgressOf({ job }: { readonly job: Job }) {
  const { t } = useTranslation('import');
  const format = useFormat();
  const { currentStepCount: done, totalStepCount: total } = job;
  if (total === 0) return <small>{t('since', { when: format.when(job.createdAt) })}</small>;
  return (
    <ProgressBar
      share={done / total}
      label={job.description}
      text={t('steps', { done: format.number(done), total: format.number(total) })}
      width={90}
    />
  );
}

/** Live while the job runs: counts, filter by outcome, one line per item with what to do. */
export function ImportReport({ project, job }: { readonly project: string; readonly job: Job }) {
  const { t } = useTranslation('import');
  const format = useFormat();
  const columns = useColumns();
  const [outcome, setOutcome] = useState('');
  const [from, setFrom] = useState(0);
  const { data } = useQuery(reportQuery(project, job.id, outcome, from, SIZE, !hasEnded(job)));
  const outcomes = data?.outcomes ?? {};
  const met = OUTCOMES.filter((name) => (outcomes[name] ?? 0) > 0);
  const label = (name: string, count: number) => `${t(name === '' ? 'all' : `outcome.${name}`)} ${format.number(count)}`;
  const all = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  return (
    <section className={styles['report']} aria-label={t('report')}>
      <Counts job={job} outcomes={outcomes} />
      {job.status === 'FAILED' && (
        <div className={styles['failed']} role="alert">
          <strong>{t('failedTitle')}</strong> {failureOf(job)}
        </div>
      )}
      {met.length > 1 && (
        <Segmented
          label={t('show')}
          value={outcome}
          onChange={(next) => {
            setOutcome(next);
            setFrom(0);
          }}
          options={['', ...met].map((name) => ({ value: name, label: label(name, name === '' ? all : (outcomes[name] ?? 0)) }))}
        />
      )}
      {data !== undefined && data.items.length > 0 && (
        <div className={styles['report-table']} data-scroll tabIndex={0} role="region" aria-label={t('report')}>
          <DataTable label={t('report')} twoLines columns={columns} rows={data.items} rowKey={(row) => row.item} />
        </div>
      )}
      {data !== undefined && data.total > SIZE && <Pager from={from} size={SIZE} total={data.total} onChange={setFrom} />}
    </section>
  );
}

/** What the server says of a failed job. */
function failureOf(job: Job): string {
  const error = (job as { error?: unknown }).error;
  if (typeof error === 'object' && error !== null) {
    const { message = '', fix = '' } = error as { message?: string; fix?: string };
    return sayItem({ message, fix });
  }
  return job.statusMessage ?? '';
}
