/** D-012: annotates the corpus with an annotator. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  annotateCorpus,
  SERVED_SCOPES,
  ANNOTATOR_TYPES,
  annotatorsQuery,
  type AnnotateScope,
  type CurrentSearch,
} from '@/api/resources/annotators';
import { bulkCountQuery } from '@/api/resources/bulk-actions';
import { isActive, jobKeys, projectJobsQuery } from '@/api/resources/jobs';
import { projectQuery, projectsQuery } from '@/api/resources/projects';
import { SelectInput } from '@/ui/choice-inputs';
import { followAndNotify } from '@/blocks/bulk/bulk-job';
import { FormDialog } from '@/ui/form-dialog';
import { useFormat } from '@/ui/format';
import { EmailOption } from '@/blocks/jobs/email-option';

export interface AnnotateCorpusDialogProps {
  readonly project: string;
  /** Preselected annotator. */
  readonly annotator?: string;
  /** The search of the present screen; without it that scope is not offered. */
  readonly search?: CurrentSearch;
  readonly onClose: () => void;
}

/** V-023: why it cannot start; null when it can. */
export function corpusAnnotationObstacle(
  documents: number | undefined,
  jobs: readonly { type: string; status: string }[],
): 'noDocuments' | 'running' | null {
  if (documents === 0) return 'noDocuments';
  return jobs.some((job) => job.type === 'CORPUS_ANNOTATE' && job.status === 'STARTED') ? 'running' : null;
}

/** V-016: the dataset only with collaborative annotation, the search only where there is one. */
export function availableAnnotateScopes(collaborative: boolean, searched: boolean): readonly AnnotateScope[] {
  const shown: Record<AnnotateScope, boolean> = { wholeCorpus: true, dataset: collaborative, currentSearch: searched };
  return SERVED_SCOPES.filter((scope) => shown[scope]);
}

/** Number of documents found by the search as text; an ellipsis until they are counted. */
function useFoundCountText(project: string, search: CurrentSearch | undefined): string {
  const format = useFormat();
  const { data } = useQuery({ ...bulkCountQuery(project, 'documents', search ?? {}), enabled: search !== undefined });
  return data === undefined ? '…' : format.number(data.documents);
}

/** E-052: if the projects cannot be fetched, only annotators of this one are offered, and the error is only logged. */
function useOtherProjects(project: string) {
  const { data = [], error } = useQuery({ ...projectsQuery(), meta: { silent: true } });
  useEffect(() => {
    if (error !== null) console.warn('The projects whose annotators can be used could not be fetched', error);
  }, [error]);
  return data.filter(({ name }) => name !== project).map(({ name, label }) => ({ value: name, label }));
}

interface SourceProps {
  readonly project: string;
  readonly value: string;
  readonly onChange: (project: string) => void;
}

/** D-012: the annotator may be from any project that the user can see. */
function AnnotatorProjectSelect({ project, value, onChange }: SourceProps) {
  const { t } = useTranslation('annotate');
  const others = useOtherProjects(project);
  if (others.length === 0) return null;
  const options = [{ value: project, label: t('thisProject') }, ...others];
  return <SelectInput label={t('project')} value={value} onChange={onChange} options={options} />;
}

/** The annotators of a project, and the obstacle when the server reports that there are none. */
export function useAnnotatorChoices(project: string) {
  const { t } = useTranslation('annotate');
  const { data } = useQuery(annotatorsQuery(project));
  const choices = ANNOTATOR_TYPES.flatMap((type) =>
    (data?.[type] ?? []).map((item) => ({ value: item.name, label: `${item.label} (${t(`type.${type}`)})` })),
  );
  return { choices, help: data !== undefined && choices.length === 0 ? t('noAnnotator') : undefined };
}

export function AnnotateCorpusDialog({ project, annotator, search, onClose }: AnnotateCorpusDialogProps) {
  const { t } = useTranslation(['annotate', 'common']);
  const format = useFormat();
  const queryClient = useQueryClient();
  const [source, setSource] = useState(project);
  const { choices, help } = useAnnotatorChoices(source);
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(project), meta: { silent: true } });
  const { data: info } = useQuery(projectQuery(project));
  const [chosen, setChosen] = useState(annotator ?? '');
  const [scope, setScope] = useState<AnnotateScope>('wholeCorpus');
  const [mail, setMail] = useState(false);
  const current = chosen || (choices[0]?.value ?? '');
  const obstacle = corpusAnnotationObstacle(info?.documents ?? undefined, jobs.filter(isActive));
  const run = useMutation({
    mutationFn: () =>
      annotateCorpus(project, {
        annotator: current,
        annotatorProject: source,
        scope,
        emailNotification: mail,
        ...(search !== undefined && { search }),
      }),
    onSuccess: async (job) => {
      await queryClient.invalidateQueries({ queryKey: jobKeys.all });
      onClose();
      // Its end offers to undo it.
      void followAndNotify(job);
    },
    meta: { errorTitle: 'annotateCorpus' },
  });
  const found = useFoundCountText(project, search);
  const scopes = availableAnnotateScopes(info?.collaborativeAnnotation === true, search !== undefined);
  return (
    <FormDialog
      width="small"
      title={t('title')}
      onClose={onClose}
      onSubmit={() => run.mutate()}
      submitLabel={t('submit')}
      busy={run.isPending}
      disabled={obstacle !== null || current === ''}
    >
      <div style={{ display: 'grid', gap: 16 }}>
        {annotator === undefined && (
          <AnnotatorProjectSelect
            project={project}
            value={source}
            onChange={(name) => {
              setSource(name);
              setChosen('');
            }}
          />
        )}
        <SelectInput label={t('annotator')} value={current} options={choices} onChange={setChosen} help={help} />
        <SelectInput
          label={t('scope')}
          value={scope}
          options={scopes.map((value) => ({
            value,
            label: t(`scopes.${value}`, { number: value === 'currentSearch' ? found : format.number(info?.documents ?? 0) }),
          }))}
          onChange={setScope}
          help={t('kept')}
        />
        <EmailOption checked={mail} onChange={setMail} />
        {obstacle !== null && <p role="alert">{t(`obstacle.${obstacle}`)}</p>}
      </div>
    </FormDialog>
  );
}
