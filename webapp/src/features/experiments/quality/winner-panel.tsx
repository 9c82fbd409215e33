/** The best configuration in words, and the step to make it the project's default. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Trophy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { planKeys } from '@/api/resources/plans';
import { projectKeys } from '@/api/resources/projects';
import { makeConfigurationDefault, type QualityExperiment, type QualityReport } from '@/api/resources/ranking-experiments';
import { notify } from '@/state/notifications-store';
import { Button } from '@/ui/button';
import { FormDialog } from '@/ui/form-dialog';
import { useFormat } from '@/ui/format';
import { useDefaultSettings } from './default-settings';
import { useConfigurationName } from './quality-names';
import { comparisonOf, configurationOf, MAIN_FIGURE, verdictOf } from './quality-rules';
import styles from './quality.module.css';

interface WinnerProps {
  readonly project: string;
  readonly experiment: QualityExperiment;
  readonly report: QualityReport;
  readonly writable: boolean;
}

interface MakeDefaultProps extends Pick<WinnerProps, 'project' | 'experiment'> {
  readonly configuration: string;
  readonly name: string;
  readonly onClose: () => void;
}

function MakeDefaultDialog({ project, experiment, configuration, name, onClose }: MakeDefaultProps) {
  const { t } = useTranslation('quality');
  const queryClient = useQueryClient();
  const present = useDefaultSettings(project).text(experiment.kind);
  const run = useMutation({
    mutationFn: () => makeConfigurationDefault(project, experiment.name, configuration),
    onSuccess: async () => {
      await Promise.all([projectKeys.all, planKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      notify({
        type: 'success',
        message: t(`default.done.${experiment.kind}`, { name }),
        link: experiment.kind === 'ranking' ? '/settings/search' : '/plans',
        linkmessage: t(`default.open.${experiment.kind}`),
      });
      onClose();
    },
    meta: { errorTitle: 'makeDefault' },
  });
  return (
    <FormDialog
      width="small"
      title={t(`default.title.${experiment.kind}`)}
      submitLabel={t('default.make')}
      busy={run.isPending}
      onClose={onClose}
      onSubmit={() => run.mutate()}
    >
      <div className={styles['fields']}>
        <dl className={styles['change']}>
          <dt>{t('default.before')}</dt>
          <dd>{present}</dd>
          <dt>{t('default.after')}</dt>
          <dd>
            <strong>{name}</strong>
          </dd>
        </dl>
        <p>{t(`default.effect.${experiment.kind}`)}</p>
        <p>{t(`default.back.${experiment.kind}`)}</p>
      </div>
    </FormDialog>
  );
}

/** How much better than the baseline, and whether that may be chance. */
function useWinnerText(project: string, { kind }: QualityExperiment, report: QualityReport): string {
  const { t } = useTranslation('quality');
  const format = useFormat();
  const nameOf = useConfigurationName(project);
  const baseline = configurationOf(report, report.baseline);
  if (report.configurations.length < 2) return t('winner.only');
  if (report.best === report.baseline) return t('winner.baseline');
  const { difference, p } = { ...comparisonOf(report, report.best), ...report.choice };
  if (difference === undefined || p === undefined || baseline === undefined) return t('winner.only');
  const values = {
    difference: format.score(Math.abs(difference)),
    figure: t(`figure.${MAIN_FIGURE[kind]}`),
    baseline: nameOf(baseline, report.configurations),
    p: format.probability(p),
  };
  return t(`winner.${verdictOf({ difference, p })}`, values);
}

export function WinnerPanel({ project, experiment, report, writable }: WinnerProps) {
  const { t } = useTranslation('quality');
  const nameOf = useConfigurationName(project);
  const text = useWinnerText(project, experiment, report);
  const [asked, setAsked] = useState(false);
  const best = configurationOf(report, report.best);
  const isDefault = useDefaultSettings(project).matches(experiment.kind, best?.settings);
  if (best === undefined) return null;
  const name = nameOf(best, report.configurations);
  return (
    <section className={styles['winner']} aria-label={t('winner.title')}>
      <Trophy size={20} aria-hidden />
      <div>
        <h2>{name}</h2>
        <p>{text}</p>
      </div>
      {isDefault ? (
        <span className={styles['is-default']}>
          <Check size={16} aria-hidden />
          <span>
            {t('winner.isDefault')}{' '}
            <Link to={experiment.kind === 'ranking' ? '/settings/search' : '/plans'}>{t(`default.open.${experiment.kind}`)}</Link>
          </span>
        </span>
      ) : (
        writable && (
          <Button kind="solid" icon={Check} onClick={() => setAsked(true)}>
            {t('default.make')}
          </Button>
        )
      )}
      {asked && <MakeDefaultDialog {...{ project, experiment, name }} configuration={best.key} onClose={() => setAsked(false)} />}
    </section>
  );
}
