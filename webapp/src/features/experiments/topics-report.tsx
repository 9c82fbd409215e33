/** S-046: the result of a clustering: sizes of topics, their words, and links to their texts. */
import { FileSearch, Tags } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Experiment, Topic, TrainingReport as Report } from '@/api/resources/experiments';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { appearanceOf, useAppearance } from '@/annotation/drawing/label-style';
import { LabelTag } from '@/annotation/labels/label-tag';
import { BarChart } from '@/charts/bar-chart';
import { ChartCard } from '@/charts/chart-card';
import { FigureTiles } from '@/charts/figure-tiles';
import { Button } from '@/ui/button';
import { DataTable, type Column } from '@/ui/data-table';
import { useFormat } from '@/ui/format';
import { allowed } from '@/state/permissions';
import { addressPath } from '@/state/search-address';
import { useSessionStore } from '@/state/session-store';
import { ScoreBar } from './report-parts';
import styles from './experiments.module.css';

const FACET = 'classificationLabel';

export const reportedTopics = (experiment: Experiment): readonly Topic[] | undefined => experiment.report?.topics;

/** The name of the topic's label, if there is one, as it may have been renamed; else its title. */
export function useTopicNames() {
  const { nameOf } = useProjectLabels();
  return (topic: Topic) => (topic.labelName === undefined ? topic.title : nameOf(topic.labelName));
}

/** Links to the texts of a topic; none without a label or without permission. */
function useTopicLinks({ sourceCollection }: Report) {
  const permissions = useSessionStore((state) => state.permissions);
  const [screen, rule] =
    sourceCollection === 'segments' ? (['/explore', 'seeExplore'] as const) : (['/documents', 'seeDocuments'] as const);
  const open = allowed(permissions, rule) && allowed(permissions, `readFacet:${FACET}`);
  return ({ labelName }: Topic) =>
    open && labelName !== undefined
      ? addressPath(screen, { selectedFacets: [{ facetName: FACET, facetValue: labelName, facetSelector: '+' }] })
      : undefined;
}

interface PartProps {
  readonly experiment: Experiment;
  readonly report: Report;
  readonly topics: readonly Topic[];
}

function TopicTiles({ experiment, report, topics }: PartProps) {
  const { t } = useTranslation('clustering');
  const format = useFormat();
  const inside = topics.reduce((sum, topic) => sum + topic.size, 0);
  const tiles = [
    { key: 'topics', name: t('report.topics'), value: format.number(topics.length) },
    {
      key: 'inside',
      name: t('report.inTopics'),
      value: format.number(inside),
      ...(report.pieces !== undefined && { note: t('report.ofPieces', { number: format.number(report.pieces) }) }),
    },
    { key: 'outliers', name: t('report.outliers'), value: format.number(report.outliers ?? 0) },
    {
      key: 'distinctness',
      name: t('report.distinctness'),
      value: format.score(report.distinctness ?? (experiment.quality ?? 0) / 100),
      note: t('report.distinctnessHelp'),
    },
  ];
  return <FigureTiles tiles={tiles} />;
}

function TopicSizesChart({ experiment, report, topics }: PartProps) {
  const { t } = useTranslation('clustering');
  const format = useFormat();
  const { colourOf } = useProjectLabels();
  const nameOf = useTopicNames();
  const linkOf = useTopicLinks(report);
  const [first] = topics;
  return (
    <ChartCard
      title={t('report.sizes')}
      help={t(`report.${report.sourceCollection ?? 'documents'}`)}
      file={`${experiment.name}-topics`}
      summary={
        first === undefined ? '' : t('report.sizesSummary', { count: topics.length, first: nameOf(first), size: format.number(first.size) })
      }
      table={{
        columns: [t('report.topic'), t('report.size'), t('report.words')],
        rows: topics.map((topic) => [nameOf(topic), topic.size, topic.words.map(({ word }) => word).join(' ')]),
      }}
    >
      <BarChart
        rows={topics.map((topic) => ({
          key: topic.name,
          name: nameOf(topic),
          parts: [{ value: topic.size, name: t('report.size'), look: 'solid' as const }],
          colour: topic.labelName === undefined ? undefined : colourOf(topic.labelName),
          to: linkOf(topic),
        }))}
      />
    </ChartCard>
  );
}

