import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  createExperiment,
  proposeExperimentLabel,
  launchExperiment,
  updateExperiment,
  type EngineSettings,
  type Experiment,
} from '@/api/resources/experiments';
import { isActive, projectJobsQuery } from '@/api/resources/jobs';
import { projectQuery } from '@/api/resources/projects';
import { corpusAnnotationObstacle } from '@/blocks/engines/annotate-corpus-dialog';
import { Button } from '@/ui/button';
import { SwitchRow } from '@/ui/choice-inputs';
import { Dialog } from '@/ui/dialog';
import { changedLabelAndParameters } from '@/blocks/engines/engine-changes';
import { EngineDialog } from '@/blocks/engines/engine-dialog';
import { useEngineForms } from '@/blocks/engines/use-engine-forms';
import { EmailOption } from '@/blocks/jobs/email-option';
import { MeasurementForecast, MeasurementOptionFields, type MeasurementOptions } from './measurement';
import { useRefreshExperiments } from './use-experiments';
import styles from './experiments.module.css';

export interface ExperimentDialogRequest {
  readonly mode: 'create' | 'edit' | 'clone';
  readonly experiment?: Experiment;
}

/** Creates, edits or clones an experiment (D-023), with a form generated from the engine's parameters. */
export function ExperimentDialog({
  project,
  opened,
  onClose,
  onSaved,
}: {
  readonly project: string;
  readonly opened: ExperimentDialogRequest;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
}) {
  const { t } = useTranslation('experiments');
  const refresh = useRefreshExperiments();
  const { mode, experiment } = opened;
  const mailBefore = experiment?.emailNotification === true;
  const [mail, setMail] = useState(mailBefore);
  const measureBefore: MeasurementOptions = { groupField: experiment?.groupField ?? '', trainOnAll: experiment?.trainOnAll !== false };
  const [measure, setMeasure] = useState(measureBefore);
  const save = async (values: EngineSettings) => {
    let name = experiment?.name ?? '';
    const editing = mode === 'edit';
    const wish = {
      ...(!(editing && mail === mailBefore) && { emailNotification: mail }),
      ...(!(editing && measure.groupField === measureBefore.groupField) && { groupField: measure.groupField }),
      ...(!(editing && measure.trainOnAll === measureBefore.trainOnAll) && { trainOnAll: measure.trainOnAll }),
    };
    if (mode === 'edit' && experiment !== undefined)
      await updateExperiment(project, name, { ...changedLabelAndParameters(experiment, values), ...wish });
    else name = (await createExperiment(project, { ...values, ...wish })).name;
    await refresh();
    onSaved(name);
  };
  return (
    <EngineDialog
      project={project}
      type="learner"
      title={t(`dialog.${mode}`, { label: experiment?.label ?? '' })}
      submitLabel={t(mode === 'edit' ? 'save' : 'create')}
      engineFixed={mode === 'edit'}
      {...(experiment !== undefined && { initial: experiment })}
      hint={(label) => proposeExperimentLabel(project, label)}
      onSave={save}
      onClose={onClose}
      errorTitle={mode === 'edit' ? 'updateExperiment' : 'createExperiment'}
    >
      <MeasurementOptionFields project={project} value={measure} onChange={setMeasure} />
      <EmailOption checked={mail} onChange={setMail} />
    </EngineDialog>
  );
}

/** S-044: starts the training; optionally the corpus is annotated with the trained model afterwards. */
export function LaunchTrainingDialog({
  project,
  experiment,
  onClose,
}: {
  readonly project: string;
  readonly experiment: Experiment;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('experiments');
  const refresh = useRefreshExperiments();
  const form = useEngineForms(project, 'learner').get(experiment.engine);
  const alone = form?.needsLabels === false;
  const [wish, setAnnotate] = useState<boolean | null>(null);
  const annotate = wish ?? alone;
  const { data: info } = useQuery(projectQuery(project));
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(project), meta: { silent: true } });
  const obstacle = corpusAnnotationObstacle(info?.documents ?? undefined, jobs.filter(isActive));
  const run = useMutation({
    mutationFn: () => launchExperiment(project, experiment.name, annotate && obstacle === null),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
    meta: { errorTitle: 'launchExperiment' },
  });
  return (
    <Dialog
      open
      width="small"
      title={t('launchTitle', { label: experiment.label })}
      locked={run.isPending}
      onClose={onClose}
      onSubmit={() => run.mutate()}
      actions={
        <>
          <Button onClick={onClose} disabled={run.isPending}>
            {t('common:cancel')}
          </Button>
          <Button kind="solid" type="submit" busy={run.isPending} autoFocus>
            {t('launch')}
          </Button>
        </>
      }
    >
      <p className={styles['dialog-text']}>{t(alone ? 'launchAlone' : 'launchText')}</p>
      {!alone && <MeasurementForecast project={project} groupField={experiment.groupField ?? ''} />}
      <SwitchRow
        label={t('thenAnnotate')}
        checked={annotate && obstacle === null}
        disabled={obstacle !== null}
        onChange={setAnnotate}
        help={obstacle === null ? t('thenAnnotateHelp') : t(`annotate:obstacle.${obstacle}`)}
      />
    </Dialog>
  );
}
