/** The report of an import or of its dry run: live while it runs, filtered by outcome and text, downloadable as a table. */
import { useQuery } from '@tanstack/react-query';
import { Download, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { jobStatus, type Job } from '@/api/resources/jobs';
import {
  dryRunResultOf,
  hasEnded,
  OUTCOMES,
  reportAddress,
  reportQuery,
  type Report,
  type ReportFilter,
} from '@/api/resources/document-imports';
import { Button } from '@/ui/button';
import { SegmentedControl } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { useFormat } from '@/ui/format';
import { Pager } from '@/ui/pager';
import { saveFromLink } from '@/ui/save-file';
import { ImportCheckSummary, OutcomeCounts } from './report-counts';
import { ReportTable } from './report-table';
import { itemMessage } from './report-messages';
import styles from './job-report.module.css';

const SIZE = 100;
const SEARCH_MS = 300;

export interface JobReportProps {
  readonly project: string;
  readonly job: Job;
  /** Whether it is a dry run, known before the job has ended. */
  readonly check?: boolean;
  readonly linked?: boolean;
  /** The surrounding component already shows why the job failed. */
  readonly failureShown?: boolean;
  readonly onFollow?: () => void;
}

/** The server's error message of a failed job. */
function jobFailureMessage(job: Job): string {
  return job.error?.message ? itemMessage(job.error) : (jobStatus(job) ?? '');
}

function useDebouncedValue(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

interface FiltersProps {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly query: 'wouldBe' | 'outcome';
  readonly outcome: string;
  readonly typed: string;
  readonly onOutcome: (outcome: string) => void;
  readonly onTyped: (typed: string) => void;
  /** Absent while entries are still being added. */
  readonly onSave: (() => void) | undefined;
}

/** Filters by outcome and text; the download uses the same filters. */
function ReportFilters({ outcomes, query, outcome, typed, onOutcome, onTyped, onSave }: FiltersProps) {
  const { t } = useTranslation('import');
  const format = useFormat();
  const met = OUTCOMES.filter((name) => (outcomes[name] ?? 0) > 0);
  const all = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const label = (name: string, count: number) => `${t(name === '' ? 'all' : `${query}.${name}`)} ${format.number(count)}`;
  return (
    <div className={styles['filters']}>
      {met.length > 1 && (
        <SegmentedControl
          label={t('show')}
          value={outcome}
          onChange={onOutcome}
          options={['', ...met].map((name) => ({ value: name, label: label(name, name === '' ? all : (outcomes[name] ?? 0)) }))}
        />
      )}
      <TextInput
        hideLabel
        label={t('searchReport')}
        placeholder={t('searchReport')}
        start={<Search size={14} aria-hidden />}
        value={typed}
        onChange={onTyped}
      />
      <Button small icon={Download} disabled={onSave === undefined} onClick={() => onSave?.()}>
        {t('saveReport')}
      </Button>
    </div>
  );
}

interface LinesProps {
  readonly report: Report;
  readonly check: boolean;
  readonly linked: boolean;
  readonly from: number;
  readonly onFrom: (from: number) => void;
  readonly onFollow: (() => void) | undefined;
}

/** A page of entries with a pager. */
function ReportTablePage({ report, check, linked, from, onFrom, onFollow }: LinesProps) {
  const { t } = useTranslation('import');
  const empty = report.total === 0 && Object.keys(report.outcomes).length > 0;
  return (
    <>
      {report.items.length > 0 && (
        <ReportTable items={report.items} check={check} linked={linked} {...(onFollow !== undefined && { onFollow })} />
      )}
      {empty && <p role="status">{t('noLine')}</p>}
      {report.total > SIZE && <Pager from={from} size={SIZE} total={report.total} onChange={onFrom} />}
    </>
  );
}

const totalOfOutcomes = (outcomes: Readonly<Record<string, number>> = {}) => Object.values(outcomes).reduce((sum, count) => sum + count, 0);

export function JobReport({
  project,
  job,
  check = dryRunResultOf(job) !== undefined,
  linked = true,
  failureShown = false,
  onFollow,
}: JobReportProps) {
  const { t } = useTranslation('import');
  const [outcome, setOutcome] = useState('');
  const [typed, setTyped] = useState('');
  const [from, setFrom] = useState(0);
  const filter: ReportFilter = { outcome, words: useDebouncedValue(typed.trim(), SEARCH_MS) };
  const { data } = useQuery(reportQuery(project, job.id, filter, from, SIZE, !hasEnded(job)));
  const outcomes = data?.outcomes;
  const all = totalOfOutcomes(outcomes);
  return (
    <section className={styles['report']} aria-label={t(check ? 'checkReport' : 'report')}>
      <OutcomeCounts job={job} outcomes={outcomes} check={check} />
      {job.status === 'FAILED' && !failureShown && (
        <div className={styles['failed']} role="alert">
          <strong>{t(check ? 'check.failed' : 'failedTitle')}</strong> {jobFailureMessage(job)}
        </div>
      )}
      <ImportCheckSummary job={job} />
      {outcomes !== undefined && all > 0 && (
        <ReportFilters
          outcomes={outcomes}
          query={check ? 'wouldBe' : 'outcome'}
          outcome={outcome}
          typed={typed}
          onOutcome={(next) => {
            setOutcome(next);
            setFrom(0);
          }}
          onTyped={(next) => {
            setTyped(next);
            setFrom(0);
          }}
          onSave={hasEnded(job) ? () => saveFromLink(reportAddress(project, job.id, filter)) : undefined}
        />
      )}
      {data !== undefined && (
        <ReportTablePage report={data} check={check} linked={linked} from={from} onFrom={setFrom} onFollow={onFollow} />
      )}
    </section>
  );
}