function useTopicColumns(report: Report): Column<Topic>[] {
  const { t } = useTranslation('clustering');
  const format = useFormat();
  const appearance = useAppearance();
  const nameOf = useTopicNames();
  const linkOf = useTopicLinks(report);
  const share = (value: number | undefined) =>
    value === undefined ? (
      '–'
    ) : (
      <span className={styles['with-bar']}>
        <ScoreBar share={value} />
        <span>{format.score(value)}</span>
      </span>
    );
  return [
    {
      key: 'topic',
      header: t('report.topic'),
      cell: (topic) => (
        <span className={styles['label']}>
          {topic.labelName !== undefined && <LabelTag label={appearanceOf(appearance, topic.labelName)} />}
          <span>{nameOf(topic)}</span>
        </span>
      ),
    },
    {
      key: 'words',
      header: t('report.words'),
      cell: (topic) => <span className={styles['words']}>{topic.words.map(({ word }) => word).join(', ')}</span>,
    },
    { key: 'size', header: t('report.size'), align: 'right', cell: (topic) => format.number(topic.size) },
    { key: 'distinctness', header: t('report.distinctness'), align: 'right', priority: 1, cell: (topic) => share(topic.quality) },
    { key: 'coherence', header: t('report.coherence'), align: 'right', priority: 2, cell: (topic) => share(topic.coherence) },
    {
      key: 'show',
      header: t('common:table.open'),
      hideHeader: true,
      align: 'right',
      cell: (topic) => {
        const to = linkOf(topic);
        return to === undefined ? null : (
          <Button small kind="quiet" icon={FileSearch} to={to} aria-label={t('report.show', { topic: nameOf(topic) })}>
            {t('report.open')}
          </Button>
        );
      },
    },
  ];
}

function TopicTable({ report, topics }: PartProps) {
  const { t } = useTranslation('clustering');
  const columns = useTopicColumns(report);
  const labelled = topics.some(({ labelName }) => labelName !== undefined);
  return (
    <section className={styles['panel']}>
      <header>
        <h2>{t('report.list')}</h2>
        {labelled && report.labelSetName !== undefined ? (
          <Button small icon={Tags} to={`/labels/${encodeURIComponent(report.labelSetName)}`}>
            {t('report.rename')}
          </Button>
        ) : (
          <small>{t('report.noLabels')}</small>
        )}
      </header>
      <DataTable label={t('report.list')} columns={columns} rows={topics} rowKey={(topic) => topic.name} />
    </section>
  );
}

/** Shows replacements for components that the installation lacks. */
function UsedComponents({ experiment, report }: Omit<PartProps, 'topics'>) {
  const { t } = useTranslation('clustering');
  const format = useFormat();
  const used = report.used ?? {};
  const word = (group: string, value: unknown) =>
    typeof value === 'string' ? t(`report.${group}.${value}`, { defaultValue: value }) : undefined;
  const facts = [
    { key: 'tokenizer', value: word('tokenizers', used['tokenizer']) },
    { key: 'lemma', value: word('lemmas', used['lemma']) },
    { key: 'stopwords', value: typeof used['stopwords'] === 'number' ? format.number(used['stopwords']) : undefined },
  ].filter(({ value }) => value !== undefined);
  if (facts.length === 0) return null;
  const asked = experiment.parameters;
  const lacks =
    (asked['tokenizer'] !== undefined && used['tokenizer'] !== undefined && asked['tokenizer'] !== used['tokenizer']) ||
    (asked['lemma'] === true && used['lemma'] === 'none');
  return (
    <section className={styles['panel']}>
      <header>
        <h2>{t('report.used')}</h2>
      </header>
      <div className={styles['panel-body']}>
        {lacks && <p>{t('report.notAsAsked')}</p>}
        <dl className={styles['facts-list']}>
          {facts.map(({ key, value }) => (
            <div key={key}>
              <dt>{t(`report.${key}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

export function TopicsReport({ experiment, topics }: { readonly experiment: Experiment; readonly topics: readonly Topic[] }) {
  const { t } = useTranslation('clustering');
  const report = experiment.report ?? {};
  if (topics.length === 0) return <p>{t('report.none')}</p>;
  return (
    <div className={styles['topics']}>
      <TopicTiles {...{ experiment, report, topics }} />
      <TopicSizesChart {...{ experiment, report, topics }} />
      <TopicTable {...{ experiment, report, topics }} />
      <UsedComponents {...{ experiment, report }} />
    </div>
  );
}
