/** Terms from the corpus: candidates, each accepted as a new term or as a form of a term, or refused, by keyboard. */
import { RefreshCw, Undo2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CANDIDATE_SOURCES } from '@/api/resources/term-candidates';
import { ErrorState } from '@/blocks/error-state';
import { useCan, useProjectWritable } from '@/state/session-store';
import { KeyCap } from '@/ui/badge';
import { Button } from '@/ui/button';
import { SegmentedControl, SelectInput } from '@/ui/choice-inputs';
import { useCommands, type Command } from '@/ui/command-registry';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { CandidateList } from './candidate-list';
import { useTermCandidates, type TermCandidatesState } from './use-term-candidates';
import styles from './candidates.module.css';

export function TermCandidates({ project }: { readonly project: string }): ReactNode {
  const { t } = useTranslation('terms');
  const permitted = useCan('importTerms');
  const projectWritable = useProjectWritable();
  const writable = permitted && projectWritable;
  const state = useTermCandidates(project, writable);
  const [picking, setPicking] = useState(false);
  useCandidateKeys(state, () => setPicking(true), writable && !picking);
  if (!writable) return <EmptyState title={t('candidates.denied')}>{t('candidates.deniedText')}</EmptyState>;
  return (
    <section className={styles['candidates']} aria-label={t('candidates.title')}>
      <p className={styles['intro']}>{t('candidates.text')}</p>
      <p className="visually-hidden" role="status">
        {state.announcement}
      </p>
      <CandidateToolbar state={state} />
      {state.lexiconsLoaded && state.editable.length === 0 && (
        <Notice tone="info">
          <strong>{t('candidates.noLexicon')}.</strong> {t('candidates.noLexiconText')}
        </Notice>
      )}
      <CandidatesBody {...{ project, state, picking }} onPick={setPicking} />
      {state.current !== undefined && <KeyHints />}
    </section>
  );
}

function CandidateToolbar({ state }: { readonly state: TermCandidatesState }): ReactNode {
  const { t } = useTranslation('terms');
  const format = useFormat();
  return (
    <div className={styles['toolbar']}>
      <SegmentedControl
        label={t('candidates.source')}
        value={state.source}
        onChange={state.setSource}
        options={CANDIDATE_SOURCES.map((value) => ({ value, label: t(`candidates.sources.${value}`) }))}
      />
      {state.editable.length > 0 && (
        <SelectInput
          label={t('candidates.lexicon')}
          value={state.lexicon?.name ?? ''}
          options={state.editable.map(({ name, label }) => ({ value: name, label }))}
          onChange={state.setLexicon}
        />
      )}
      <span className={styles['left']}>{t('candidates.left', { count: state.left, number: format.number(state.left) })}</span>
      <Button small kind="quiet" icon={Undo2} disabled={!state.undoable} onClick={state.undo}>
        {t('candidates.undo')}
      </Button>
      <Button small icon={RefreshCw} busy={state.searching} onClick={state.search}>
        {t('candidates.reload')}
      </Button>
    </div>
  );
}

interface CandidatesBodyProps {
  readonly project: string;
  readonly state: TermCandidatesState;
  /** The picker of the term that a candidate is a form of is open. */
  readonly picking: boolean;
  readonly onPick: (open: boolean) => void;
}

function CandidatesBody(props: CandidatesBodyProps): ReactNode {
  const { t } = useTranslation(['terms', 'errors']);
  const { page, candidates, searching } = props.state;
  if (page.error !== null && page.data === undefined)
    return <ErrorState title={t('errors:error.getCandidates')} error={page.error} onRetry={() => void page.refetch()} />;
  if (page.data === undefined) return <Skeleton rows={8} rowHeight={54} />;
  if (candidates.length > 0) return <CandidateList {...props} />;
  if (searching || page.isFetching) return <Skeleton rows={8} rowHeight={54} waitingFor={t('candidates.searching')} />;
  return <NoCandidates state={props.state} />;
}

/** Each one was answered; the corpus has none; or it was never searched to its end. */
function NoCandidates({ state }: { readonly state: TermCandidatesState }): ReactNode {
  const { t } = useTranslation('terms');
  const { page, finished, searching, search } = state;
  const searched = typeof page.data?.computedAt === 'string';
  const kind = finished ? 'none' : searched ? 'empty' : 'unsearched';
  return (
    <EmptyState
      title={t(`candidates.${kind}`)}
      actions={
        <Button kind={searched ? 'outline' : 'solid'} icon={RefreshCw} busy={searching} onClick={search}>
          {t(searched ? 'candidates.reload' : 'candidates.start')}
        </Button>
      }
    >
      {t(`candidates.${kind}Text`)}
    </EmptyState>
  );
}

/** J K Y F N S, Ctrl Z; single letters depend on the user's setting. */
function useCandidateKeys(state: TermCandidatesState, pick: () => void, enabled: boolean): void {
  const { t } = useTranslation('terms');
  useCommands(() => {
    if (!enabled) return [];
    const none = state.current === undefined;
    const command = (name: string, keys: readonly string[], run: () => void, disabled = none): Command => ({
      id: `candidates.${name}`,
      section: 'screen',
      title: t(`candidates.keys.${name}`),
      keys,
      run,
      disabled,
    });
    return [
      command('next', ['J'], () => state.move(1)),
      command('previous', ['K'], () => state.move(-1)),
      command('accept', ['Y'], state.accept, none || state.lexicon === undefined),
      command('form', ['F'], pick, none || state.editable.length === 0),
      command('refuse', ['N'], state.refuse),
      command('skip', ['S'], () => state.move(1)),
      command('undo', ['Mod+Z'], state.undo, !state.undoable),
    ];
  });
}

const HINTS = { J: 'next', K: 'previous', Y: 'accept', F: 'form', N: 'refuse', S: 'skip', 'Ctrl Z': 'undo' } as const;

function KeyHints(): ReactNode {
  const { t } = useTranslation('terms');
  return (
    <div className={styles['hints']}>
      {Object.entries(HINTS).map(([key, name]) => (
        <span key={key}>
          <KeyCap>{key}</KeyCap> {t(`candidates.hint.${name}`)}
        </span>
      ))}
    </div>
  );
}
