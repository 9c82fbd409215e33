import { Copy, FileChartColumn, Pencil, Play, Square, Trash2, WandSparkles } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sampleUnitOf } from '@/api/resources/measurement';
import type { EngineForm } from '@/api/resources/components';
import type { Experiment, Topic } from '@/api/resources/experiments';
import { jobFailureFix, jobMessage } from '@/api/resources/jobs';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { appearanceOf, useAppearance } from '@/annotation/drawing/label-style';
import { LabelTag } from '@/annotation/labels/label-tag';
import { FailureText } from '@/ui/failure-text';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { Tabs, TabPanel } from '@/ui/tabs';
import { When } from '@/ui/when';
import { EmailOption } from '@/blocks/jobs/email-option';
import { choiceTitle, fieldApplies, fieldTitle } from '@/forms/form-texts';
import { ScoreBar } from './report-parts';
import { ExperimentDelta, trainingFigure } from './score-delta';
import { ExperimentStateBadge, useFailedTrainingJob } from './experiment-state-badge';
import { reportedTopics, useTopicNames } from './topics-report';
import type { ExperimentActions } from './use-experiments';
import styles from './experiments.module.css';

const WEAKEST = 3;
const BIGGEST = 5;

/** Tested labels with the lowest F1. */
export function weakestLabels(experiment: Experiment): { name: string; f1: number }[] {
  return Object.entries(experiment.report?.classes ?? {})
    .filter(([, figures]) => (figures.support ?? 0) > 0)
    .map(([name, figures]) => ({ name, f1: figures.f1 ?? 0 }))
    .sort((a, b) => a.f1 - b.f1)
    .slice(0, WEAKEST);
}

