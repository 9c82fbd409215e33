import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { CommentThread, NewComment } from '@/api/resources/comments';
import { ErrorState } from '@/blocks/error-state';
import { useTransientChoice } from '@/state/layout-store';
import { Disclosure } from '@/ui/disclosure';
import { useFormat } from '@/ui/format';
import { Skeleton } from '@/ui/placeholder-states';
import { CommentForm, Thread } from './thread';
import styles from './comments.module.css';
import { useComments, type CommentsOfDocument } from './use-comments';

/** What a new comment is about, in code points, and the words that it is about. */
export interface CommentSubject extends Pick<NewComment, 'target' | 'annotation' | 'start' | 'end'> {
  readonly words: string;
}

interface CommentsPanelProps {
  readonly project: string;
  /** Identifier of the document. */
  readonly document: string;
  readonly writable: boolean;
  readonly subject: CommentSubject;
  readonly onShow?: ((thread: CommentThread) => void) | undefined;
  /** Only threads on the subject, as beside a suggestion. */
  readonly only?: boolean;
  /** Identifier of the thread that was opened from its mark in the text. */
  readonly current?: string | undefined;
  /** Each new number brings the cursor into the box. */
  readonly writes?: number;
}

/** The threads on the same words. */
export const threadsOn = (threads: readonly CommentThread[], { target, start, end }: Omit<CommentSubject, 'words'>) =>
  threads.filter((thread) => thread.target === target && thread.start === start && thread.end === end);

interface NewCommentFormProps extends Pick<CommentsPanelProps, 'project' | 'document' | 'subject' | 'writes'> {
  readonly comments: CommentsOfDocument;
  /** Of a draft that is kept apart from that of the document. */
  readonly draftKey: string;
}

/** What was typed survives closing the panel. */
function NewCommentForm({ project, document, subject, writes = 0, comments, draftKey }: NewCommentFormProps): ReactNode {
  const { t } = useTranslation('comments');
  const [draft, setDraft] = useTransientChoice<string>(`comment/${project}/${document}${draftKey}`, '');
  const { words, ...about } = subject;
  const send = () =>
    comments.create.mutate({ documentIdentifier: document, text: draft.trim(), ...about }, { onSuccess: () => setDraft('') });
  return (
    <>
      <p className={styles['subject']} dir="auto">
        {t(`on.${subject.target ?? 'document'}`, { words })}
      </p>
      <CommentForm
        key={writes}
        autoFocus={writes > 0}
        label={t('new')}
        submitLabel={t('send')}
        text={draft}
        busy={comments.create.isPending}
        onText={setDraft}
        onSubmit={send}
      />
    </>
  );
}

interface ThreadListProps extends Pick<CommentsPanelProps, 'writable' | 'onShow' | 'current'> {
  readonly threads: readonly CommentThread[];
  readonly comments: CommentsOfDocument;
}

function ThreadList({ threads, current, ...rest }: ThreadListProps): ReactNode {
  return (
    <ul className={styles['threads']}>
      {threads.map((thread) => (
        <Thread key={thread.identifier} {...rest} thread={thread} current={thread.identifier === current} />
      ))}
    </ul>
  );
}

interface FoundThreadsProps extends Pick<CommentsPanelProps, 'writable' | 'onShow' | 'current'> {
  /** Undefined: not read yet. */
  readonly threads: readonly CommentThread[] | undefined;
  readonly none: string;
  readonly comments: CommentsOfDocument;
}

/** The open threads, then the resolved ones folded; the error and the wait before them. */
function FoundThreads({ threads, none, ...listed }: FoundThreadsProps): ReactNode {
  const { t } = useTranslation('comments');
  const format = useFormat();
  const { error, refetch } = listed.comments.query;
  const failed = error !== null && <ErrorState title={t('notRead')} error={error} onRetry={() => void refetch()} />;
  if (threads === undefined) return failed || <Skeleton rows={4} waitingFor={t('waiting')} />;
  const resolved = threads.filter((thread) => thread.resolved);
  return (
    <>
      {failed}
      {threads.length === 0 && <p className={styles['none']}>{none}</p>}
      <ThreadList {...listed} threads={threads.filter((thread) => !thread.resolved)} />
      {resolved.length > 0 && (
        <Disclosure summary={t('resolved', { count: resolved.length, number: format.number(resolved.length) })}>
          <ThreadList {...listed} threads={resolved} />
        </Disclosure>
      )}
    </>
  );
}

/** The comments of a document: a new one, the open threads, the resolved ones folded. */
export function CommentsPanel(props: CommentsPanelProps): ReactNode {
  const { project, document, writable, subject, only = false, writes = 0 } = props;
  const { t } = useTranslation('comments');
  const comments = useComments(project, document);
  const { data } = comments.query;
  return (
    <section className={styles['panel']} aria-label={t('title')}>
      {writable && (
        <NewCommentForm {...{ project, document, subject, comments, writes }} draftKey={only ? `/${String(subject.start)}` : ''} />
      )}
      <FoundThreads
        {...{ writable, comments }}
        threads={only && data !== undefined ? threadsOn(data, subject) : data}
        none={t(writable && !only ? 'none' : 'noneToRead')}
        onShow={props.onShow}
        current={props.current}
      />
    </section>
  );
}
