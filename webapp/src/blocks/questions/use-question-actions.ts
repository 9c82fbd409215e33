/** Adding, changing and deleting saved questions; each tells its success (E-036) or failure (E-039). */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { waitForJobEnd } from '@/api/resources/bulk-actions';
import {
  addQuestion,
  changeQuestion,
  deleteAllQuestions,
  deleteQuestion,
  questionKeys,
  restoreQuestion,
  type QuestionContent,
  type SavedQuestion,
} from '@/api/resources/questions';
import { useUndoableDeletion } from '@/api/use-undoable-deletion';
import { undoAndNotify } from '@/blocks/bulk/bulk-job';
import { notify } from '@/state/notifications-store';

export function useQuestionActions(project: string) {
  const { t } = useTranslation(['questions', 'common']);
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: questionKeys.all });
  const announce = (key: string) => {
    notify({ type: 'success', message: t(key) });
    return refresh();
  };
  const add = useMutation({
    mutationFn: (content: QuestionContent) => addQuestion(project, content),
    onSuccess: () => announce('done.added'),
    meta: { errorTitle: 'addQuestion' },
  });
  const change = useMutation({
    mutationFn: ({ identifier, ...content }: QuestionContent & { readonly identifier: string }) =>
      changeQuestion(project, identifier, content),
    onSuccess: () => announce('done.changed'),
    meta: { errorTitle: 'changeQuestion' },
  });
  const remove = useUndoableDeletion<SavedQuestion & { readonly label: string }>({
    remove: ({ identifier }) => deleteQuestion(project, identifier),
    restore: ({ identifier }) => restoreQuestion(project, identifier),
    refresh,
    removeTitle: 'deleteQuestion',
    restoreTitle: 'restoreQuestion',
    message: () => t('done.deleted'),
  });
  const removeAll = useMutation({
    mutationFn: async () => {
      const started = await deleteAllQuestions(project);
      return started === undefined ? undefined : waitForJobEnd(started);
    },
    onSuccess: (job) => {
      // A failed job is told by the live events (E-025).
      if (job === undefined || job.status === 'COMPLETED') {
        const undo =
          job?.undoable === true ? { action: { label: t('common:deleted.undo'), run: () => void undoAndNotify(job).then(refresh) } } : {};
        notify({ type: 'success', message: t('done.allDeleted'), ...undo });
      }
      return refresh();
    },
    meta: { errorTitle: 'deleteQuestions' },
  });
  return { add, change, remove, removeAll };
}
