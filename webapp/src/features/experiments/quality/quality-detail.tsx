/** The drawer of an experiment: its state, the best configuration, what is compared, and what can be done. */
import { Copy, FileChartColumn, Pencil, Play, Square, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { QualityExperiment } from '@/api/resources/ranking-experiments';
import { EmailOption } from '@/blocks/jobs/email-option';
import { usePersonName } from '@/blocks/projects/person-name';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { When } from '@/ui/when';
import { useConfigurationName, useParameterFacts } from './quality-names';
import { configurationOf, figuresOf } from './quality-rules';
import { EndedRunText } from './quality-report';
import { QualityStateBadge } from './quality-state-badge';
import type { QualityActions } from './use-quality-experiments';
import styles from './quality.module.css';
import shared from '@/features/experiments/experiments.module.css';

interface DetailProps {
  readonly project: string;
  readonly experiment: QualityExperiment;
  readonly actions: QualityActions;
  readonly writable: boolean;
}

function BestConfiguration({ project, experiment }: Pick<DetailProps, 'project' | 'experiment'>) {
  const { t } = useTranslation('quality');
  const format = useFormat();
  const nameOf = useConfigurationName(project);
  const { report, kind } = experiment;
  const best = configurationOf(report, report?.best ?? '');
  if (report == null || best === undefined) return null;
  return (
    <>
      <dl className={shared['figures']}>
        {figuresOf(kind, report)
          .slice(0, 3)
          .map((figure) => (
            <div key={figure}>
              <dt>{t(`figure.${figure}`)}</dt>
              <dd>{typeof best[figure] === 'number' ? format.score(best[figure]) : '–'}</dd>
            </div>
          ))}
      </dl>
      <p>{t('bestIs', { name: nameOf(best, report.configurations) })}</p>
    </>
  );
}

function Facts({
  title,
  facts,
}: {
  readonly title: string;
  readonly facts: readonly { readonly name: string; readonly value: ReactNode }[];
}) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className={shared['facts-list']}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function RunFacts({ experiment }: Pick<DetailProps, 'experiment'>) {
  const { t } = useTranslation(['quality', 'experiments']);
  const format = useFormat();
  const personName = usePersonName();
  const { timestamp, duration, report, createdBy = '' } = experiment;
  const measured = [
    { name: t('list.measured'), value: <When at={timestamp} /> },
    { name: t('experiments:duration'), value: format.duration(duration) },
    { name: t('tile.questions'), value: format.number(report?.judged ?? 0) },
  ];
  const author = createdBy === '' ? [] : [{ name: t('createdBy'), value: personName(createdBy) }];
  return <Facts title={t('run')} facts={[...(timestamp > 0 ? measured : []), ...author]} />;
}

export function QualityDetail(props: DetailProps) {
  const { t } = useTranslation(['quality', 'experiments']);
  const { project, experiment, actions, writable } = props;
  const { running, report } = experiment;
  return (
    <div className={styles['drawer']}>
      <div className={shared['detail-body']}>
        <span className={shared['detail-state']}>
          <QualityStateBadge experiment={experiment} wide />
        </span>
        <EndedRunText experiment={experiment} />
        <BestConfiguration {...{ project, experiment }} />
        <Facts title={t('compared')} facts={useParameterFacts(project, experiment)} />
        <RunFacts experiment={experiment} />
        {writable && <EmailOption checked={experiment.emailNotification} onChange={() => actions.mail(experiment)} />}
        {writable && (
          <div className={shared['detail-more']}>
            <Button small icon={Pencil} onClick={() => actions.edit(experiment)}>
              {t('experiments:edit')}
            </Button>
            <Button small icon={Copy} onClick={() => actions.clone(experiment)}>
              {t('experiments:clone')}
            </Button>
            <Button small kind="danger-text" icon={Trash2} onClick={() => actions.remove(experiment)}>
              {t('experiments:delete')}
            </Button>
          </div>
        )}
      </div>
      <footer>
        {report != null && (
          <Button kind="solid" icon={FileChartColumn} onClick={() => actions.openReport(experiment)}>
            {t('experiments:openReport')}
          </Button>
        )}
        {writable &&
          (running ? (
            <Button icon={Square} onClick={() => actions.stop(experiment)}>
              {t('experiments:stop')}
            </Button>
          ) : (
            <Button icon={Play} kind={report == null ? 'solid' : 'outline'} onClick={() => actions.launch(experiment)}>
              {t(report == null ? 'experiments:launch' : 'experiments:launchAgain')}
            </Button>
          ))}
      </footer>
    </div>
  );
}
