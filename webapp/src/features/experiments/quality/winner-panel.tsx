/** The best configuration in words, and the step to make it the project's default. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Trophy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { activateAnswerer, activateSearchPlan, planKeys } from '@/api/resources/plans';
import { projectKeys } from '@/api/resources/projects';
import {
  makeConfigurationDefault,
  type Configuration,
  type QualityExperiment,
  type QualityReport,
} from '@/api/resources/ranking-experiments';
import { useConfigurationParts } from '@/blocks/search/search-settings-text';
import { notify } from '@/state/notifications-store';
import type { SearchSettings } from '@/state/search-types';
import { useCan } from '@/state/session-store';
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

/** What becomes the default: a search, a plan that derives it, or an answerer. */
type DefaultKind = 'ranking' | 'plan' | 'answers';
const defaultKindOf = ({ plan = '', answerer }: SearchSettings): DefaultKind =>
  typeof answerer === 'string' ? 'answers' : plan === '' ? 'ranking' : 'plan';
const PLACES: Readonly<Record<DefaultKind, string>> = { ranking: '/settings/search', plan: '/plans', answers: '/plans' };

interface MakeDefaultProps extends Pick<WinnerProps, 'project' | 'experiment'> {
  readonly configuration: Configuration;
  readonly name: string;
  readonly onClose: () => void;
}

function useMakeDefault({ project, experiment, configuration, name, onClose }: MakeDefaultProps) {
  const { t } = useTranslation('quality');
  const queryClient = useQueryClient();
  const { plans } = useConfigurationParts(project);
  const { key, settings } = configuration;
  const kind = defaultKindOf(settings);
  const changes: Readonly<Record<DefaultKind, () => Promise<unknown>>> = {
    ranking: () => makeConfigurationDefault(project, experiment.name, key),
    plan: () => activateSearchPlan(project, plans, settings.plan ?? ''),
    answers: () => activateAnswerer(project, plans, settings.answerer ?? '', name),
  };
  return useMutation({
    mutationFn: () => changes[kind](),
    onSuccess: async () => {
      await Promise.all([projectKeys.all, planKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      notify({ type: 'success', message: t(`default.done.${kind}`, { name }), link: PLACES[kind], linkmessage: t(`default.open.${kind}`) });
      onClose();
    },
    meta: { errorTitle: 'makeDefault' },
  });
}

function MakeDefaultDialog(props: MakeDefaultProps) {
  const { t } = useTranslation('quality');
  const { project, configuration, name, onClose } = props;
  const kind = defaultKindOf(configuration.settings);
  const present = useDefaultSettings(project).text(kind);
  const run = useMakeDefault(props);
  return (
    <FormDialog
      width="small"
      title={t(`default.title.${kind}`)}
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
        <p>{t(`default.effect.${kind}`)}</p>
        <p>{t(`default.back.${kind}`)}</p>
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
  const mayChange = useCan('changeProjectConfig');
  const [asked, setAsked] = useState(false);
  const best = configurationOf(report, report.best);
  const isDefault = useDefaultSettings(project).matches(best?.settings);
  if (best === undefined) return null;
  const name = nameOf(best, report.configurations);
  const kind = defaultKindOf(best.settings);
  return (
    <section className={styles['winner']} aria-label={t('winner.title')}>
      <Trophy size={20} aria-hidden />
      <div>
        <h2>{name}</h2>
        <p>{text}</p>
      </div>
      {isDefault && (
        <span className={styles['is-default']}>
          <Check size={16} aria-hidden />
          <span>
            {t('winner.isDefault')} <Link to={PLACES[kind]}>{t(`default.open.${kind}`)}</Link>
          </span>
        </span>
      )}
      {!isDefault && writable && (mayChange || kind !== 'ranking') && (
        <Button kind="solid" icon={Check} onClick={() => setAsked(true)}>
          {t('default.make')}
        </Button>
      )}
      {asked && <MakeDefaultDialog {...{ project, experiment, name }} configuration={best} onClose={() => setAsked(false)} />}
    </section>
  );
}
