import { useMutation } from '@tanstack/react-query';
import { BookmarkPlus, CirclePlus, ThumbsDown, ThumbsUp } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { changeFeedback, deleteFeedback, giveFeedback, saveAsQuestion, type Feedback, type Verdict } from '@/api/resources/answer-feedback';
import type { Answer } from '@/api/resources/answers';
import { notifyFailure } from '@/api/errors';
import { notify } from '@/state/notifications-store';
import { useCan, useProjectName } from '@/state/session-store';
import { Button } from '@/ui/button';
import { TextInput } from '@/ui/field';
import styles from './answers.module.css';

const VERDICTS = { right: ThumbsUp, wrong: ThumbsDown, missing: CirclePlus } as const;
const LONGEST_COMMENT = 2000;

interface GivenProps {
  readonly project: string;
  readonly answer: Answer;
  readonly feedback: Feedback;
  readonly onChange: (feedback: Feedback | undefined) => void;
}

/** A failure of the screen's own calls, in place of a success. */
const failed = (error: unknown) => notifyFailure(error, 'answerFeedback');

function SaveAsQuestion({ project, answer, feedback, onChange }: GivenProps): ReactNode {
  const { t } = useTranslation('answers');
  const mayImport = useCan('importDocuments');
  const save = useMutation({
    mutationFn: async () => {
      const { identifier } = await saveAsQuestion(project, answer, feedback.verdict);
      return changeFeedback(project, feedback.id, { questionIdentifier: identifier });
    },
    onSuccess: (changed) => {
      onChange(changed);
      notify({ type: 'success', message: t('feedback.questionSaved'), passing: true });
    },
    onError: failed,
  });
  if (!mayImport) return null;
  if (typeof feedback.questionIdentifier === 'string') return <span className={styles['note']}>{t('feedback.isQuestion')}</span>;
  return (
    <Button small icon={BookmarkPlus} busy={save.isPending} onClick={() => save.mutate()}>
      {t('feedback.saveQuestion')}
    </Button>
  );
}

function GivenFeedback(props: GivenProps): ReactNode {
  const { project, feedback, onChange } = props;
  const { t } = useTranslation(['answers', 'common']);
  const [comment, setComment] = useState(feedback.comment);
  const tell = useMutation({ mutationFn: () => changeFeedback(project, feedback.id, { comment }), onSuccess: onChange, onError: failed });
  const undo = useMutation({
    mutationFn: () => deleteFeedback(project, feedback.id),
    onSuccess: () => onChange(undefined),
    onError: failed,
  });
  const isSaved = comment.trim() === feedback.comment;
  const tooLong = [...comment].length > LONGEST_COMMENT;
  return (
    <div className={styles['given']} role="status">
      <p>
        {t(`feedback.thanks.${feedback.verdict}`)}{' '}
        <Button kind="quiet" small busy={undo.isPending} onClick={() => undo.mutate()}>
          {t('feedback.undo')}
        </Button>
      </p>
      <TextInput
        label={t('feedback.comment')}
        rows={2}
        value={comment}
        onChange={setComment}
        placeholder={t(`feedback.ask.${feedback.verdict}`)}
        {...(tooLong && { error: t('feedback.tooLong', { most: LONGEST_COMMENT }) })}
      />
      <span className={styles['buttons']}>
        <SaveAsQuestion {...props} />
        <Button small kind="outline" disabled={isSaved || tooLong} busy={tell.isPending} onClick={() => tell.mutate()}>
          {t(isSaved && comment !== '' ? 'feedback.commentSaved' : 'feedback.saveComment')}
        </Button>
      </span>
    </div>
  );
}

/** Whether the answer is right; kept by the server, with an optional comment, until it is withdrawn. */
export function AnswerFeedback({ answer }: { readonly answer: Answer }): ReactNode {
  const { t } = useTranslation('answers');
  const project = useProjectName();
  const [feedback, setFeedback] = useState<Feedback | undefined>(undefined);
  const give = useMutation({
    mutationFn: (verdict: Verdict) => giveFeedback(project, answer, verdict),
    onSuccess: setFeedback,
    onError: failed,
  });
  if (feedback !== undefined) return <GivenFeedback {...{ project, answer, feedback, onChange: setFeedback }} />;
  return (
    <span className={styles['verdicts']} role="group" aria-label={t('feedback.label')}>
      {(Object.keys(VERDICTS) as Verdict[]).map((verdict) => (
        <Button key={verdict} small kind="quiet" icon={VERDICTS[verdict]} disabled={give.isPending} onClick={() => give.mutate(verdict)}>
          {t(`feedback.${verdict}`)}
        </Button>
      ))}
    </span>
  );
}
