/** Each question with its figures under two configurations, paged by the server. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { GitCompareArrows, MessageCircleQuestionMark } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  measuredQuestionsQuery,
  type Configuration,
  type MeasuredQuestion,
  type MeasuredQuestions,
  type QualityExperiment,
  type QualityReport,
  type QuestionOrder,
  type QuestionPage,
} from '@/api/resources/ranking-experiments';
import { ErrorState } from '@/blocks/error-state';
import { comparePath } from '@/state/compare-address';
import { useCan } from '@/state/session-store';
import { ButtonLink } from '@/ui/button-link';
import { SegmentedControl, SelectInput } from '@/ui/choice-inputs';
import { useFormat } from '@/ui/format';
import { Pager } from '@/ui/pager';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { PageTable, type Column } from '@/ui/table-view';
import { useConfigurationName } from './quality-names';
import { canBeCompared, configurationOf, MAIN_FIGURE, questionPath, searchOf } from './quality-rules';
import shared from '@/features/experiments/experiments.module.css';
import styles from './quality.module.css';

const ORDERS: readonly QuestionOrder[] = ['worst', 'best', 'difference'];
const SIZE = 25;

interface TableProps {
  readonly project: string;
  readonly experiment: QualityExperiment;
  readonly report: QualityReport;
}

/** The two configurations that are shown; the same one twice where there is only one. */
interface Shown {
  readonly one: Configuration;
  readonly two: Configuration;
}

function QuestionCell({ row, kind }: { readonly row: MeasuredQuestion; readonly kind: QualityExperiment['kind'] }) {
  const { t } = useTranslation('quality');
  const known = (row.known ?? []).join(' · ');
  return (
    <div className={styles['question']}>
      <strong>{row.text}</strong>
      {kind === 'answers' && <small>{known === '' ? t('questions.unanswerable') : t('questions.known', { answers: known })}</small>}
    </div>
  );
}

function FigureCell({
  row,
  shown,
  kind,
}: {
  readonly row: MeasuredQuestion;
  readonly shown: Configuration;
  readonly kind: QualityExperiment['kind'];
}) {
  const { t } = useTranslation('quality');
  const format = useFormat();
  const value = row.figures[shown.key]?.[MAIN_FIGURE[kind]];
  const figure = typeof value === 'number' ? format.score(value) : '–';
  const given = row.answers?.[shown.key];
  if (kind === 'ranking' || given === undefined) return figure;
  return (
    <div className={styles['given']}>
      <span data-none={given === '' || undefined}>{given === '' ? t('questions.notTold') : given}</span>
      <strong>{figure}</strong>
    </div>
  );
}

function useQuestionColumns(kind: QualityExperiment['kind'], { one, two }: Shown): Column<MeasuredQuestion>[] {
  const { t } = useTranslation('quality');
  const format = useFormat();
  const figure = t(`figure.${MAIN_FIGURE[kind]}`);
  const align = kind === 'ranking' ? 'right' : 'left';
  const of = (row: MeasuredQuestion, shown: Configuration) => row.figures[shown.key]?.[MAIN_FIGURE[kind]] ?? 0;
  const column = (shown: Configuration, letter: string): Column<MeasuredQuestion> => ({
    key: letter,
    header: one === two ? figure : `${letter} · ${figure}`,
    align,
    cell: (row) => <FigureCell {...{ row, shown, kind }} />,
  });
  return [
    { key: 'question', header: t('questions.question'), cell: (row) => <QuestionCell {...{ row, kind }} /> },
    column(one, 'A'),
    ...(one === two ? [] : [column(two, 'B')]),
    ...(one === two
      ? []
      : [
          {
            key: 'difference',
            header: t('questions.difference'),
            align: 'right' as const,
            cell: (row: MeasuredQuestion) => format.signedScore(of(row, one) - of(row, two)),
          },
        ]),
  ];
}

/** Where a question can be looked at: both searches side by side, or the answer. */
function QuestionLink({
  row,
  shown,
  kind,
}: {
  readonly row: MeasuredQuestion;
  readonly shown: Shown;
  readonly kind: QualityExperiment['kind'];
}) {
  const { t } = useTranslation('quality');
  const mayCompare = useCan('seeSearchCompare');
  const mayAsk = useCan('seeQuestionAnswering');
  const { one, two } = shown;
  if (kind === 'answers')
    return mayAsk ? (
      <ButtonLink
        small
        icon={MessageCircleQuestionMark}
        to={questionPath(row.text)}
        aria-label={t('questions.askLabel', { question: row.text })}
      >
        {t('questions.ask')}
      </ButtonLink>
    ) : null;
  if (!mayCompare || !canBeCompared(one.settings, two.settings)) return null;
  const to = comparePath(searchOf(one.settings, row.text), searchOf(two.settings, row.text));
  return (
    <ButtonLink small icon={GitCompareArrows} to={to} aria-label={t('questions.compareLabel', { question: row.text })}>
      {t('questions.compare')}
    </ButtonLink>
  );
}

