import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { CommentThread, NewComment } from '@/api/resources/comments';
import { ErrorState } from '@/blocks/error-state';
import { useTransientChoice } from '@/state/layout-store';
import { useFormat } from '@/ui/format';
import { Skeleton } from '@/ui/placeholder-states';
import { CommentForm, Thread } from './comment-thread';
import styles from './comments.module.css';
import { useComments } from './use-comments';

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
  readonly onShow: (thread: CommentThread) => void;
}

/** The comments of a document: a new one, the open threads, the resolved ones folded. */
export function CommentsPanel({ project, document, writable, subject, onShow }: CommentsPanelProps): ReactNode {
  const { t } = useTranslation('comments');
  const format = useFormat();
  const comments = useComments(project, document);
  // Survives closing the panel.
  const [draft, setDraft] = useTransientChoice<string>(`comment/${project}/${document}`, '');
  const { data, error, refetch } = comments.query;
  const open = (data ?? []).filter(({ resolved }) => !resolved);
  const resolved = (data ?? []).filter((thread) => thread.resolved);
  const { words, ...about } = subject;
  const send = () =>
    comments.create.mutate({ documentIdentifier: document, text: draft.trim(), ...about }, { onSuccess: () => setDraft('') });
  const listOf = (threads: readonly CommentThread[]) => (
    <ul className={styles['threads']}>
      {threads.map((thread) => (
        <Thread key={thread.identifier} {...{ thread, comments, writable, onShow }} />
      ))}
    </ul>
  );
  return (
    <section className={styles['panel']} aria-label={t('title')}>
      {writable && (
        <>
          <p className={styles['subject']} dir="auto">
            {t(`on.${subject.target ?? 'document'}`, { words })}
          </p>
          <CommentForm
            label={t('new')}
            submitLabel={t('send')}
            text={draft}
            busy={comments.create.isPending}
            onText={setDraft}
            onSubmit={send}
          />
        </>
      )}
      {error !== null && <ErrorState title={t('notRead')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={4} waitingFor={t('waiting')} />}
      {data?.length === 0 && <p className={styles['none']}>{t(writable ? 'none' : 'noneToRead')}</p>}
      {listOf(open)}
      {resolved.length > 0 && (
        <details>
          <summary>{t('resolved', { count: resolved.length, number: format.number(resolved.length) })}</summary>
          {listOf(resolved)}
        </details>
      )}
    </section>
  );
}
