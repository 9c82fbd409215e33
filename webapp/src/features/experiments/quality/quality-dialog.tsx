/** Creates or edits an experiment: what is compared, how much that is, and what is missing for it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import {
  createQualityExperiment,
  launchQualityExperiment,
  qualityEstimateQuery,
  updateQualityExperiment,
  type QualityExperiment,
  type QualityKind,
} from '@/api/resources/ranking-experiments';
import { EmailOption } from '@/blocks/jobs/email-option';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { TextInput } from '@/ui/field';
import { AnswererFields, SearchFields } from './quality-fields';
import { QualityForecast } from './quality-forecast';
import { draftOf, isComplete, parametersOf, type QualityFormDraft } from './quality-draft';
import { useRefreshQualityExperiments } from './use-quality-experiments';
import styles from './quality.module.css';

export interface QualityDialogProps {
  readonly project: string;
  readonly kind: QualityKind;
  /** The one to edit; without it a new one is created. */
  readonly experiment?: QualityExperiment | undefined;
  /** Proposed name of a new one. */
  readonly proposed: string;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
}

async function save({ project, kind, experiment }: QualityDialogProps, draft: QualityFormDraft): Promise<string> {
  const body = { label: draft.label.trim(), parameters: parametersOf(kind, draft), emailNotification: draft.mail };
  if (experiment === undefined) return (await createQualityExperiment(project, { kind, ...body })).name;
  await updateQualityExperiment(project, experiment.name, {
    ...(body.label !== experiment.label && { label: body.label }),
    ...(JSON.stringify(body.parameters) !== JSON.stringify(experiment.parameters) && { parameters: body.parameters }),
    ...(body.emailNotification !== experiment.emailNotification && { emailNotification: body.emailNotification }),
  });
  return experiment.name;
}

/** The message of the server for a field of the form, by the end of its path. */
const problemOf = (error: unknown, field: string): string | undefined =>
  error instanceof ApiError ? error.fields.find((one) => one.field.split('.').includes(field))?.message : undefined;

function useSaveQualityExperiment(props: QualityDialogProps, draft: QualityFormDraft) {
  const refresh = useRefreshQualityExperiments();
  return useMutation({
    mutationFn: async (launch: boolean) => {
      const name = await save(props, draft);
      if (launch) await launchQualityExperiment(props.project, name);
      return name;
    },
    onSuccess: (name) => {
      props.onSaved(name);
      props.onClose();
    },
    onSettled: refresh,
    meta: { errorTitle: props.experiment === undefined ? 'createExperiment' : 'updateExperiment' },
  });
}

export function QualityDialog(props: QualityDialogProps) {
  const { t } = useTranslation(['quality', 'experiments']);
  const { project, kind, experiment, proposed, onClose } = props;
  const [draft, setDraft] = useState(() => draftOf(kind, experiment, proposed));
  const change = (part: Partial<QualityFormDraft>) => setDraft((before) => ({ ...before, ...part }));
  const run = useSaveQualityExperiment(props, draft);
  const complete = isComplete(kind, draft);
  const estimate = useQuery({ ...qualityEstimateQuery(project, kind, parametersOf(kind, draft)), enabled: complete });
  const { data } = estimate;
  const enough = data !== undefined && data.questions >= data.needed;
  const editing = experiment !== undefined;
  const named = draft.label.trim() !== '';
  const problem = (field: string) => problemOf(run.error ?? estimate.error, field);
  const launches = !editing && enough;
  return (
    <Dialog
      open
      title={t(`dialog.${editing ? 'edit' : 'create'}.${kind}`, { label: experiment?.label ?? '' })}
      locked={run.isPending}
      onClose={onClose}
      onSubmit={() => complete && named && run.mutate(launches)}
      secondary={
        launches && (
          <Button kind="quiet" disabled={!complete || !named || run.isPending} onClick={() => run.mutate(false)}>
            {t('dialog.createOnly')}
          </Button>
        )
      }
      actions={
        <>
          <Button onClick={onClose} disabled={run.isPending}>
            {t('common:cancel')}
          </Button>
          <Button kind="solid" type="submit" busy={run.isPending} disabled={!complete || !named}>
            {t(editing ? 'experiments:save' : launches ? 'dialog.createAndLaunch' : 'experiments:create')}
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <TextInput
          autoFocus
          required
          label={t('dialog.name')}
          value={draft.label}
          onChange={(label) => change({ label })}
          error={named ? problem('label') : t('dialog.nameMissing')}
        />
        {kind === 'ranking' ? (
          <SearchFields {...{ project, draft, change, problem }} />
        ) : (
          <AnswererFields {...{ project, draft, change, problem }} />
        )}
        <QualityForecast {...{ kind, complete, estimate }} />
        <EmailOption checked={draft.mail} onChange={(mail) => change({ mail })} />
      </div>
    </Dialog>
  );
}
