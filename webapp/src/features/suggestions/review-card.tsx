import { useQuery } from '@tanstack/react-query';
import { Check, Minus, Plus, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { suggestersQuery } from '@/api/resources/suggesters';
import { suggestedDocumentQuery, type Suggestion } from '@/api/resources/suggestions';
import { SuggestionComments } from '@/blocks/comments/suggestion-comments';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { LabelPicker } from '@/annotation/labels/label-picker';
import { appearanceOf, useAppearance } from '@/annotation/drawing/label-style';
import { LabelTag } from '@/annotation/labels/label-tag';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { useNarrow } from '@/ui/media-query';
import { Sheet } from '@/ui/sheet';
import { useSwipe } from '@/ui/use-swipe';
import { CONTEXT_LEVELS, unansweredProposals, type Proposal } from './review-model';
import { SuggestionText } from './suggestion-text';
import type { ReviewState } from './use-review';
import styles from './suggestions.module.css';

/** C-025: six levels, by the buttons or `+` and `-`. */
function ContextZoom({ level, onChange }: { readonly level: number; readonly onChange: (level: number) => void }) {
  const { t } = useTranslation('suggestions');
  const last = CONTEXT_LEVELS.length - 1;
  const [before, after] = CONTEXT_LEVELS[level] ?? [0, 0];
  return (
    <div className={styles['zoom']} role="group" aria-label={t('context')}>
      <span>{t('context')}</span>
      <span className={styles['zoom-steps']} role="img" aria-label={t('contextLevel', { before, after })}>
        {CONTEXT_LEVELS.map((_level, index) => (
          <span key={index} data-on={index < level + 1 || undefined} />
        ))}
      </span>
      <IconButton small icon={Minus} label={t('lessContext')} keyCap="-" disabled={level <= 0} onClick={() => onChange(level - 1)} />
      <IconButton small icon={Plus} label={t('moreContext')} keyCap="+" disabled={level >= last} onClick={() => onChange(level + 1)} />
    </div>
  );
}

function ScoreBar({ score }: { readonly score: number }) {
  const format = useFormat();
  return (
    <span className={styles['score']}>
      <span className={styles['score-bar']} aria-hidden>
        <span style={{ width: `${String(Math.round(score * 100))}%` }} />
      </span>
      <span>{format.score(score)}</span>
    </span>
  );
}

interface PickingProps {
  readonly review: ReviewState;
  readonly picking: boolean;
  readonly onPick: (open: boolean) => void;
}

interface OtherLabelPickerProps extends PickingProps {
  readonly proposal: Proposal;
  /** Called after it closed without a choice. */
  readonly onClosed?: () => void;
}

/** The labels that the proposal may have instead; beside its row, or as a sheet in narrow windows. */
function OtherLabelPicker({ review, proposal, picking, onPick, onClosed }: OtherLabelPickerProps) {
  const { t } = useTranslation('suggestions');
  const narrow = useNarrow();
  const { spanSets, categorySets } = useProjectLabels();
  const close = () => {
    onPick(false);
    onClosed?.();
  };
  const picker = (
    <LabelPicker
      labels={(proposal.kind === 'category' ? categorySets : spanSets).flatMap((set) => set.labels)}
      likely={review.proposals.map((item) => item.labelName)}
      onClose={close}
      onPick={(name) => {
        onPick(false);
        review.relabel(name);
      }}
    />
  );
  if (narrow)
    return (
      <Sheet open={picking} title={t('changeLabel')} onClose={close}>
        {picker}
      </Sheet>
    );
  return picking ? <div className={styles['picker']}>{picker}</div> : null;
}

interface RowProps extends PickingProps {
  readonly proposal: Proposal;
  readonly current: boolean;
}

function ProposalRow({ review, proposal, current, picking, onPick }: RowProps) {
  const { t } = useTranslation('suggestions');
  const appearance = useAppearance();
  const narrow = useNarrow();
  const { nameOf } = useProjectLabels();
  const label = appearanceOf(appearance, proposal.labelName);
  const accept = useRef<HTMLButtonElement>(null);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // The answered row was removed together with the focus: the next one gets it.
    if (current && document.activeElement === document.body && review.said !== '') accept.current?.focus({ preventScroll: true });
  }, [current, review.said]);
  return (
    <li ref={row} data-current={current || undefined} aria-current={current || undefined}>
      <button type="button" className={styles['proposal']} onClick={() => review.focusProposal(proposal.key)}>
        <LabelTag label={label} />
        <span className={styles['proposed']}>
          <strong>{proposal.text === '' ? nameOf(proposal.labelName) : (proposal.moved ?? proposal).text}</strong>
          {proposal.moved !== undefined && <small>{t('movedFrom', { text: proposal.text })}</small>}
        </span>
        {proposal.text !== '' && <span className="visually-hidden">{label.label}</span>}
      </button>
      <ScoreBar score={proposal.score} />
      {current && !narrow && (
        <span className={styles['actions']}>
          <Button ref={accept} small kind="solid" icon={Check} keyCap="Y" onClick={review.accept}>
            {t('accept')}
          </Button>
          <Button small icon={X} keyCap="N" onClick={review.reject}>
            {t('reject')}
          </Button>
          <Button small kind="quiet" keyCap="L" aria-haspopup="listbox" aria-expanded={picking} onClick={() => onPick(!picking)}>
            {t('changeLabel')}
          </Button>
        </span>
      )}
      {current && <OtherLabelPicker {...{ review, proposal, picking, onPick }} onClosed={() => accept.current?.focus()} />}
    </li>
  );
}

