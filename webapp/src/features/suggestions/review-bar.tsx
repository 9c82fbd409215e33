import { Check, SkipForward, Tag, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appearanceOf, useAppearance } from '@/annotation/drawing/label-style';
import { LabelTag } from '@/annotation/labels/label-tag';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { Button } from '@/ui/button';
import { IconButton } from '@/ui/icon-button';
import type { Proposal } from './review-model';
import { useReviewSession } from './review-session-store';
import type { ReviewState } from './use-review';
import styles from './review-bar.module.css';

/** True from the first answer on, until the last one is undone. */
function useLastAnswerStands(project: string): boolean {
  const { accepted, rejected, skipped } = useReviewSession(project);
  const given = accepted + rejected + skipped;
  const [known, setKnown] = useState({ given, stands: false });
  if (known.given !== given) setKnown({ given, stands: given > known.given });
  return known.stands;
}

/** What the last answer did, with its undo. */
function LastAnswer({ review }: { readonly review: ReviewState }) {
  const { t } = useTranslation('suggestions');
  const stands = useLastAnswerStands(review.project);
  if (!stands || review.said === '') return null;
  return (
    <div className={styles['last']}>
      <span>{review.said}</span>
      <Button
        small
        kind="quiet"
        icon={Undo2}
        disabled={review.undoRedo.undo === undefined}
        onClick={() => review.undoRedo.undoOrRedo('undo')}
      >
        {t('hint.undo')}
      </Button>
    </div>
  );
}

/** The proposal that the buttons and a swipe answer. */
function ProposalName({ proposal }: { readonly proposal: Proposal }) {
  const appearance = useAppearance();
  const { nameOf } = useProjectLabels();
  return (
    <p className={styles['what']}>
      <LabelTag label={appearanceOf(appearance, proposal.labelName)} />
      <strong>{proposal.text === '' ? nameOf(proposal.labelName) : (proposal.moved ?? proposal).text}</strong>
    </p>
  );
}

interface ReviewBarProps {
  readonly review: ReviewState;
  readonly picking: boolean;
  readonly onPick: (open: boolean) => void;
}

/** Narrow windows: the answers within reach of a thumb, always in the same place, and the undo of the last one. */
export function ReviewBar({ review, picking, onPick }: ReviewBarProps) {
  const { t } = useTranslation('suggestions');
  const { proposal } = review;
  if (proposal === undefined) return null;
  return (
    <div className={styles['bar']}>
      <LastAnswer review={review} />
      <div className={styles['answers']} role="toolbar" aria-label={t('answers')}>
        <ProposalName proposal={proposal} />
        <Button icon={X} onClick={review.reject}>
          {t('reject')}
        </Button>
        <IconButton icon={SkipForward} label={t('skip')} onClick={review.skip} />
        <IconButton icon={Tag} label={t('changeLabel')} aria-haspopup="dialog" aria-expanded={picking} onClick={() => onPick(!picking)} />
        <Button kind="solid" icon={Check} onClick={review.accept}>
          {t('accept')}
        </Button>
      </div>
    </div>
  );
}
