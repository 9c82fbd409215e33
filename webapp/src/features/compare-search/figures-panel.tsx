import { ChartColumn } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ComparedFigure, ComparedQuestion, SearchComparison } from '@/api/resources/search-comparison';
import { ErrorState } from '@/blocks/error-state';
import { ChartCard } from '@/charts/chart-card';
import { DifferenceChart } from '@/charts/difference-chart';
import { comparePath } from '@/state/compare-address';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ButtonLink } from '@/ui/button-link';
import { DataTable, type Column, type Sort } from '@/ui/data-table';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { ProgressBar } from '@/ui/progress-bar';
import { Tooltip } from '@/ui/tooltip';
import styles from './compare.module.css';
import { FEWEST_QUESTIONS, useFigureTexts, verdictOf } from './figure-texts';
import type { ComparedSearch } from './use-compared-search';
import { useFigures, type Figures } from './use-figures';

interface PanelProps {
  readonly one: ComparedSearch;
  readonly two: ComparedSearch;
}

interface FoundProps extends PanelProps {
  readonly found: SearchComparison;
}

const MAIN = 'ndcg';

/** Means, differences, and whether they are more than chance. */
function OverallTable({ found: { overall, judged } }: { readonly found: SearchComparison }): ReactNode {
  const { t } = useTranslation('compare');
  const texts = useFigureTexts();
  const columns: readonly Column<ComparedFigure>[] = [
    {
      key: 'name',
      header: t('figures.figure'),
      cell: ({ name }) => (
        <Tooltip title={texts.help(name)}>
          <span>{texts.name(name)}</span>
        </Tooltip>
      ),
    },
    { key: 'a', header: 'A', align: 'right', width: 70, cell: ({ means }) => texts.value(means[0]) },
    { key: 'b', header: 'B', align: 'right', width: 70, cell: ({ means }) => texts.value(means[1]) },
    { key: 'difference', header: t('figures.difference'), align: 'right', width: 110, cell: ({ difference }) => texts.signed(difference) },
    {
      key: 'verdict',
      header: t('figures.chance'),
      cell: (figure) => (
        <Tooltip
          title={t('figures.pHelp')}
          detail={t('figures.interval', { low: texts.signed(figure.ci[0]), high: texts.signed(figure.ci[1]) })}
        >
          <span tabIndex={0}>
            <Badge tone={verdictOf(figure, judged) === 'larger' ? 'success' : 'neutral'}>{texts.verdict(figure, judged)}</Badge>
          </span>
        </Tooltip>
      ),
    },
  ];
  return <DataTable label={t('figures.overall')} columns={columns} rows={overall} rowKey={({ name }) => name} />;
}

/** How many questions each search answers better. */
function DifferencesCard({ questions }: { readonly questions: readonly ComparedQuestion[] }): ReactNode {
  const { t } = useTranslation('compare');
  const format = useFormat();
  const better = questions.filter(({ difference }) => difference > 0).length;
  const worse = questions.filter(({ difference }) => difference < 0).length;
  const counts = { better: format.number(better), worse: format.number(worse), same: format.number(questions.length - better - worse) };
  const sorted = [...questions].sort((left, right) => right.difference - left.difference);
  return (
    <ChartCard
      wide
      title={t('figures.chart')}
      help={t('figures.counts', counts)}
      summary={t('figures.counts', counts)}
      file="differences"
      table={{
        columns: [t('figures.question'), 'A', 'B', t('figures.difference')],
        rows: sorted.map(({ text, figures: [a, b], difference }) => [text, a[MAIN] ?? 0, b[MAIN] ?? 0, difference]),
      }}
    >
      <DifferenceChart
        bars={sorted.map(({ identifier, text, difference }) => ({ key: identifier, name: text, value: difference }))}
        summary={t('figures.counts', counts)}
        above={t('figures.better', { letter: 'B' })}
        below={t('figures.better', { letter: 'A' })}
      />
    </ChartCard>
  );
}

