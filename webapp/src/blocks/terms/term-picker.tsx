/**
 * The picker of a term: type to search the lexicons of the project, arrows and Enter choose. While nothing is typed it has the terms for
 * the words of the annotation, and those used last. Words that no lexicon has become a term where a lexicon allows it.
 */
import { useQueryClient } from '@tanstack/react-query';
import { BookMarked, Plus } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import '@/annotation/annotation.css';
import { handlePickerKey, PickerFrame } from '@/annotation/labels/picker-frame';
import { OptionFrame } from '@/annotation/labels/picker-option';
import type { Lexicon } from '@/api/resources/lexicons';
import { createTerm, type LexiconTerm } from '@/api/resources/terms';
import { termFacetValue } from '@/state/term-facet';
import { textsOf } from './term-properties';
import { canBePicked, LONGEST_TERM, useTermOptions, type TermChoice, type TermOption, type TermOptions } from './use-term-options';
import styles from './terms.module.css';

export interface TermPickerProps extends TermChoice {
  /** Name of the box; by default after the purpose. */
  readonly label?: string | undefined;
  readonly onPick: (term: LexiconTerm) => void;
  readonly onClose: () => void;
}

const errorText = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

/** Picks a term, or creates and picks it; a failure is shown and keeps what was typed. */
function usePick({ project, onPick }: TermPickerProps, { remember }: TermOptions) {
  const queryClient = useQueryClient();
  const [creating, setCreating] = useState(false);
  const [error, setError] = useState('');
  const pickTerm = (term: LexiconTerm): void => {
    remember(term);
    onPick(term);
  };
  const create = async (lexicon: Lexicon, text: string): Promise<void> => {
    setCreating(true);
    setError('');
    try {
      const term = await createTerm(project, { lexicon: lexicon.name, preferredForm: text });
      void queryClient.invalidateQueries({ queryKey: ['terms', project] });
      void queryClient.invalidateQueries({ queryKey: ['lexicons', project] });
      pickTerm(term);
    } catch (reason) {
      setError(errorText(reason));
    } finally {
      setCreating(false);
    }
  };
  const pick = (option: TermOption): void => {
    if (option.kind === 'term') pickTerm(option.term);
    else if (!creating) void create(option.lexicon, option.text);
  };
  return { creating, error, setError, pick, pickTerm };
}

/** Said when there is no option. */
function useEmptyNote({ searches, stale, lexicons }: TermOptions): string {
  const { t } = useTranslation('terms');
  if (!searches) return t('picker.noSearch');
  if (lexicons?.length === 0) return t('picker.noLexicon');
  return stale ? t('picker.searching') : t('picker.none');
}

export function TermPicker(props: TermPickerProps): ReactNode {
  const { t } = useTranslation('terms');
  const listId = useId();
  const [typed, setTyped] = useState('');
  // Undefined: the first one that can be picked.
  const [active, setActive] = useState<number | undefined>(undefined);
  const state = useTermOptions(props, typed);
  const { creating, error, setError, pick, pickTerm } = usePick(props, state);
  const emptyNote = useEmptyNote(state);
  // Counts what makes an answer that is still on its way unwanted.
  const changes = useRef(0);
  const { options, stale } = state;
  const label = props.label ?? t(`picker.${props.purpose}`);
  const pickable = options.map((option) => canBePicked(option, props.purpose));
  const first = Math.max(0, pickable.indexOf(true));
  const at = Math.min(active ?? first, options.length - 1);
  const current = options[at];

  const close = (): void => {
    changes.current += 1;
    props.onClose();
  };
  const pickFirstFound = async (): Promise<void> => {
    const { current: before } = changes;
    const term = await state.first().catch(() => undefined);
    if (term !== undefined && changes.current === before) pickTerm(term);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const chosen = event.key === 'Enter' && !event.nativeEvent.isComposing;
    // The list is still that of other words.
    if (chosen && stale && at === first && typed.trim() !== '') {
      event.preventDefault();
      return void pickFirstFound();
    }
    const picked = chosen && pickable[at] === true ? String(at) : undefined;
    const pickAt = (index: string): void => {
      const option = options[Number(index)];
      if (option !== undefined) pick(option);
    };
    handlePickerKey(event, { picked, active: at, count: options.length, onPick: pickAt, onClose: close, onActive: setActive });
  };

  return (
    <PickerFrame
      icon={BookMarked}
      listId={listId}
      activeOption={current && `${listId}${String(at)}`}
      label={label}
      placeholder={label}
      listLabel={t('title')}
      note={t('picker.close')}
      none={options.length === 0 ? emptyNote : undefined}
      error={error}
      maxLength={LONGEST_TERM}
      query={typed}
      onQuery={(text) => {
        changes.current += 1;
        setTyped(text);
        setActive(undefined);
        setError('');
      }}
      onKeyDown={onKeyDown}
    >
      {options.map((option, index) => (
        <OptionFrame
          key={keyOf(option)}
          id={`${listId}${String(index)}`}
          active={index === at}
          disabled={pickable[index] !== true}
          onPick={() => pick(option)}
        >
          {option.kind === 'new' ? (
            <NewTerm option={option} creating={creating} />
          ) : (
            <KnownTerm option={option} typed={typed} lexicons={state.lexicons ?? []} />
          )}
        </OptionFrame>
      ))}
    </PickerFrame>
  );
}

const keyOf = (option: TermOption): string => (option.kind === 'new' ? `new ${option.lexicon.name}` : termFacetValue(option.term));

/** The further form of a term that has what was typed; empty: its preferred form has it. */
function matchingForm({ preferredForm, properties }: LexiconTerm, typed: string): string {
  const wanted = typed.trim().toLocaleLowerCase();
  const has = (form: string): boolean => form.toLocaleLowerCase().includes(wanted);
  if (wanted === '' || has(preferredForm ?? '')) return '';
  return textsOf(properties?.['altForms']).find(has) ?? '';
}

interface KnownTermProps {
  readonly option: Extract<TermOption, { readonly kind: 'term' }>;
  readonly typed: string;
  readonly lexicons: readonly Lexicon[];
}

function KnownTerm({ option: { term, from }, typed, lexicons }: KnownTermProps): ReactNode {
  const { t } = useTranslation('terms');
  const name = term.preferredForm || term.identifier;
  const other = matchingForm(term, typed);
  const lexicon = lexicons.find((one) => one.name === term.lexicon)?.label ?? term.lexicon;
  return (
    <>
      <span className="ann-option-name" dir="auto" title={`${name} · ${term.identifier}`}>
        {name}
        {other !== '' && <small className={styles['form']}> {other}</small>}
      </span>{' '}
      <span className="ann-note">{from === 'found' ? lexicon : t(`picker.${from}`, { lexicon })}</span>
    </>
  );
}

function NewTerm({
  option: { text, lexicon },
  creating,
}: {
  readonly option: Extract<TermOption, { readonly kind: 'new' }>;
  readonly creating: boolean;
}): ReactNode {
  const { t } = useTranslation('terms');
  return (
    <>
      <Plus size={14} strokeWidth={1.75} aria-hidden />
      <span className="ann-option-name" dir="auto">
        {t(creating ? 'picker.creating' : 'picker.create', { text, lexicon: lexicon.label })}
      </span>
    </>
  );
}
