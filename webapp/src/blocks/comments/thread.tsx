import { Check, Crosshair, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Comment, CommentThread } from '@/api/resources/comments';
import { usePersonName } from '@/blocks/projects/person-name';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import styles from './comments.module.css';
import { MentionInput } from './mention-input';
import { useEarlierComments, type CommentsOfDocument } from './use-comments';

const LONGEST = 10_000;

interface CommentFormProps {
  readonly label: string;
  readonly submitLabel: string;
  readonly text: string;
  readonly busy: boolean;
  readonly autoFocus?: boolean;
  readonly onText: (text: string) => void;
  readonly onSubmit: () => void;
  readonly onCancel?: (() => void) | undefined;
}

/** A text with its button; `Ctrl Enter` sends. What was typed stays until the caller takes it away. */
export function CommentForm({ label, submitLabel, text, busy, autoFocus, onText, onSubmit, onCancel }: CommentFormProps): ReactNode {
  const { t } = useTranslation('common');
  const empty = text.trim() === '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && onCancel !== undefined) onCancel();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !empty && !busy) onSubmit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles['form']}>
      <MentionInput
        {...{ label, hideLabel: true, placeholder: label, value: text, rows: 2, maxLength: LONGEST, onKeyDown }}
        {...(autoFocus === true && { autoFocus })}
        onChange={onText}
      />
      <div className={styles['form-buttons']}>
        {onCancel !== undefined && (
          <Button small kind="quiet" onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
        <Button small kind="solid" busy={busy} disabled={empty} onClick={onSubmit}>
          {submitLabel}
        </Button>
      </div>
    </div>
  );
}

interface CommentProps {
  readonly comment: Comment;
  readonly comments: CommentsOfDocument;
  readonly writable: boolean;
  /** It was changed or deleted. */
  readonly onChanged: () => void;
}

function OneComment({ comment, comments, writable, onChanged }: CommentProps): ReactNode {
  const { t } = useTranslation('comments');
  const format = useFormat();
  const personName = usePersonName();
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const saved = () => {
    setTyped(undefined);
    onChanged();
  };
  const save = () => comments.change.mutate({ comment, text: (typed ?? '').trim() }, { onSuccess: saved });
  const remove = () => comments.remove.mutate(comment.identifier, { onSuccess: onChanged });
  return (
    <li className={styles['comment']}>
      <p className={styles['who']}>
        <b title={comment.createdBy}>{personName(comment.createdBy, comment)}</b>
        <time dateTime={comment.createdDate} title={comment.createdDate}>
          {format.when(comment.createdDate)}
        </time>
        {comment.version > 1 && <span>{t('edited')}</span>}
        {writable && comment.mine && typed === undefined && (
          <span className={styles['own']}>
            <IconButton small label={t('edit')} icon={Pencil} onClick={() => setTyped(comment.text)} />
            <IconButton small label={t('delete')} icon={Trash2} onClick={remove} />
          </span>
        )}
      </p>
      {typed === undefined ? (
        <p className={styles['text']} dir="auto">
          {comment.text}
        </p>
      ) : (
        <CommentForm
          label={t('edit')}
          submitLabel={t('save')}
          text={typed}
          busy={comments.change.isPending}
          autoFocus
          onText={setTyped}
          onSubmit={save}
          onCancel={() => setTyped(undefined)}
        />
      )}
    </li>
  );
}

interface ThreadProps {
  readonly thread: CommentThread;
  readonly comments: CommentsOfDocument;
  readonly writable: boolean;
  /** Scrolls to the commented part of the text; absent: there is none beside the thread. */
  readonly onShow?: ((thread: CommentThread) => void) | undefined;
  /** Opened from its mark in the text: comes into view. */
  readonly current?: boolean;
}

/** One thread: what it is about, its comments, a reply, resolved or open. */
export function Thread({ thread, comments, writable, onShow, current = false }: ThreadProps): ReactNode {
  const { t } = useTranslation('comments');
  const [reply, setReply] = useState('');
  const format = useFormat();
  const own = useRef<HTMLLIElement>(null);
  const { identifier, documentIdentifier, resolved } = thread;
  const { shown, more, earlier, forget } = useEarlierComments(thread);
  useEffect(() => {
    if (current) own.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const send = () =>
    comments.create.mutate({ documentIdentifier, thread: identifier, text: reply.trim() }, { onSuccess: () => setReply('') });
  return (
    <li ref={own} className={styles['thread']} data-resolved={resolved || undefined} aria-current={current || undefined}>
      <div className={styles['about']}>
        <Badge>{t(`target.${thread.target}`)}</Badge>
        {thread.text !== undefined && (
          <q dir="auto" title={thread.text}>
            {thread.text}
          </q>
        )}
        {thread.start !== undefined && onShow !== undefined && (
          <IconButton small label={t('show')} icon={Crosshair} onClick={() => onShow(thread)} />
        )}
        {writable && (
          <IconButton
            small
            label={t(resolved ? 'reopen' : 'resolve')}
            icon={resolved ? RotateCcw : Check}
            onClick={() => comments.resolve.mutate({ identifier, resolved: !resolved })}
          />
        )}
      </div>
      {more > 0 && (
        <Button small kind="quiet" busy={earlier.isPending} onClick={() => earlier.mutate()}>
          {t('earlier', { count: more, number: format.number(more) })}
        </Button>
      )}
      <ul>
        {shown.map((comment) => (
          <OneComment key={comment.identifier} {...{ comment, comments, writable }} onChanged={forget} />
        ))}
      </ul>
      {writable && !resolved && (
        <CommentForm
          label={t('reply')}
          submitLabel={t('reply')}
          text={reply}
          busy={comments.create.isPending}
          onText={setReply}
          onSubmit={send}
        />
      )}
    </li>
  );
}
