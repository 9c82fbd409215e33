import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Sparkles, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { componentDefaultsQuery } from '@/api/resources/component-defaults';
import { jobKeys } from '@/api/resources/jobs';
import { projectKeys } from '@/api/resources/projects';
import {
  forgetVectors,
  vectorize,
  vectorizerFormQuery,
  vectorizerKeys,
  vectorizersQuery,
  type Vectorization,
  type Vectorizations,
  type Vectorizer,
} from '@/api/resources/vectorizers';
import { StatusBadge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { SelectInput } from '@/ui/choice-inputs';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useFormat } from '@/ui/format';
import { ProgressBar } from '@/ui/progress-bar';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { useCan } from '@/state/session-store';
import { SchemaForm, type FormValues } from '@/forms/schema-form';
import styles from './settings.module.css';
import { VectorProbeFacts } from './vector-probe';

const DEFAULT = 'default';

function VectorizationState({ made }: { readonly made: Vectorization | undefined }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  if (made === undefined) return <StatusBadge status="draft">{t('vectors.none')}</StatusBadge>;
  const running = typeof made.jobId === 'string';
  const counts = t('vectors.counts', { done: format.number(made.documents), total: format.number(made.total) });
  if (running) return <ProgressBar share={made.total === 0 ? 0 : made.documents / made.total} label={t('vectors.making')} text={counts} />;
  const tone = made.state === 'ready' ? 'completed' : made.state === 'failed' ? 'failed' : 'draft';
  return (
    <>
      <StatusBadge status={tone}>{t(`vectors.state.${made.state}`)}</StatusBadge>{' '}
      {made.state === 'ready' && t('vectors.with', { title: made.title, counts })}
    </>
  );
}

interface ChooserProps {
  readonly project: string;
  readonly existing: Vectorization | undefined;
  readonly components: readonly Vectorizer[];
  /** What the server proposes. */
  readonly proposed: string;
}

/** Why some methods are not on offer: in detail to those who can install them. */
function UnusableVectorizers({ components }: Pick<ChooserProps, 'components'>) {
  const { t } = useTranslation('settings');
  const installs = useCan('platformUserAdministrator');
  return components
    .filter(({ available }) => !available)
    .map(({ name, title, reason }) => (
      <p key={name} className={styles['unusable']}>
        {installs ? t('vectors.unavailable', { title, reason }) : t('vectors.unavailableAsk', { title })}
      </p>
    ));
}

/** The method in use, else the default one, else the first that works. */
function defaultVectorizer(made: Vectorization | undefined, components: readonly Vectorizer[], proposed: string): string {
  const usable = components.filter(({ available }) => available).map(({ name }) => name);
  return made?.vectorizer ?? (usable.includes(proposed) ? proposed : (usable[0] ?? ''));
}

/** The component and its parameters; a component that cannot be used says why. */
function VectorizerForm({ project, existing, components, proposed }: ChooserProps) {
  const { t, i18n } = useTranslation('settings');
  const queryClient = useQueryClient();
  const id = useId();
  const [picked, setPicked] = useState(() => defaultVectorizer(existing, components, proposed));
  const [changed, setChanged] = useState<FormValues>();
  const { data: form } = useQuery(vectorizerFormQuery(picked, i18n.language));
  const known = existing?.vectorizer === picked ? existing.parameters : {};
  const run = useMutation({
    mutationFn: (parameters: FormValues) => vectorize(project, { vectorizer: picked, parameters }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: vectorizerKeys.of(project) }),
        queryClient.invalidateQueries({ queryKey: jobKeys.all }),
      ]),
    meta: { errorTitle: 'vectorizeSegments' },
  });
  const running = typeof existing?.jobId === 'string';
  const about = components.find(({ name }) => name === picked);
  return (
    <>
      <SelectInput
        label={t('vectors.component')}
        value={picked}
        options={components.map(({ name, title, available }) => ({ value: name, label: title, disabled: !available }))}
        onChange={(name) => {
          setPicked(name);
          setChanged(undefined);
        }}
        {...(about !== undefined && { help: about.description })}
      />
      <UnusableVectorizers components={components} />
      {form !== undefined && (
        <SchemaForm
          key={picked}
          id={id}
          schema={form.schema}
          value={changed ?? { ...form.defaults, ...known }}
          onChange={setChanged}
          onSubmit={(parameters) => run.mutate(parameters)}
          serverErrors={run.error instanceof ApiError ? run.error.fields : []}
          disabled={run.isPending}
        />
      )}
      <div>
        <Button kind="solid" icon={Sparkles} type="submit" form={id} busy={run.isPending || running} disabled={form === undefined}>
          {t(running ? 'vectors.making' : existing === undefined ? 'vectors.make' : 'vectors.again')}
        </Button>
      </div>
    </>
  );
}

