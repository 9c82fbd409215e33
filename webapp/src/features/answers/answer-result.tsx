import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { translatedMessageOf } from '@/api/server-messages';
import type { Answer, AnsweredSearch } from '@/api/resources/answers';
import { ErrorState } from '@/blocks/error-state';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { ButtonLink } from '@/ui/button-link';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { AnswerFeedback } from './answer-feedback';
import { AnswerView } from './answer-view';
import { passagesOf } from './passages-of';
import { PassageList } from './passage-list';
import styles from './answers.module.css';

/** Before the first question. */
export function NoQuestionYet(): ReactNode {
  const { t } = useTranslation('answers');
  const { project } = useProjectLabels();
  const empty = project !== undefined && (project.documents ?? 0) === 0;
  return (
    <EmptyState
      title={t(empty ? 'empty.noDocuments' : 'empty.title')}
      {...(empty && {
        actions: (
          <ButtonLink kind="solid" to="/addDocuments">
            {t('empty.import')}
          </ButtonLink>
        ),
      })}
    >
      {t(empty ? 'empty.noDocumentsText' : 'empty.text')}
    </EmptyState>
  );
}

/** Why the answerer failed, as the server says it. */
function serverTexts(problem: NonNullable<Answer['error']>) {
  const message = translatedMessageOf(problem, 'message') ?? problem.code;
  const cause = translatedMessageOf(problem, 'cause') ?? message;
  const fix = translatedMessageOf(problem, 'fix');
  return { code: problem.code, cause, ...(fix !== undefined && { fix }) };
}

interface AnswerResultProps {
  readonly found: AnsweredSearch | undefined;
  readonly searching: boolean;
  readonly error: unknown;
  readonly retry: () => void;
  readonly onPoint: (number: number | undefined) => void;
}

/** T-014: the answer, or its error in its place, with the part that arrived. */
export function AnswerResult({ found, searching, error, retry, onPoint }: AnswerResultProps): ReactNode {
  const { t } = useTranslation('answers');
  if (searching) return <Skeleton rows={4} rowHeight={56} />;
  if (found === undefined && error !== null && error !== undefined) return <ErrorState title={t('failed')} error={error} onRetry={retry} />;
  if (found === undefined) return <p className={styles['note']}>{t('stopped')}</p>;
  const answer = found.answerDetails;
  if (answer === undefined) return <PassageList passages={passagesOf(found)} />;
  const problem = answer.status === 'failed' ? (answer.error ?? undefined) : undefined;
  return (
    <>
      {problem !== undefined && (
        <ErrorState
          title={t('failed')}
          error={problem}
          texts={serverTexts(problem)}
          {...((answer.text !== '' || answer.passages.length > 0) && { retained: t(answer.text === '' ? 'retained' : 'retainedText') })}
          onRetry={retry}
        />
      )}
      <AnswerView answer={answer} onPoint={onPoint}>
        <AnswerFeedback key={answer.resultID} answer={answer} />
      </AnswerView>
    </>
  );
}
