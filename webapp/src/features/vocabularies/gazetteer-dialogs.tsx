import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EngineSettings } from '@/api/resources/experiments';
import { createGazetteer, proposeGazetteerLabel, synchronizeGazetteer, updateGazetteer, type Gazetteer } from '@/api/resources/gazetteers';
import { isActive, projectJobsQuery } from '@/api/resources/jobs';
import { projectQuery } from '@/api/resources/projects';
import { corpusAnnotationObstacle } from '@/blocks/engines/annotate-corpus-dialog';
import { changedLabelAndParameters } from '@/blocks/engines/engine-changes';
import { EngineDialog } from '@/blocks/engines/engine-dialog';
import { EmailOption } from '@/blocks/jobs/email-option';
import { SwitchRow } from '@/ui/choice-inputs';
import { FormDialog } from '@/ui/form-dialog';
import { useRefreshGazetteers } from './use-gazetteers';
import styles from './vocabularies.module.css';

export interface GazetteerDialogRequest {
  readonly mode: 'create' | 'edit' | 'clone';
  readonly gazetteer?: Gazetteer;
}

interface GazetteerDialogProps {
  readonly project: string;
  readonly opened: GazetteerDialogRequest;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
}

/** Creates, edits or clones a gazetteer (D-023), with a form generated from the engine's parameters. */
export function GazetteerDialog({ project, opened, onClose, onSaved }: GazetteerDialogProps) {
  const { t } = useTranslation('vocabularies');
  const refresh = useRefreshGazetteers();
  const { mode, gazetteer } = opened;
  const mailBefore = gazetteer?.emailNotification === true;
  const [mail, setMail] = useState(mailBefore);
  const save = async (values: EngineSettings) => {
    const editing = mode === 'edit' && gazetteer !== undefined;
    const wish = !editing || mail !== mailBefore ? { emailNotification: mail } : {};
    if (editing) await updateGazetteer(project, gazetteer.name, { ...changedLabelAndParameters(gazetteer, values), ...wish });
    const name = editing ? gazetteer.name : (await createGazetteer(project, { ...values, ...wish })).name;
    await refresh();
    onSaved(name);
  };
  return (
    <EngineDialog
      project={project}
      type="gazetteer"
      title={t(`gazetteer.dialog.${mode}`, { label: gazetteer?.label ?? '' })}
      submitLabel={t(mode === 'edit' ? 'save' : 'gazetteer.create')}
      engineFixed={mode === 'edit'}
      {...(gazetteer !== undefined && { initial: gazetteer })}
      hint={(label) => proposeGazetteerLabel(project, label)}
      onSave={save}
      onClose={onClose}
      errorTitle={mode === 'edit' ? 'updateGazetteer' : 'createGazetteer'}
    >
      <EmailOption checked={mail} onChange={setMail} />
    </EngineDialog>
  );
}

interface SynchroniseDialogProps {
  readonly project: string;
  readonly gazetteer: Gazetteer;
  readonly onClose: () => void;
}

/** S-049: reads the terms anew; the corpus is annotated with them afterwards, unless that is not wanted. */
export function SynchroniseDialog({ project, gazetteer, onClose }: SynchroniseDialogProps) {
  const { t } = useTranslation('vocabularies');
  const refresh = useRefreshGazetteers();
  const [annotate, setAnnotate] = useState(true);
  const { data: info } = useQuery(projectQuery(project));
  const { data: jobs = [] } = useQuery({ ...projectJobsQuery(project), meta: { silent: true } });
  const obstacle = corpusAnnotationObstacle(info?.documents ?? undefined, jobs.filter(isActive));
  const run = useMutation({
    mutationFn: () => synchronizeGazetteer(project, gazetteer.name, annotate && obstacle === null),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
    meta: { errorTitle: 'synchronizeGazetteer' },
  });
  return (
    <FormDialog
      width="small"
      title={t('gazetteer.synchroniseTitle', { label: gazetteer.label })}
      submitLabel={t('gazetteer.synchronise')}
      busy={run.isPending}
      onClose={onClose}
      onSubmit={() => run.mutate()}
    >
      <div className={styles['fields']}>
        <p>{t('gazetteer.synchroniseText')}</p>
        <SwitchRow
          label={t('gazetteer.thenAnnotate')}
          checked={annotate && obstacle === null}
          disabled={obstacle !== null}
          onChange={setAnnotate}
          help={obstacle === null ? t('gazetteer.thenAnnotateHelp') : t(`annotate:obstacle.${obstacle}`)}
        />
      </div>
    </FormDialog>
  );
}
