/** D-011: predefined annotators and label sets: creates them, and runs them on the corpus. */
import { Bot, Check, Tags, WandSparkles, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  hasPredefinedLabelSet,
  findCreatedFromPredefined,
  PREDEFINED_SETS,
  type PredefinedAnnotator,
  type PredefinedLabelSetName,
} from '@/api/resources/predefined';
import { AnnotateCorpusDialog } from './annotate-corpus-dialog';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { useCan } from '@/state/session-store';
import styles from './predefined.module.css';
import { usePredefinedComponents } from './use-predefined-components';

export interface PredefinedComponentsDialogProps {
  readonly project: string;
  readonly onClose: () => void;
}

type State = ReturnType<typeof usePredefinedComponents>;

interface RowProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: string;
  /** Why it cannot be created. */
  readonly why?: string | undefined;
  readonly children: ReactNode;
}

function PredefinedRow({ icon: Icon, title, text, why, children }: RowProps) {
  return (
    <li className={styles['row']}>
      <Icon size={18} aria-hidden />
      <div>
        <h4>{title}</h4>
        <p>{text}</p>
        {why !== undefined && <p className={styles['why']}>{why}</p>}
      </div>
      <div className={styles['acts']}>{children}</div>
    </li>
  );
}

interface CreatedProps {
  readonly made: PredefinedAnnotator;
  readonly state: State;
  readonly onAnnotate: (annotator: string) => void;
}

interface CreateProps extends CreatedProps {
  readonly title: string;
  readonly mayAnnotate: boolean;
}

/** Only enabled when all requirements are met. */
function CreatePredefinedButtons({ made, state, onAnnotate, title, mayAnnotate }: CreateProps) {
  const { t } = useTranslation('predefined');
  const { lacked, create } = state;
  const rest = {
    small: true,
    disabled: lacked?.[made.key]?.length !== 0 || create.isPending,
    busy: create.isPending && create.variables.key === made.key,
  };
  return (
    <>
      <Button {...rest} aria-label={t('createOne', { title })} onClick={() => create.mutate(made)}>
        {t('create')}
      </Button>
      {mayAnnotate && (
        <Button
          {...rest}
          icon={WandSparkles}
          aria-label={t('createAndAnnotateWith', { title })}
          onClick={() => create.mutate(made, { onSuccess: onAnnotate })}
        >
          {t('createAndAnnotate')}
        </Button>
      )}
    </>
  );
}

/** A predefined plan or suggester: create it, then annotate with it. */
function PredefinedComponentRow({ made, state, onAnnotate }: CreatedProps) {
  const { t } = useTranslation('predefined');
  const mayAnnotate = useCan('annotateCorpus') && made.type === 'plan';
  const { plans, suggesters, lacked, install, words } = state;
  const row = made.type === 'plan' ? findCreatedFromPredefined(plans, made.key) : findCreatedFromPredefined(suggesters, made.key);
  const missing = lacked?.[made.key] ?? [];
  const title = row?.label ?? words.predefined(made);
  const text = t(`made.${made.key}.text`, { defaultValue: made.steps.map(({ name }) => name).join(', ') });
  if (row === undefined) {
    const why = missing.length === 0 ? undefined : t('lacks', { install: missing.map(install).join(' ') });
    return (
      <PredefinedRow icon={Bot} title={title} text={text} why={why}>
        <CreatePredefinedButtons {...{ made, state, onAnnotate, title, mayAnnotate }} />
      </PredefinedRow>
    );
  }
  return (
    <PredefinedRow icon={Bot} title={title} text={text}>
      <Badge tone="success" icon={Check}>
        {t('there')}
      </Badge>
      {mayAnnotate && (
        <Button small icon={WandSparkles} aria-label={t('annotateWith', { title })} onClick={() => onAnnotate(row.name)}>
          {t('annotate')}
        </Button>
      )}
    </PredefinedRow>
  );
}

function PredefinedLabelSetRow({ set, state }: { readonly set: PredefinedLabelSetName; readonly state: State }) {
  const { t } = useTranslation('predefined');
  const {
    sets,
    createSet,
    words: { mayWriteLabels },
  } = state;
  const title = t(`set.${set}`);
  const labels = PREDEFINED_SETS[set].map((name) => t(`label.${name}`)).join(', ');
  return (
    <PredefinedRow icon={Tags} title={title} text={labels} why={mayWriteLabels ? undefined : t('mayNotWrite')}>
      {hasPredefinedLabelSet(sets, set) ? (
        <Badge tone="success" icon={Check}>
          {t('there')}
        </Badge>
      ) : (
        <Button
          small
          busy={createSet.isPending && createSet.variables === set}
          disabled={!mayWriteLabels || sets === undefined || createSet.isPending}
          aria-label={t('createOne', { title })}
          onClick={() => createSet.mutate(set)}
        >
          {t('create')}
        </Button>
      )}
    </PredefinedRow>
  );
}

export function PredefinedComponentsDialog({ project, onClose }: PredefinedComponentsDialogProps) {
  const { t } = useTranslation('predefined');
  const state = usePredefinedComponents(project);
  const [annotator, setAnnotator] = useState<string | null>(null);
  if (annotator !== null) return <AnnotateCorpusDialog project={project} annotator={annotator} onClose={onClose} />;
  const busy = state.create.isPending || state.createSet.isPending;
  const group = (type: PredefinedAnnotator['type']) =>
    state.predefined
      .filter((made) => made.type === type)
      .map((made) => <PredefinedComponentRow key={made.key} made={made} state={state} onAnnotate={setAnnotator} />);
  return (
    <Dialog
      open
      title={t('title')}
      locked={busy}
      onClose={onClose}
      actions={
        <Button onClick={onClose} disabled={busy}>
          {t('common:close')}
        </Button>
      }
    >
      {state.spans ? (
        <div className={styles['body']}>
          <section>
            <h3>{t('plans')}</h3>
            <ul>{group('plan')}</ul>
          </section>
          <section>
            <h3>{t('suggesters')}</h3>
            <ul>{group('suggester')}</ul>
          </section>
          <section>
            <h3>{t('sets')}</h3>
            <p className={styles['quiet']}>{t('setsText')}</p>
            <ul>
              {(Object.keys(PREDEFINED_SETS) as PredefinedLabelSetName[]).map((set) => (
                <PredefinedLabelSetRow key={set} set={set} state={state} />
              ))}
            </ul>
          </section>
        </div>
      ) : (
        <p>{t('notSpans')}</p>
      )}
    </Dialog>
  );
}
