import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ProjectLabelsProvider } from '@/blocks/labelling/project-labels';
import { JudgingBar, JudgingProvider, PassageJudgement } from '@/blocks/questions/judging';
import { useHasQuestions, useQuestionsDrawer } from '@/blocks/questions/use-questions-drawer';
import { useJudgingKeys } from '@/blocks/questions/use-judging-keys';
import { countFacetsAndFilters, NO_FACETS_OR_FILTERS } from '@/blocks/search/search-filters';
import { textDirection } from '@/text/direction';
import { useProjectName } from '@/state/session-store';
import { Page } from '@/ui/page';
import { AnswerResult, NoQuestionYet } from './answer-result';
import { AnswersFilterChips, AnswersFilters } from './answers-filters';
import { AnswersToolbar } from './answers-toolbar';
import { AnswerView } from './answer-view';
import { PassageDrawer } from './passage-drawer';
import { titleOf } from './passage-list';
import { QuestionForm } from './question-form';
import type { Exchange } from './thread-store';
import { useThread, type Thread } from './use-thread';
import styles from './answers.module.css';

function EarlierExchanges({ exchanges }: { readonly exchanges: readonly Exchange[] }): ReactNode {
  return exchanges.map(({ asked, found }, index) => (
    <article key={index} className={styles['exchange']}>
      <h2 dir={textDirection(asked.query)}>{asked.query}</h2>
      {found.answerDetails !== undefined && <AnswerView answer={found.answerDetails} />}
    </article>
  ));
}

/** Keeps the present question in view when a follow-up is asked. */
function useScrollToQuestion(position: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (position > 0) heading.current?.scrollIntoView({ block: 'start' });
  }, [position]);
  return heading;
}

function Conversation({ thread, onPoint }: { readonly thread: Thread; readonly onPoint: (number: number | undefined) => void }): ReactNode {
  const { asked, earlier, found, error, searching, busy, askNext, stop, retry } = thread;
  const heading = useScrollToQuestion(asked.position);
  return (
    <>
      <EarlierExchanges exchanges={earlier} />
      <article className={styles['exchange']}>
        <h2 ref={heading} dir={textDirection(asked.query)}>
          {asked.query}
        </h2>
        <AnswerResult {...{ found, searching, error, retry, onPoint }} />
      </article>
      <QuestionForm key={`${asked.thread}/${String(asked.position)}/${asked.query}`} next busy={busy} onAsk={askNext} onStop={stop} />
    </>
  );
}

function Answers({ project }: { readonly project: string }): ReactNode {
  const { t } = useTranslation('answers');
  const thread = useThread(project);
  const [pointed, setPointed] = useState<{ readonly resultID: string; readonly number: number | undefined } | undefined>(undefined);
  const { asked, change, found, busy, ask, stop } = thread;
  const isAsked = asked.query !== '';
  const answer = found?.answerDetails;
  const filters = { asked, aggregations: found?.aggregations, onChange: change };
  const drawer = useQuestionsDrawer({
    screen: 'answers',
    filters: <AnswersFilters {...filters} />,
    activeFilters: countFacetsAndFilters(asked),
    asked: asked.query,
    onAsk: ask,
  });
  const judged = useHasQuestions() ? asked.query : '';
  useJudgingKeys(judged !== '');
  return (
    <Page
      screen="answers"
      plain
      {...drawer}
      onClearFilters={() => change(NO_FACETS_OR_FILTERS)}
      toolbar={
        <AnswersToolbar
          {...{ project, asked, change }}
          onNew={isAsked ? () => change({ query: '', thread: '', position: 0 }) : undefined}
        />
      }
      {...(answer !== undefined && {
        drawer: (
          <JudgingProvider text={judged}>
            {answer.passages.length > 0 && (
              <div className={styles['judging']}>
                <JudgingBar />
              </div>
            )}
            <PassageDrawer
              answer={answer}
              current={pointed?.resultID === answer.resultID ? pointed.number : undefined}
              actions={(passage) => <PassageJudgement passage={passage} title={titleOf(passage)} />}
            />
          </JudgingProvider>
        ),
        drawerTitle: t('passages'),
      })}
    >
      <div className={styles['body']}>
        <AnswersFilterChips {...filters} />
        {isAsked ? (
          <Conversation thread={thread} onPoint={(number) => setPointed({ resultID: answer?.resultID ?? '', number })} />
        ) : (
          <>
            <QuestionForm busy={busy} onAsk={ask} onStop={stop} />
            <NoQuestionYet />
          </>
        )}
      </div>
    </Page>
  );
}

/** questions to the documents of the project, answered with citations. */
export function AnswersScreen(): ReactNode {
  const project = useProjectName();
  return (
    <ProjectLabelsProvider key={project} project={project}>
      <Answers key={project} project={project} />
    </ProjectLabelsProvider>
  );
}
