import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import type { AnsweredSearch } from '@/api/resources/answers';
import { ErrorState } from '@/blocks/error-state';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import type { AnswersAddress } from '@/state/answers-address';
import { ButtonLink } from '@/ui/button-link';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { AnswerView } from './answer-view';
import styles from './answers.module.css';

interface AnswerResultProps {
  readonly asked: AnswersAddress;
  readonly found: AnsweredSearch | undefined;
  readonly loading: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/** T-014: the answer, or its error in its place. */
export function AnswerResult({ asked, found, loading, error, retry }: AnswerResultProps): ReactNode {
  const { t } = useTranslation('answers');
  const { project } = useProjectLabels();
  if (asked.query === '') {
    const empty = project !== undefined && (project.documents ?? 0) === 0;
    return (
      <EmptyState
        title={t(empty ? 'empty.noDocuments' : 'empty.title')}
        {...(empty && { actions: <ButtonLink to="/addDocuments">{t('empty.import')}</ButtonLink> })}
      >
        {t('empty.text')}
      </EmptyState>
    );
  }
  if (loading) return <Skeleton rows={4} rowHeight={56} />;
  if (error !== null && error !== undefined) return <ErrorState title={t('failed')} error={error} onRetry={retry} />;
  const answer = found?.answerDetails;
  if (answer === undefined) return <p className={styles['note']}>{t('stopped')}</p>;
  const problem = answer.error ?? undefined;
  return (
    <>
      {problem !== undefined && (
        <ErrorState title={t('failed')} error={new ApiError(503, problem as never)} retained={t('retained')} onRetry={retry} />
      )}
      <AnswerView answer={answer} />
    </>
  );
}