export interface ReviewCardProps {
  readonly review: ReviewState;
  readonly suggestion: Suggestion;
  readonly level: number;
  readonly onLevel: (level: number) => void;
  readonly writable: boolean;
  readonly picking: boolean;
  readonly onPick: (open: boolean) => void;
}

/** Actions on all of the segment; in narrow windows the bar below has *Skip*. */
function CardFooter({ review }: { readonly review: ReviewState }) {
  const { t } = useTranslation('suggestions');
  const narrow = useNarrow();
  const moved = review.proposal?.moved === undefined ? undefined : review.proposal;
  return (
    <footer>
      {review.acceptAllOffered && (
        <Button keyCap="Shift Y" onClick={review.acceptAll}>
          {t('acceptAll', { count: review.proposals.length })}
        </Button>
      )}
      <Button {...(!narrow && { keyCap: 'D' })} title={t('nothingMoreHelp')} onClick={review.nothingMore}>
        {t('nothingMore')}
      </Button>
      {moved !== undefined && (
        <Button keyCap="Esc" onClick={() => review.placeSpan(moved.key)}>
          {t('resetBoundary')}
        </Button>
      )}
      {!narrow && (
        <Button keyCap="S" onClick={review.skip}>
          {t('skip')}
        </Button>
      )}
    </footer>
  );
}

/** The focused suggestion: its text, a row per proposal, actions on all of it. */
export function ReviewCard({ review, suggestion, level, onLevel, writable, picking, onPick }: ReviewCardProps): ReactNode {
  const { t } = useTranslation('suggestions');
  const { proposals, proposal, address } = review;
  const { data: document } = useQuery(suggestedDocumentQuery(review.project, suggestion.documentIdentifier));
  const { data: suggesters = [] } = useQuery({ ...suggestersQuery(review.project), meta: { silent: true } });
  const swipe = useSwipe(writable ? (direction) => void (direction === 'right' ? review.accept() : review.reject()) : undefined);
  const narrow = useNarrow();
  const whole = address.display === 'document';
  const others = review.open
    .filter((item) => item !== suggestion && item.documentIdentifier === suggestion.documentIdentifier)
    .flatMap((item) => unansweredProposals(item));
  const [shown, setShown] = useState(suggestion._id);
  if (shown !== suggestion._id) {
    setShown(suggestion._id);
    if (picking) onPick(false);
  }
  return (
    <article className={styles['card']} aria-label={t('inFocus')} data-left={t('reject')} data-right={t('accept')} {...swipe}>
      <header>
        <h2>{suggestion.documentTitle || suggestion.documentIdentifier}</h2>
        <small>
          {t('bySuggester', { name: suggesters.find((item) => item.name === suggestion.suggester)?.label ?? suggestion.suggester })}
        </small>
        <SuggestionComments project={review.project} {...{ suggestion, writable }} />
        {!whole && <ContextZoom level={level} onChange={onLevel} />}
      </header>
      <SuggestionText
        suggestion={suggestion}
        proposals={proposals}
        others={others}
        review={review}
        editable={writable && !narrow && proposal?.kind === 'annotation'}
        document={document}
        whole={whole}
        level={level}
      />
      <ul className={styles['proposals']} aria-label={t('proposalList')}>
        {proposals.map((item) => (
          <ProposalRow key={item.key} review={review} proposal={item} current={item === proposal} picking={picking} onPick={onPick} />
        ))}
      </ul>
      <CardFooter review={review} />
    </article>
  );
}
