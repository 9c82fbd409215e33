import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageCircleQuestionMark, Square } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerQuery, type AnsweredSearch, type Question } from '@/api/resources/answers';
import { ApiError } from '@/api/errors';
import { ErrorState } from '@/blocks/error-state';
import { ProjectLabelsProvider, useProjectLabels } from '@/blocks/labelling/project-labels';
import { hasVectors } from '@/blocks/search/search-mode';
import type { SearchType } from '@/state/search-types';
import { useCan, useProjectName } from '@/state/session-store';
import { usePathState } from '@/state/use-path-state';
import { Button } from '@/ui/button';
import { ButtonLink } from '@/ui/button-link';
import { SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { Page, PageHead } from '@/ui/page';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { AnswerView } from './answer-view';
import styles from './answers.module.css';

const DEFAULTS: Question = { text: '', searchType: 'text', excludeQuestions: true };
/** As the server's limit, in code points. */
export const MAX_QUESTION = 2000;

interface FormProps {
  readonly asked: Question;
  readonly busy: boolean;
  readonly onAsk: (question: Question) => void;
  readonly onStop: () => void;
}

function SearchTypeSelect({ value, onChange }: { readonly value: SearchType; readonly onChange: (value: SearchType) => void }): ReactNode {
  const { t } = useTranslation('answers');
  const { project } = useProjectLabels();
  const mayHybrid = useCan('useHybridSearch');
  if (!hasVectors(project)) return null;
  // `text` lets the project's plan decide.
  const types: readonly SearchType[] = mayHybrid ? ['text', 'vector', 'hybrid'] : ['text', 'vector'];
  return (
    <SelectInput<SearchType>
      label={t('searchType')}
      value={value}
      options={types.map((type) => ({ value: type, label: type === 'text' ? t('automatic') : t(`search:type.${type}`) }))}
      onChange={onChange}
    />
  );
}

function QuestionForm({ asked, busy, onAsk, onStop }: FormProps): ReactNode {
  const { t } = useTranslation(['answers', 'search']);
  const [text, setText] = useState(asked.text);
  const [shown, setShown] = useState(asked.text);
  if (shown !== asked.text) {
    setShown(asked.text);
    setText(asked.text);
  }
  const tooLong = [...text].length > MAX_QUESTION;
  const ask = (part: Partial<Question> = {}) => {
    if (text.trim() !== '' && !tooLong) onAsk({ ...asked, text: text.trim(), ...part });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    ask();
  };
  return (
    <form
      className={styles['form']}
      onKeyDown={(event) => {
        if (event.target instanceof HTMLTextAreaElement) onKeyDown(event);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <TextInput
        label={t('question')}
        rows={2}
        value={text}
        onChange={setText}
        placeholder={t('placeholder')}
        autoFocus
        {...(tooLong && { error: t('tooLong', { most: MAX_QUESTION }) })}
      />
      <div className={styles['options']}>
        <SearchTypeSelect value={asked.searchType} onChange={(searchType) => ask({ searchType })} />
        <SwitchRow
          label={t('excludeQuestions')}
          checked={asked.excludeQuestions}
          onChange={(excludeQuestions) => onAsk({ ...asked, excludeQuestions })}
        />
        <span className={styles['buttons']}>
          {busy && (
            <Button icon={Square} onClick={onStop}>
              {t('stop')}
            </Button>
          )}
          <Button
            kind="solid"
            icon={MessageCircleQuestionMark}
            type="submit"
            keyCap="⏎"
            busy={busy}
            disabled={text.trim() === '' || tooLong}
          >
            {t('ask')}
          </Button>
        </span>
      </div>
    </form>
  );
}

interface ResultProps {
  readonly asked: Question;
  readonly found: AnsweredSearch | undefined;
  readonly loading: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/** T-014: the answer, or its error in its place. */
function AnswerResult({ asked, found, loading, error, retry }: ResultProps): ReactNode {
  const { t } = useTranslation('answers');
  const { project } = useProjectLabels();
  if (asked.text === '') {
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

function Answers({ project }: { readonly project: string }): ReactNode {
  const [asked, change] = usePathState<Question>('/answers', DEFAULTS);
  const query = answerQuery(project, asked);
  const client = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery(query);
  return (
    <div className={styles['body']}>
      <QuestionForm
        asked={asked}
        busy={isFetching}
        onAsk={(question) => {
          if (question.text === asked.text && !isFetching && asked.text !== '')
            void client.resetQueries({ queryKey: answerQuery(project, question).queryKey });
          change(question, { push: question.text !== asked.text });
        }}
        onStop={() => void client.cancelQueries({ queryKey: query.queryKey })}
      />
      <AnswerResult asked={asked} found={data} loading={isFetching} error={error} retry={() => void refetch()} />
    </div>
  );
}

/** questions to the documents of the project, answered with citations. */
export function AnswersScreen(): ReactNode {
  const { t } = useTranslation('answers');
  const project = useProjectName();
  return (
    <ProjectLabelsProvider key={project} project={project}>
      <Page screen="answers">
        <PageHead title={t('title')} />
        <Answers project={project} />
      </Page>
    </ProjectLabelsProvider>
  );
}
