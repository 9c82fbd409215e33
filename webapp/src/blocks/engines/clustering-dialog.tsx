/** D-011: asks how many topics, says what will be written, and starts topic detection from any screen of the project. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { jobMessage } from '@/api/resources/jobs';
import { jobQuery } from '@/api/resources/document-imports';
import { Button } from '@/ui/button';
import { SwitchRow } from '@/ui/choice-inputs';
import { Dialog } from '@/ui/dialog';
import { TextInput } from '@/ui/field';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import { ProgressBar } from '@/ui/progress-bar';
import { notify } from '@/state/notifications-store';
import { useCan } from '@/state/session-store';
import { useClustering } from './use-clustering';
import styles from './engine-dialog.module.css';

export interface ClusteringDialogProps {
  readonly project: string;
  readonly onClose: () => void;
  /** Called with the name of the launched experiment; without it, the experiment is opened. */
  readonly onLaunched?: (name: string) => void;
}

function ClusteringProgress({ project, jobId }: { readonly project: string; readonly jobId: string }) {
  const { t } = useTranslation('clustering');
  const { data: job } = useQuery({ ...jobQuery(project, jobId), enabled: jobId !== '', meta: { silent: true } });
  const total = job?.totalStepCount ?? 0;
  if (total === 0) return null;
  return <ProgressBar share={(job?.currentStepCount ?? 0) / total} label={t('running')} text={job === undefined ? '' : jobMessage(job)} />;
}

/** A whole number within the bounds; undefined for anything else. */
export function parseTopics(text: string, range: { readonly least: number; readonly most: number }): number | undefined {
  const value = Number(text.trim());
  return text.trim() !== '' && Number.isInteger(value) && value >= range.least && value <= range.most ? value : undefined;
}

/** What the run writes into the project, in numbers. */
function Consequences({
  topics,
  documents,
  writes,
}: {
  readonly topics: number | undefined;
  readonly documents: number;
  readonly writes: boolean;
}) {
  const { t } = useTranslation('clustering');
  const format = useFormat();
  if (!writes) return <p>{t('writesNothing')}</p>;
  return (
    <Notice tone="info">
      <strong>
        {topics === undefined ? t('writesLabels') : t('writesUpTo', { count: topics, number: format.number(topics) })}{' '}
        {t('writesCategories', { count: documents, number: format.number(documents) })}
      </strong>
      <p>{t('proposes')}</p>
    </Notice>
  );
}

/** Opens the experiment that was launched, for those who may see it. */
function useAfterLaunch({ onClose, onLaunched }: ClusteringDialogProps) {
  const { t } = useTranslation('clustering');
  const navigate = useNavigate();
  const seesExperiments = useCan('seeExperiments');
  return (name: string) => {
    onClose();
    if (onLaunched !== undefined) onLaunched(name);
    else if (seesExperiments) void navigate(`/experiments?experiment=${encodeURIComponent(name)}`);
    else notify({ type: 'success', message: t('started') });
  };
}

type Clustering = ReturnType<typeof useClustering>;

/** What there is already, what stands in for what, and why it cannot start. */
function ClusteringNotes({ project, clustering }: { readonly project: string; readonly clustering: Clustering }) {
  const { t } = useTranslation('clustering');
  const { first, engine, replaced, running, obstacle } = clustering;
  return (
    <>
      {first !== undefined && <p>{t('again', { label: first.label })}</p>}
      {first === undefined && replaced && engine?.form !== undefined && <p>{t('replaced', { engine: engine.form.title })}</p>}
      {obstacle !== null && <p role="alert">{t(`obstacle.${obstacle}`)}</p>}
      {running && <ClusteringProgress project={project} jobId={first?.jobId ?? ''} />}
    </>
  );
}

/** The number of topics and whether they are written: as typed, and as numbers. */
function useClusteringChoice({ topics, range }: Clustering) {
  const [typed, setTyped] = useState<string | null>(null);
  const [write, setWrite] = useState(true);
  const text = typed ?? String(topics ?? '');
  const number = topics === undefined ? undefined : parseTopics(text, range);
  return { text, setTyped, write, setWrite, number, wrong: topics !== undefined && number === undefined };
}

interface FieldsProps {
  readonly clustering: Clustering;
  readonly choice: ReturnType<typeof useClusteringChoice>;
}

function ClusteringFields({ clustering, choice }: FieldsProps) {
  const { t } = useTranslation('clustering');
  const { annotate, documents = 0, topics, range } = clustering;
  const { text, setTyped, write, setWrite, number, wrong } = choice;
  return (
    <>
      {topics !== undefined && (
        <TextInput
          autoFocus
          label={t('number')}
          value={text}
          onChange={setTyped}
          help={t('numberHelp')}
          error={wrong ? t('numberWrong', range) : undefined}
        />
      )}
      {!annotate && <p>{t('onlyReport')}</p>}
      {annotate && (
        <>
          <SwitchRow label={t('write')} help={t('writeHelp')} checked={write} onChange={setWrite} />
          <Consequences topics={number} documents={documents} writes={write} />
        </>
      )}
    </>
  );
}

export function ClusteringDialog(props: ClusteringDialogProps) {
  const { project, onClose } = props;
  const { t } = useTranslation('clustering');
  const launched = useAfterLaunch(props);
  const clustering = useClustering(project);
  const choice = useClusteringChoice(clustering);
  const { first, loading, running, obstacle, launch, stop } = clustering;
  const { number, write, wrong } = choice;
  return (
    <Dialog
      open
      width="small"
      title={t('title')}
      locked={launch.isPending}
      onClose={onClose}
      onSubmit={() => !wrong && launch.mutate({ topics: number, write }, { onSuccess: launched })}
      actions={
        <>
          <Button onClick={onClose} disabled={launch.isPending}>
            {t('common:cancel')}
          </Button>
          {running && first !== undefined && (
            <Button busy={stop.isPending} onClick={() => stop.mutate(first.name)}>
              {t('stop')}
            </Button>
          )}
          <Button kind="solid" type="submit" busy={launch.isPending} disabled={obstacle !== null || wrong || loading}>
            {t('find')}
          </Button>
        </>
      }
    >
      <div className={styles['topics']}>
        <p>{t('text')}</p>
        <ClusteringFields clustering={clustering} choice={choice} />
        <ClusteringNotes project={project} clustering={clustering} />
      </div>
    </Dialog>
  );
}
