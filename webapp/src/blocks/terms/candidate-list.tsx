/** The candidates with their counts; the current one with its example and the answers. */
import { Ban, BookMarked, Plus } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { LexiconTerm } from '@/api/resources/terms';
import type { TermCandidate } from '@/api/resources/term-candidates';
import { termFacetValue } from '@/state/term-facet';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { TermPicker } from './term-picker';
import type { TermCandidatesState } from './use-term-candidates';
import styles from './candidates.module.css';

interface CandidateListProps {
  readonly project: string;
  readonly state: TermCandidatesState;
  readonly picking: boolean;
  readonly onPick: (open: boolean) => void;
}

export function CandidateList({ project, state, picking, onPick }: CandidateListProps): ReactNode {
  const { t } = useTranslation('terms');
  return (
    <ol className={styles['list']} aria-label={t('candidates.list')}>
      {state.candidates.map((candidate, index) => {
        const current = index === state.at;
        return (
          <CandidateItem
            key={candidate.text}
            {...{ candidate, current }}
            onSelect={() => {
              onPick(false);
              state.goTo(index);
            }}
          >
            {current && <CandidateAnswers {...{ project, state, picking, onPick, candidate }} />}
          </CandidateItem>
        );
      })}
    </ol>
  );
}

interface CandidateItemProps {
  readonly candidate: TermCandidate;
  readonly current: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

function CandidateItem({ candidate, current, onSelect, children }: CandidateItemProps): ReactNode {
  const { t } = useTranslation('terms');
  const format = useFormat();
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) item.current?.scrollIntoView?.({ block: 'nearest' });
  }, [current]);
  const { text, count, documents, source } = candidate;
  return (
    <li ref={item} aria-current={current ? 'true' : undefined} data-current={current || undefined}>
      <button type="button" className={styles['head']} onClick={onSelect}>
        <strong dir="auto">{text}</strong>
        <Badge>{t(`candidates.from.${source}`)}</Badge>
        <span className={styles['counts']}>
          {t('candidates.counted', { count, number: format.number(count) })}
          {' · '}
          {t('candidates.documents', { count: documents, number: format.number(documents) })}
        </span>
      </button>
      {current && candidate.example && <Example example={candidate.example} />}
      {children}
    </li>
  );
}

/** The sentence with the words marked; offsets are code points of it. */
function Example({ example }: { readonly example: NonNullable<TermCandidate['example']> }): ReactNode {
  const signs = Array.from(example.text);
  const part = (from: number, to?: number): string => signs.slice(from, to).join('');
  return (
    <p className={styles['example']} dir="auto">
      {part(0, example.start)}
      <mark>{part(example.start, example.end)}</mark>
      {part(example.end)}
    </p>
  );
}

interface CandidateAnswersProps extends CandidateListProps {
  readonly candidate: TermCandidate;
}

const NO_TERMS: readonly LexiconTerm[] = [];

function CandidateAnswers({ project, state, picking, onPick, candidate }: CandidateAnswersProps): ReactNode {
  const { t } = useTranslation('terms');
  const accepts = state.lexicon !== undefined;
  const answer = (give: () => void) => () => {
    onPick(false);
    give();
  };
  return (
    <div className={styles['answers']}>
      <div className={styles['buttons']}>
        <Button small kind="secondary" icon={Plus} keyCap="Y" disabled={!accepts} onClick={answer(state.accept)}>
          {t('candidates.accept')}
        </Button>
        <Button small icon={BookMarked} keyCap="F" disabled={!accepts} aria-expanded={picking} onClick={() => onPick(!picking)}>
          {t('candidates.form')}
        </Button>
        <Button small icon={Ban} keyCap="N" onClick={answer(state.refuse)}>
          {t('candidates.refuse')}
        </Button>
      </div>
      {accepts && (candidate.similar ?? []).length > 0 && (
        <p className={styles['similar']}>
          {t('candidates.similar')}{' '}
          {(candidate.similar ?? []).map((term) => (
            <Button
              key={termFacetValue(term)}
              small
              kind="quiet"
              aria-label={t('candidates.formOf', { name: term.preferredForm || term.identifier })}
              onClick={answer(() => state.acceptAsFormOf(term))}
            >
              {term.preferredForm || term.identifier}
            </Button>
          ))}
        </p>
      )}
      {picking && (
        <TermPicker
          key={candidate.text}
          project={project}
          words={candidate.text}
          linked={NO_TERMS}
          purpose="link"
          label={t('candidates.pick')}
          creates={false}
          editableOnly
          onPick={(term) => {
            onPick(false);
            state.acceptAsFormOf(term);
          }}
          onClose={() => onPick(false)}
        />
      )}
    </div>
  );
}
