/** Reading and writing the comments of one document. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  changeComment,
  commentKeys,
  commentsQuery,
  createComment,
  deleteComment,
  fetchEarlierComments,
  resolveThread,
  restoreComment,
  type Comment,
  type CommentThread,
  type NewComment,
} from '@/api/resources/comments';
import { historyKeys } from '@/api/resources/history';
import { notify } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';

export type CommentsOfDocument = ReturnType<typeof useComments>;

/** The threads with one of them replaced by its new state; threads without comments are not shown. */
function withThread(threads: readonly CommentThread[], changed: CommentThread): readonly CommentThread[] {
  const known = threads.some(({ identifier }) => identifier === changed.identifier);
  const all = known ? threads.map((one) => (one.identifier === changed.identifier ? changed : one)) : [...threads, changed];
  return all.filter(({ comments }) => comments.length > 0);
}

export function useComments(project: string, document: string) {
  const { t } = useTranslation('comments');
  const client = useQueryClient();
  const query = useQuery(commentsQuery(project, document));
  const key = commentKeys.of(project, document);
  const store = (changed: CommentThread) => {
    client.setQueryData<readonly CommentThread[]>(key, (threads) => threads && withThread(threads, changed));
    void client.invalidateQueries({ queryKey: key });
    void client.invalidateQueries({ queryKey: historyKeys.of(project, document) });
  };
  const create = useMutation({
    mutationFn: (comment: NewComment) => createComment(project, comment),
    onSuccess: store,
    meta: { errorTitle: 'createComment' },
  });
  const change = useMutation({
    mutationFn: ({ comment, text }: { readonly comment: Comment; readonly text: string }) => changeComment(project, comment, text),
    onSuccess: store,
    onError: () => void client.invalidateQueries({ queryKey: key }),
    meta: { errorTitle: 'changeComment' },
  });
  const restore = useMutation({
    mutationFn: (identifier: string) => restoreComment(project, identifier),
    onSuccess: store,
    meta: { errorTitle: 'restoreComment' },
  });
  const remove = useMutation({
    mutationFn: (identifier: string) => deleteComment(project, identifier),
    onSuccess: (thread, identifier) => {
      store(thread);
      notify({ type: 'success', message: t('deleted'), action: { label: t('undo'), run: () => restore.mutate(identifier) } });
    },
    meta: { errorTitle: 'deleteComment' },
  });
  const resolve = useMutation({
    mutationFn: ({ identifier, resolved }: { readonly identifier: string; readonly resolved: boolean }) =>
      resolveThread(project, identifier, resolved),
    onSuccess: store,
    meta: { errorTitle: 'resolveThread' },
  });
  return { query, create, change, remove, resolve };
}

/** The comments of a thread with earlier ones that were asked for, which are read again after a change. */
export function useEarlierComments({ identifier, comments, commentCount = comments.length }: CommentThread) {
  const project = useSessionStore((state) => state.projectName) ?? '';
  const [known, setKnown] = useState<readonly Comment[]>([]);
  const latest = new Set(comments.map((comment) => comment.identifier));
  const shown = [...known.filter((comment) => !latest.has(comment.identifier)), ...comments];
  const earlier = useMutation({
    mutationFn: () => fetchEarlierComments(project, identifier, shown[0]?.identifier ?? ''),
    onSuccess: (found) => setKnown([...found, ...shown]),
    meta: { errorTitle: 'getComments' },
  });
  return { shown, more: Math.max(0, commentCount - shown.length), earlier, forget: () => setKnown([]) };
}
