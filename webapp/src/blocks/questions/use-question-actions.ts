/** Adding, changing and deleting saved questions; each tells its success (E-036) or failure (E-039). */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  addQuestion,
  changeQuestion,
  deleteAllQuestions,
  deleteQuestion,
  questionKeys,
  type QuestionContent,
  type SavedQuestion,
} from '@/api/resources/questions';
import { notify } from '@/state/notifications-store';

export function useQuestionActions(project: string) {
  const { t } = useTranslation('questions');
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: questionKeys.all });
  const tell = (key: string) => {
    notify({ type: 'success', message: t(key) });
    return refresh();
  };
  const add = useMutation({
    mutationFn: (content: QuestionContent) => addQuestion(project, content),
    onSuccess: () => tell('done.added'),
    meta: { errorTitle: 'addQuestion' },
  });
  const change = useMutation({
    mutationFn: ({ identifier, ...content }: QuestionContent & { readonly identifier: string }) =>
      changeQuestion(project, identifier, content),
    onSuccess: () => tell('done.changed'),
    meta: { errorTitle: 'changeQuestion' },
  });
  const remove = useMutation({
    mutationFn: ({ identifier }: SavedQuestion) => deleteQuestion(project, identifier),
    onSuccess: () => tell('done.deleted'),
    meta: { errorTitle: 'deleteQuestion' },
  });
  const removeAll = useMutation({
    mutationFn: () => deleteAllQuestions(project),
    onSuccess: () => tell('done.allDeleted'),
    meta: { errorTitle: 'deleteQuestions' },
  });
  return { add, change, remove, removeAll };
}