function DeleteVectorsButton({ project, name }: { readonly project: string; readonly name: string }) {
  const { t } = useTranslation('settings');
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState(false);
  const forget = useMutation({
    mutationFn: () => forgetVectors(project, name),
    onSuccess: async () => {
      setAsked(false);
      await queryClient.invalidateQueries({ queryKey: vectorizerKeys.of(project) });
      await queryClient.invalidateQueries({ queryKey: projectKeys.all });
    },
    meta: { errorTitle: 'deleteVectorizer' },
  });
  return (
    <div>
      <Button kind="danger-text" icon={Trash2} onClick={() => setAsked(true)}>
        {t('vectors.forget')}
      </Button>
      <DeleteDialog
        open={asked}
        title={t('vectors.forgetTitle')}
        keepLabel={t('vectors.keep')}
        deleteLabel={t('vectors.forget')}
        onClose={() => setAsked(false)}
        onDelete={() => forget.mutateAsync()}
      >
        {t('vectors.forgetText')}
      </DeleteDialog>
    </div>
  );
}

/** Vectors created by a plan: they are changed and removed together with the plan. */
function PlanVectors({ made, used }: { readonly made: Vectorization; readonly used: boolean }) {
  const { t } = useTranslation('settings');
  return (
    <div className={styles['outcome']}>
      <h3>{t('vectors.plan', { name: made.name })}</h3>
      <div>
        <VectorizationState made={made} />
      </div>
      {used && <p>{t('vectors.used')}</p>}
      {made.probe != null && <VectorProbeFacts probe={made.probe} />}
    </div>
  );
}

/** The vectors of the project: those of plans, and the ones created here with their actions. */
function ExistingVectors({
  project,
  writable,
  data,
  proposed,
}: {
  readonly project: string;
  readonly writable: boolean;
  readonly data: Vectorizations;
  readonly proposed: string;
}) {
  const made = data.vectorizations.find(({ name }) => name === DEFAULT);
  const used = made?.state === 'ready' ? made : data.vectorizations.find(({ state }) => state === 'ready');
  const ofPlans = data.vectorizations.filter(({ name }) => name !== DEFAULT);
  return (
    <>
      {ofPlans.map((one) => (
        <PlanVectors key={one.name} made={one} used={one === used} />
      ))}
      <div role="status">{(made !== undefined || ofPlans.length === 0) && <VectorizationState made={made} />}</div>
      {made?.probe != null && <VectorProbeFacts probe={made.probe} />}
      {writable && (
        <VectorizerForm key={made?.vectorizer ?? ''} project={project} existing={made} components={data.vectorizers} proposed={proposed} />
      )}
      {writable && made !== undefined && <DeleteVectorsButton project={project} name={made.name} />}
    </>
  );
}

/** Semantic search: whether the project has vectors, their vectorizer, and progress. */
export function VectorsCard({ project, writable }: { readonly project: string; readonly writable: boolean }) {
  const { t, i18n } = useTranslation('settings');
  const vectorizers = useQuery({ ...vectorizersQuery(project, i18n.language), meta: { silent: true } });
  const defaults = useQuery({ ...componentDefaultsQuery, meta: { silent: true } });
  const failed = [vectorizers, defaults].find(({ data, error }) => data === undefined && error !== null);
  return (
    <section className={styles['card']} aria-label={t('vectors.title')}>
      <h2>{t('vectors.title')}</h2>
      <p>{t('vectors.text')}</p>
      {failed !== undefined ? (
        <ErrorState title={t('errors:error.getVectorizers')} error={failed.error} onRetry={() => void failed.refetch()} />
      ) : vectorizers.data === undefined || defaults.data === undefined ? (
        <Skeleton rows={2} rowHeight={24} />
      ) : (
        <ExistingVectors project={project} writable={writable} data={vectorizers.data} proposed={defaults.data.vectorizer.name} />
      )}
    </section>
  );
}
