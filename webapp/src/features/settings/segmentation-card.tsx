import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { componentDefaultsQuery } from '@/api/resources/component-defaults';
import { isActive, jobKeys, jobMessage, jobStatus, projectJobsQuery } from '@/api/resources/jobs';
import { activePlan, plansQuery, segmenterOf } from '@/api/resources/plans';
import { patchProject, projectKeys, type Project } from '@/api/resources/projects';
import { segmenterFormQuery, segmentersQuery, type SegmenterChoice } from '@/api/resources/segmentation';
import { Button } from '@/ui/button';
import { SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { ProgressBar } from '@/ui/progress-bar';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { SchemaForm, type FormValues } from '@/forms/schema-form';
import { notify } from '@/state/notifications-store';
import { RecomputeSegmentsDialog } from './recompute-segments-dialog';
import { SegmentationOutcome } from './segmentation-outcome';
import { segmenterChoiceWithDefaults, resegmentationResult, latestSegmentationJob } from './segmentation-job';
import styles from './settings.module.css';

/** Progress of the running job, else the result of the last one. */
function SegmentationJobResult({ project }: { readonly project: string }) {
  const { t } = useTranslation('settings');
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(project), meta: { silent: true } });
  const job = latestSegmentationJob(jobs);
  if (job === undefined) return null;
  const counts = resegmentationResult(job);
  return (
    <div role="status">
      {isActive(job) ? (
        <ProgressBar
          share={job.totalStepCount === 0 ? 0 : job.currentStepCount / job.totalStepCount}
          label={t('segmentation.running')}
          {...(jobStatus(job) !== undefined && { text: jobStatus(job) ?? '' })}
        />
      ) : counts === undefined ? (
        <p>{t('segmentation.ended', { state: t(`jobs:status.${job.status}`), message: jobMessage(job) })}</p>
      ) : (
        <SegmentationOutcome counts={counts} words="done" />
      )}
    </div>
  );
}

interface SegmenterSettingsProps {
  readonly info: Project;
  readonly writable: boolean;
  /** As the project is set, or else what the server proposes. */
  readonly saved: SegmenterChoice;
}

function SegmenterSettings({ info, writable, saved }: SegmenterSettingsProps) {
  const { t, i18n } = useTranslation('settings');
  const queryClient = useQueryClient();
  const id = useId();
  const [name, setName] = useState(saved.name);
  const [changed, setChanged] = useState<FormValues>();
  const [whole, setWhole] = useState(saved.annotationsWhole);
  const { data: segmenters = [] } = useQuery(segmentersQuery(info.name, i18n.language));
  const form = useQuery(segmenterFormQuery(info.name, name, i18n.language));
  const save = useMutation({
    mutationFn: (parameters: FormValues) => patchProject(info.name, { segmenter: { name, parameters, annotationsWhole: whole } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: projectKeys.all });
      notify({ type: 'success', message: t('segmentation.saved') });
    },
    meta: { errorTitle: 'updateProjectConfig' },
  });
  const about = segmenters.find((one) => one.name === name);
  const options = segmenters.map((one) => ({ value: one.name, label: one.title }));
  const known = name === saved.name ? saved.parameters : {};
  return (
    <>
      <SelectInput
        label={t('segmentation.segmenter')}
        value={name}
        options={about === undefined ? [...options, { value: name, label: name }] : options}
        disabled={!writable}
        onChange={(next) => {
          setName(next);
          setChanged(undefined);
        }}
        {...(about !== undefined && { help: about.description })}
      />
      {form.error !== null && (
        <ErrorState title={t('errors:error.getEngineParams')} error={form.error} onRetry={() => void form.refetch()} />
      )}
      {form.isPending && <Skeleton rows={2} rowHeight={56} />}
      {form.data !== undefined && (
        <SchemaForm
          key={name}
          id={id}
          schema={form.data.schema}
          value={changed ?? { ...form.data.defaults, ...known }}
          onChange={setChanged}
          onSubmit={(parameters) => save.mutate(parameters)}
          serverErrors={save.error instanceof ApiError ? save.error.fields : []}
          disabled={!writable || save.isPending}
        />
      )}
      <SwitchRow
        label={t('segmentation.whole')}
        help={t('segmentation.wholeHelp')}
        checked={whole}
        onChange={setWhole}
        disabled={!writable}
      />
      {writable && (
        <div>
          <Button kind="solid" type="submit" form={id} busy={save.isPending} disabled={form.data === undefined}>
            {t('save')}
          </Button>
        </div>
      )}
    </>
  );
}

/** S-024: the segmenter of the project, and segmenting existing documents again. */
export function SegmentationCard({ info, writable }: { readonly info: Project; readonly writable: boolean }) {
  const { t } = useTranslation('settings');
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState(false);
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(info.name), meta: { silent: true } });
  const job = latestSegmentationJob(jobs);
  const running = job !== undefined && isActive(job);
  const { data: plans } = useQuery({ ...plansQuery(info.name), meta: { silent: true } });
  const plan = activePlan(plans, 'segmentation');
  const { data: defaults, error, refetch } = useQuery({ ...componentDefaultsQuery, meta: { silent: true } });
  const own = defaults && segmenterChoiceWithDefaults(info.segmenter as Partial<SegmenterChoice> | undefined, defaults.segmenter.name);
  const cutting = plan && segmenterOf(plan);
  return (
    <section className={styles['card']}>
      <h2>{t('segmentation.title')}</h2>
      <p>{t('segmentation.text')}</p>
      {plan !== undefined && <p role="note">{t('segmentation.plan', { label: plan.label })}</p>}
      {own !== undefined ? (
        <SegmenterSettings key={info.name} info={info} writable={writable} saved={own} />
      ) : error !== null ? (
        <ErrorState title={t('errors:error.getEngineParams')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={2} rowHeight={56} />
      )}
      {writable && (
        <div>
          <Button icon={RefreshCw} busy={running} disabled={own === undefined} onClick={() => setAsked(true)}>
            {t(running ? 'segmentation.running' : 'segmentation.recompute')}
          </Button>
        </div>
      )}
      <SegmentationJobResult project={info.name} />
      {asked && own !== undefined && (
        <RecomputeSegmentsDialog
          project={info.name}
          choice={cutting === undefined ? own : { ...own, ...cutting, parameters: { ...cutting.parameters } }}
          onClose={() => setAsked(false)}
          onStarted={() => void queryClient.invalidateQueries({ queryKey: jobKeys.all })}
        />
      )}
    </section>
  );
}