function WeakestLabels({ experiment }: { readonly experiment: Experiment }) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const appearance = useAppearance();
  const { nameOf } = useProjectLabels();
  const rows = reportedTopics(experiment) === undefined ? weakestLabels(experiment) : [];
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>{t('weakest')}</h3>
      <ul className={styles['weakest']}>
        {rows.map(({ name, f1 }) => {
          const label = appearanceOf(appearance, name);
          return (
            <li key={name}>
              <LabelTag label={label} />
              <span>{nameOf(name)}</span>
              <ScoreBar share={f1} weak />
              <span>{format.score(f1)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The largest topics of a clustering. */
function BiggestTopics({ topics }: { readonly topics: readonly Topic[] }) {
  const { t } = useTranslation('clustering');
  const format = useFormat();
  const nameOf = useTopicNames();
  return (
    <section>
      <h3>{t('report.topics')}</h3>
      {topics.length === 0 && <p>{t('report.none')}</p>}
      <ul className={styles['weakest']}>
        {topics.slice(0, BIGGEST).map((topic) => (
          <li key={topic.name}>
            <ScoreBar share={topic.size / (topics[0]?.size ?? 1)} />
            <span>{nameOf(topic)}</span>
            <span>{format.number(topic.size)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Title of a parameter in the engine's schema, else its name. */
function useParameterTexts(experiment: Experiment, form: EngineForm | undefined) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const valueText = (value: unknown): string => {
    if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no');
    if (typeof value === 'number') return Number.isInteger(value) ? format.number(value) : value.toLocaleString(format.language);
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const given = Object.entries(experiment.parameters).filter(([name]) => fieldApplies(form?.schema, name, experiment.parameters));
  return given.map(([name, value]) => ({
    name,
    title: fieldTitle(form?.schema, name) ?? name,
    value: choiceTitle(form?.schema, name, value) ?? valueText(value),
  }));
}

export interface ExperimentDetailProps {
  readonly experiment: Experiment;
  readonly form: EngineForm | undefined;
  readonly actions: ExperimentActions;
  readonly writable: boolean;
}

/** Engine and parameters, by their titles. */
function ExperimentParameters({ experiment, form }: Pick<ExperimentDetailProps, 'experiment' | 'form'>) {
  const { t } = useTranslation('experiments');
  const parameters = useParameterTexts(experiment, form);
  return (
    <section>
      <h3>{t('parameters')}</h3>
      <dl className={styles['facts-list']}>
        <div>
          <dt>{t('engine')}</dt>
          <dd>{form?.title ?? experiment.engine}</dd>
        </div>
        {parameters.map(({ name, title, value }) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function TrainingRunFacts({ experiment }: Pick<ExperimentDetailProps, 'experiment'>) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const report = experiment.report;
  return (
    <section>
      <h3>{t('run')}</h3>
      <dl className={styles['facts-list']}>
        <div>
          <dt>{t('column.trained')}</dt>
          <dd>
            <When at={experiment.timestamp} />
          </dd>
        </div>
        <div>
          <dt>{t('duration')}</dt>
          <dd>{format.duration(experiment.duration)}</dd>
        </div>
        {report?.trainingSize !== undefined && (
          <div>
            <dt>{t(`samples.${sampleUnitOf(report)}`)}</dt>
            <dd>{t('trainTest', { train: format.number(report.trainingSize), test: format.number(report.testSize ?? 0) })}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function ExperimentButtons({ experiment, actions, writable }: ExperimentDetailProps) {
  const { t } = useTranslation('experiments');
  const report = experiment.report;
  return (
    <footer>
      {report !== undefined && (
        <Button kind="solid" icon={FileChartColumn} onClick={() => actions.openReport(experiment)}>
          {t('openReport')}
        </Button>
      )}
      {writable &&
        (experiment.running ? (
          <Button icon={Square} onClick={() => actions.stop(experiment)}>
            {t('stop')}
          </Button>
        ) : (
          <Button icon={Play} kind={report === undefined ? 'solid' : 'outline'} onClick={() => actions.launch(experiment)}>
            {t(report === undefined ? 'launch' : 'launchAgain')}
          </Button>
        ))}
    </footer>
  );
}

const DETAIL_PARTS = ['overview', 'parameters'] as const;
type DetailPart = (typeof DETAIL_PARTS)[number];

/** Right drawer of picture 06-experiments. */
export function ExperimentDetail(props: ExperimentDetailProps) {
  const { t } = useTranslation('experiments');
  const [part, setPart] = useState<DetailPart>('overview');
  return (
    <div className={styles['detail']}>
      <Tabs<DetailPart>
        label={t('detail.label')}
        value={part}
        onChange={setPart}
        items={DETAIL_PARTS.map((value) => ({ value, label: t(`detail.${value}`) }))}
      />
      <TabPanel value={part}>
        <div className={styles['detail-body']}>
          {part === 'overview' ? <Overview {...props} /> : <ExperimentParameters experiment={props.experiment} form={props.form} />}
        </div>
      </TabPanel>
      <ExperimentButtons {...props} />
    </div>
  );
}

/** State, figures, weakest labels, training, and what can be done. */
function Overview({ experiment, actions, writable }: ExperimentDetailProps) {
  const { t } = useTranslation('experiments');
  const format = useFormat();
  const failed = useFailedTrainingJob(experiment);
  const topics = reportedTopics(experiment);
  const micro = topics === undefined ? experiment.report?.microAvg : undefined;
  return (
    <>
      <span className={styles['detail-state']}>
        <ExperimentStateBadge experiment={experiment} wide />
      </span>
      {failed !== undefined && !experiment.running && (
        <FailureText>{[jobMessage(failed), jobFailureFix(failed)].filter(Boolean).join('. ')}</FailureText>
      )}
      {micro !== undefined && (
        <dl className={styles['figures']}>
          {(['f1', 'precision', 'recall'] as const).map((metric) => (
            <div key={metric}>
              <dt>{t(`metric.${metric}`)}</dt>
              <dd>
                {format.score(micro[metric] ?? 0)} <ExperimentDelta experiment={experiment} read={trainingFigure(metric)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {topics !== undefined && <BiggestTopics topics={topics} />}
      <WeakestLabels experiment={experiment} />
      {experiment.timestamp > 0 && <TrainingRunFacts experiment={experiment} />}
      {writable && <EmailOption checked={experiment.emailNotification === true} onChange={() => actions.mail(experiment)} />}
      {writable && (
        <div className={styles['detail-more']}>
          <Button small icon={Pencil} onClick={() => actions.edit(experiment)}>
            {t('edit')}
          </Button>
          <Button small icon={Copy} onClick={() => actions.clone(experiment)}>
            {t('clone')}
          </Button>
          {experiment.models > 0 && (
            <Button small icon={WandSparkles} onClick={() => actions.annotateCorpus(experiment)}>
              {t('annotateCorpus')}
            </Button>
          )}
          <Button small kind="danger-text" icon={Trash2} onClick={() => actions.remove(experiment)}>
            {t('delete')}
          </Button>
        </div>
      )}
    </>
  );
}