/** The questions with their differences; each opens in both searches. */
function QuestionsTable({ found: { perQuestion }, one, two }: FoundProps): ReactNode {
  const { t } = useTranslation('compare');
  const texts = useFigureTexts();
  const [sort, setSort] = useState<Sort>({ key: 'difference', descending: true });
  const sign = sort.descending ? -1 : 1;
  const rows = [...perQuestion].sort((left, right) => sign * (left.difference - right.difference));
  const figure = (key: string, at: 0 | 1, name: string, priority?: 1 | 2): Column<ComparedQuestion> => ({
    ...{ key, header: `${texts.name(name)} ${at === 0 ? 'A' : 'B'}`, align: 'right', ...(priority !== undefined && { priority }) },
    cell: ({ figures }) => texts.value(figures[at][name]),
  });
  return (
    <DataTable
      label={t('figures.questions')}
      columns={[
        {
          key: 'text',
          header: t('figures.question'),
          cell: ({ text }) => (
            <Link
              className={styles['measured-question']}
              to={comparePath({ ...one.state, query: text, action: '_do_search' }, { ...two.state, query: text, action: '_do_search' })}
            >
              {text}
            </Link>
          ),
        },
        figure('a', 0, MAIN),
        figure('b', 1, MAIN),
        {
          ...{ key: 'difference', header: t('figures.difference'), align: 'right', sortable: true },
          cell: ({ difference }) => texts.signed(difference),
        },
        figure('rrA', 0, 'rr', 1),
        figure('rrB', 1, 'rr', 1),
      ]}
      rows={rows}
      rowKey={({ identifier }) => identifier}
      sort={sort}
      onSort={setSort}
    />
  );
}

function FoundFigures(props: FoundProps): ReactNode {
  const { t } = useTranslation('compare');
  const format = useFormat();
  const { found } = props;
  if (found.judged === 0)
    return (
      <EmptyState
        title={t('figures.none')}
        actions={
          <ButtonLink kind="solid" to="/answers?tab=questions">
            {t('figures.judge')}
          </ButtonLink>
        }
      >
        {t('figures.noneText', { fewest: format.number(FEWEST_QUESTIONS) })}
      </EmptyState>
    );
  return (
    <>
      {found.judged < FEWEST_QUESTIONS && (
        <Notice tone="warning">
          {t('figures.few', { count: found.judged, number: format.number(found.judged), fewest: format.number(FEWEST_QUESTIONS) })}
        </Notice>
      )}
      <OverallTable found={found} />
      <DifferencesCard questions={found.perQuestion} />
      <QuestionsTable {...props} />
      {found.perQuestion.length < found.judged && (
        <p className={styles['none']}>
          {t('figures.greatest', { number: format.number(found.perQuestion.length), judged: format.number(found.judged) })}
        </p>
      )}
    </>
  );
}

function Measuring({ job }: Pick<Figures, 'job'>): ReactNode {
  const { t } = useTranslation('compare');
  const format = useFormat();
  const { currentStepCount: done = 0, totalStepCount: total = 0 } = job ?? {};
  return (
    <div role="status">
      {total > 0 && (
        <ProgressBar
          label={t('figures.measuring')}
          share={done / total}
          text={t('figures.steps', { done: format.number(done), total: format.number(total) })}
        />
      )}
      <Skeleton rows={5} rowHeight={38} waitingFor={t('figures.measuring')} />
    </div>
  );
}

/** Both searches measured on the judged questions: means, chance, the differences by question. */
export function FiguresPanel({ one, two }: PanelProps): ReactNode {
  const { t } = useTranslation(['compare', 'errors']);
  const format = useFormat();
  const { found, measuring, job, error, measure } = useFigures([one.state, two.state]);
  const failed = error !== null && error !== undefined && !measuring;
  return (
    <section className={styles['figures']} aria-labelledby="compare-figures">
      <div className={styles['panel-head']}>
        <h2 id="compare-figures">{t('figures.title')}</h2>
        {found !== undefined && <span>{t('figures.judged', { count: found.judged, number: format.number(found.judged) })}</span>}
        <Button small kind={found === undefined ? 'solid' : 'outline'} icon={ChartColumn} busy={measuring} onClick={measure}>
          {t(found === undefined ? 'figures.measure' : 'figures.again')}
        </Button>
      </div>
      {measuring && <Measuring job={job} />}
      {failed && <ErrorState title={t('errors:error.compareQuestions')} error={error} onRetry={measure} />}
      {!measuring && !failed && found === undefined && <p className={styles['none']}>{t('figures.text')}</p>}
      {!measuring && found !== undefined && <FoundFigures {...{ found, one, two }} />}
    </section>
  );
}
