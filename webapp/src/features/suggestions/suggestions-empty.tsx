import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call, client } from '@/api/client';
import { enginesQuery } from '@/api/resources/components';
import { jobKeys } from '@/api/resources/jobs';
import { labelsQuery } from '@/api/resources/labels';
import { createSuggester, startSuggester, suggesterKeys, suggestersQuery, type Suggester } from '@/api/resources/suggesters';
import { jobQuery } from '@/api/resources/document-imports';
import { Button } from '@/ui/button';
import { ButtonLink } from '@/ui/button-link';
import { useFormat } from '@/ui/format';
import { ProgressBar } from '@/ui/progress-bar';
import { EmptyState } from '@/ui/placeholder-states';
import { useEngineForms } from '@/blocks/engines/use-engine-forms';
import { useCan, useProjectWritable } from '@/state/session-store';

/** Minimum number of labelled segments for a first training. */
const ENOUGH = 50;

/** Starts the first existing suggester; without any, creates one with the project's first engine and its defaults. */
async function startFirstSuggester(project: string, suggesters: readonly Suggester[], engine: string | undefined): Promise<void> {
  const known = suggesters[0]?.name;
  const name = known ?? (engine === undefined ? undefined : (await createSuggester(project, { engine, label: '', parameters: {} })).name);
  if (name !== undefined) await startSuggester(project, name);
}

function TrainingProgress({ suggester, project }: { readonly suggester: Suggester; readonly project: string }) {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  const { data: job } = useQuery({ ...jobQuery(project, suggester.jobId ?? ''), meta: { silent: true } });
  const total = job?.totalStepCount ?? 0;
  const done = job?.currentStepCount ?? 0;
  return (
    <EmptyState title={t('training.title', { name: suggester.label })}>
      <p>{t('training.text')}</p>
      {total > 0 && (
        <ProgressBar
          share={done / total}
          label={suggester.label}
          text={t('training.steps', { done: format.number(done), total: format.number(total) })}
        />
      )}
    </EmptyState>
  );
}

export interface SuggestionsEmptyProps {
  readonly project: string;
  readonly nature: string | undefined;
  readonly onReady: () => void;
}

/** Labelling so far: confirmed segments, labels in use. */
function useLabellingProgress(project: string, nature: string | undefined) {
  const { data: info } = useQuery({
    queryKey: ['projects', 'counts', project],
    queryFn: () =>
      call(client.GET('/projects/{projectName}/_info', { params: { path: { projectName: project }, query: { computeMetrics: true } } })),
    meta: { silent: true },
  });
  const { data: labels = [] } = useQuery({ ...labelsQuery(project), meta: { silent: true } });
  const counts = info as { annotations?: number; categories?: number } | undefined;
  const done = (nature === 'classification' ? counts?.categories : counts?.annotations) ?? 0;
  const used = labels.filter((label) => (label.count ?? 0) > 0).length;
  return { done, used };
}

/** Picture 11: shows what is missing, with counts, and the button that starts a suggester. */
export function SuggestionsEmpty({ project, nature, onReady }: SuggestionsEmptyProps) {
  const { t } = useTranslation('suggestions');
  const format = useFormat();
  const queryClient = useQueryClient();
  const writable = useProjectWritable();
  const mayStart = useCan('seeSuggestersSettings') && writable;
  const { data: suggesters = [] } = useQuery(suggestersQuery(project));
  const { data: engines = [] } = useQuery(enginesQuery(project, 'suggester'));
  const forms = useEngineForms(project, 'suggester');
  // The list says what a first training needs, so the first engine that is trained is the one to start.
  const engine = engines.find((name) => forms.get(name)?.needsLabels !== false) ?? engines[0];
  const { done, used } = useLabellingProgress(project, nature);
  const training = suggesters.find((item) => item.training === true);
  const running = suggesters.find((item) => item.running);
  const was = useRef(false);
  useEffect(() => {
    if (was.current && training === undefined) onReady();
    was.current = training !== undefined;
  }, [training, onReady]);
  const start = useMutation({
    mutationFn: () => startFirstSuggester(project, suggesters, engine),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: suggesterKeys.all }),
        queryClient.invalidateQueries({ queryKey: jobKeys.all }),
      ]),
    meta: { errorTitle: 'startSuggester' },
  });
  if (training !== undefined) return <TrainingProgress suggester={training} project={project} />;
  return (
    <EmptyState
      title={t(running === undefined ? 'empty.title' : 'empty.allDone')}
      checklist={[
        {
          key: 'labels',
          text: t('empty.enough', { number: ENOUGH }),
          done: done >= ENOUGH,
          figure: t('empty.done', { count: done, number: format.number(done) }),
        },
        { key: 'two', text: t('empty.two'), done: used >= 2, figure: t('empty.inUse', { count: used }) },
        { key: 'start', text: t('empty.start'), done: running !== undefined, figure: running?.label ?? t('empty.minute') },
      ]}
      actions={
        <>
          {mayStart && (
            <Button
              kind="solid"
              busy={start.isPending}
              disabled={suggesters.length === 0 && engines.length === 0}
              onClick={() => start.mutate()}
            >
              {t(running === undefined ? 'empty.start' : 'empty.again')}
            </Button>
          )}
          <ButtonLink to="/documents">{t('empty.byHand')}</ButtonLink>
        </>
      }
      {...(mayStart && { help: <Link to="/settings/suggesters">{t('empty.settings')}</Link> })}
    >
      {t(running === undefined ? 'empty.text' : 'empty.allDoneText')}
    </EmptyState>
  );
}