interface ControlsProps extends TableProps {
  readonly shown: Shown;
  readonly sort: QuestionOrder;
  readonly onShow: (part: Partial<Readonly<Record<'one' | 'two', string>>>) => void;
  readonly onSort: (sort: QuestionOrder) => void;
}

function QuestionControls({ project, report, shown, sort, onShow, onSort }: ControlsProps) {
  const { t } = useTranslation('quality');
  const nameOf = useConfigurationName(project);
  const options = report.configurations.map((one) => ({ value: one.key, label: nameOf(one, report.configurations) }));
  return (
    <div className={styles['controls']}>
      <SegmentedControl<QuestionOrder>
        label={t('questions.order')}
        value={sort}
        options={ORDERS.map((value) => ({
          value,
          label: t(`questions.orders.${value}`),
          disabled: value === 'difference' && options.length < 2,
        }))}
        onChange={onSort}
      />
      {options.length > 1 &&
        (['one', 'two'] as const).map((side) => (
          <SelectInput
            key={side}
            label={t(side === 'one' ? 'questions.sideA' : 'questions.sideB')}
            value={shown[side].key}
            options={options}
            onChange={(key) => onShow({ [side]: key })}
          />
        ))}
    </div>
  );
}

interface RowsProps {
  readonly query: UseQueryResult<MeasuredQuestions>;
  readonly page: QuestionPage;
  readonly setPage: (page: QuestionPage) => void;
  readonly shown: Shown;
  readonly kind: TableProps['experiment']['kind'];
  readonly columns: ReturnType<typeof useQuestionColumns>;
}

function QuestionRows({ query, page, setPage, shown, kind, columns }: RowsProps): ReactNode {
  const { t } = useTranslation(['quality', 'errors']);
  const { data, error, isPlaceholderData, refetch } = query;
  if (data === undefined) {
    if (error === null) return <Skeleton rows={6} rowHeight={44} />;
    return <ErrorState title={t('errors:error.getMeasuredQuestions')} error={error} onRetry={() => void refetch()} />;
  }
  if (data.total === 0) return <EmptyState title={t('questions.none')} />;
  return (
    <>
      <PageTable
        label={t('questions.title')}
        columns={columns}
        rows={data.questions}
        rowKey={(row) => row.identifier}
        stale={isPlaceholderData}
        actionsAlways
        rowActions={(row) => <QuestionLink {...{ row, shown, kind }} />}
      />
      <Pager
        from={page.from}
        size={page.size}
        total={data.total}
        onChange={(from) => setPage({ ...page, from })}
        onSize={(size) => setPage({ ...page, from: 0, size })}
      />
    </>
  );
}

export function QuestionsTable(props: TableProps) {
  const { t } = useTranslation(['quality', 'errors']);
  const { project, experiment, report } = props;
  const { kind, name, timestamp } = experiment;
  const [page, setPage] = useState<QuestionPage>({ from: 0, size: SIZE, sort: 'worst' });
  const other = report.configurations.find(({ key }) => key !== report.best)?.key ?? report.best;
  const [keys, setKeys] = useState({ one: report.best, two: report.best === report.baseline ? other : report.baseline });
  const [first] = report.configurations;
  const one = configurationOf(report, keys.one) ?? first;
  const two = configurationOf(report, keys.two) ?? first;
  const query = useQuery(measuredQuestionsQuery(project, name, timestamp, page));
  const shown = one !== undefined && two !== undefined ? { one, two } : undefined;
  const columns = useQuestionColumns(kind, shown ?? ({ one: {}, two: {} } as Shown));
  if (shown === undefined) return null;
  const comparable = kind === 'answers' || keys.one === keys.two || canBeCompared(shown.one.settings, shown.two.settings);
  return (
    <section className={shared['panel']} aria-label={t('questions.title')}>
      <header>
        <h2>{t('questions.title')}</h2>
        <small>{t('questions.help')}</small>
      </header>
      <div className={styles['table']}>
        <QuestionControls
          {...props}
          {...{ shown }}
          sort={page.sort}
          onShow={(part) => setKeys({ ...keys, ...part })}
          onSort={(sort) => setPage({ ...page, from: 0, sort })}
        />
        {!comparable && <p className={styles['hint']}>{t('questions.notComparable')}</p>}
        <QuestionRows {...{ query, page, setPage, shown, kind, columns }} />
      </div>
    </section>
  );
}
