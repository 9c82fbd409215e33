import Autocomplete from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { documentSearchQuery } from '@/api/resources/documents';
import { TRIAL_CHARACTERS, tryPlan, type TriedPlan, type TrialSubject } from '@/api/resources/plan-trials';
import { ProjectLabelsProvider } from '@/blocks/labelling/project-labels';
import { ErrorState } from '@/blocks/error-state';
import { useTransientChoice } from '@/state/layout-store';
import { SEARCH_DEFAULTS } from '@/state/search-address';
import { useCan } from '@/state/session-store';
import { Button } from '@/ui/button';
import { SegmentedControl } from '@/ui/choice-inputs';
import { useCommands } from '@/ui/command-registry';
import { Field, TextInput } from '@/ui/field';
import type { FieldError } from './plan-rules';
import { TrialResult } from './trial-result';
import styles from './trial.module.css';

const SEARCH_MS = 300;
const DOCUMENTS_OFFERED = 20;

interface DocumentChoice {
  readonly identifier: string;
  readonly title: string;
}

function useDelayed(value: string): string {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), SEARCH_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return delayed;
}

/** A document of the project, found by its words. */
function DocumentSelect(props: {
  readonly project: string;
  readonly value: DocumentChoice | null;
  readonly onChange: (document: DocumentChoice | null) => void;
}) {
  const { project, value, onChange } = props;
  const { t } = useTranslation('plans');
  const id = useId();
  const maySearch = useCan('useSearch');
  const [typed, setTyped] = useState('');
  const wanted = useDelayed(typed);
  const query = maySearch && wanted !== value?.title ? wanted : '';
  const search = { ...SEARCH_DEFAULTS, query, simpleQuery: true, size: DOCUMENTS_OFFERED, outputFields: 'identifier,title' };
  const { data, isFetching } = useQuery(documentSearchQuery(project, search));
  const options = (data?.hits ?? []).map(({ document }): DocumentChoice => {
    const { identifier, title = '' } = document;
    return { identifier, title: title === '' ? identifier : title };
  });
  return (
    <Field id={id} label={t('trial.document')} hideLabel>
      <Autocomplete<DocumentChoice>
        id={id}
        options={options}
        value={value}
        loading={isFetching}
        loadingText={t('common:loading')}
        noOptionsText={t('trial.noDocument')}
        filterOptions={(found) => found}
        getOptionLabel={({ title }) => title}
        getOptionKey={({ identifier }) => identifier}
        isOptionEqualToValue={(a, b) => a.identifier === b.identifier}
        onInputChange={(_event, next) => setTyped(next)}
        onChange={(_event, next) => onChange(next)}
        renderInput={({ id: inputId, slotProps }) => (
          <OutlinedInput
            id={inputId}
            fullWidth
            placeholder={t('trial.chooseDocument')}
            {...slotProps.input}
            slotProps={{ input: slotProps.htmlInput }}
          />
        )}
      />
    </Field>
  );
}

/** What the plan is tried on; a typed text is kept until the page is reloaded. */
function useTrialSubject(project: string) {
  const [source, setSource] = useTransientChoice<'text' | 'document'>(`${project}/plan-trial-source`, 'text');
  const [text, setText] = useTransientChoice(`${project}/plan-trial-text`, '');
  const [document, setDocument] = useState<DocumentChoice | null>(null);
  const subject: TrialSubject | null =
    source === 'text' ? (text.trim() === '' ? null : { text }) : document === null ? null : { document: document.identifier };
  return { source, setSource, text, setText, document, setDocument, subject };
}

function SubjectFields({ project, state }: { readonly project: string; readonly state: ReturnType<typeof useTrialSubject> }) {
  const { t } = useTranslation('plans');
  return state.source === 'text' ? (
    <TextInput
      label={t('trial.text')}
      hideLabel
      rows={2}
      placeholder={t('trial.placeholder')}
      maxLength={TRIAL_CHARACTERS}
      value={state.text}
      onChange={state.setText}
    />
  ) : (
    <DocumentSelect project={project} value={state.document} onChange={state.setDocument} />
  );
}

export interface TrialPanelProps {
  readonly project: string;
  readonly plan: TriedPlan;
  /** Titles of the steps of the plan, in order. */
  readonly titles: readonly string[];
  /** Whether the plan can be sent; false after having shown what it lacks. */
  readonly onBeforeRun?: () => boolean;
  readonly onErrors?: (errors: readonly FieldError[]) => void;
}

function TrialBody({ project, plan, titles, onBeforeRun, onErrors }: TrialPanelProps) {
  const { t } = useTranslation('plans');
  const state = useTrialSubject(project);
  const { source, setSource, subject } = state;
  const now = JSON.stringify([plan, subject]);
  const run = useMutation({
    mutationFn: (on: TrialSubject) => tryPlan(project, plan, on).then((trial) => ({ trial, of: now, titles })),
    onError: (error) => {
      if (error instanceof ApiError) onErrors?.(error.fields);
    },
    // The error is shown in place.
    meta: { silent: true },
  });
  const go = () => {
    if (subject !== null && !run.isPending && onBeforeRun?.() !== false) run.mutate(subject);
  };
  const disabled = subject === null;
  useCommands(() => [
    { id: 'plans.try', section: 'screen', title: t('trial.run'), keys: ['Mod+Enter'], everywhere: true, disabled, run: go },
  ]);
  const runByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    go();
  };
  return (
    <div className={styles['panel']} onKeyDown={runByKey}>
      <div className={styles['subject']}>
        <SegmentedControl
          label={t('trial.on')}
          value={source}
          onChange={setSource}
          options={[
            { value: 'text', label: t('trial.text') },
            { value: 'document', label: t('trial.document') },
          ]}
        />
        <div className={styles['grow']}>
          <SubjectFields {...{ project, state }} />
        </div>
        <Button icon={Play} keyCap="Ctrl ⏎" busy={run.isPending} disabled={disabled} onClick={go}>
          {t('trial.run')}
        </Button>
      </div>
      {run.error !== null && <ErrorState title={t('trial.failed')} error={run.error} retained={t('trial.kept')} onRetry={go} />}
      {run.data === undefined && run.error === null && <p className={styles['quiet']}>{t('trial.about')}</p>}
      {run.data !== undefined && run.error === null && (
        <TrialResult key={run.submittedAt} trial={run.data.trial} titles={run.data.titles} stale={run.data.of !== now && !run.isPending} />
      )}
    </div>
  );
}

/** Tries a plan on a text or a document; shows the result after each step. Nothing is stored. */
export function TrialPanel(props: TrialPanelProps) {
  return (
    <ProjectLabelsProvider project={props.project}>
      <TrialBody {...props} />
    </ProjectLabelsProvider>
  );
}
