import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerQuery } from '@/api/resources/answers';
import { ProjectLabelsProvider } from '@/blocks/labelling/project-labels';
import { JudgingBar, JudgingProvider, PassageJudgement } from '@/blocks/questions/judging';
import { useHasQuestions, useQuestionsDrawer } from '@/blocks/questions/use-questions-drawer';
import { useJudgingKeys } from '@/blocks/questions/use-judging-keys';
import { countFacetsAndFilters, NO_FACETS_OR_FILTERS } from '@/blocks/search/search-filters';
import { ANSWERS_DEFAULTS } from '@/state/answers-address';
import { useProjectName } from '@/state/session-store';
import { usePathState } from '@/state/use-path-state';
import { Page, PageHead } from '@/ui/page';
import { AnswerResult } from './answer-result';
import { AnswersFilterChips, AnswersFilters } from './answers-filters';
import { PassageDrawer } from './passage-drawer';
import { titleOf } from './passage-list';
import { QuestionForm } from './question-form';
import styles from './answers.module.css';

function Answers({ project }: { readonly project: string }): ReactNode {
  const { t } = useTranslation('answers');
  const [asked, change] = usePathState('/answers', ANSWERS_DEFAULTS);
  const query = answerQuery(project, asked);
  const client = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery(query);
  const filters = { asked, aggregations: data?.aggregations, onChange: change };
  const drawer = useQuestionsDrawer({
    filters: <AnswersFilters {...filters} />,
    activeFilters: countFacetsAndFilters(asked),
    asked: asked.query,
    onAsk: (text) => change({ query: text }, { push: true }),
  });
  const judged = useHasQuestions() ? asked.query : '';
  useJudgingKeys(judged !== '');
  return (
    <Page
      screen="answers"
      {...drawer}
      onClearFilters={() => change(NO_FACETS_OR_FILTERS)}
      {...(data?.answerDetails !== undefined && {
        drawer: (
          <JudgingProvider text={judged}>
            <div className={styles['found']}>
              <JudgingBar />
              <PassageDrawer
                answer={data.answerDetails}
                actions={(passage) => <PassageJudgement passage={passage} title={titleOf(passage)} />}
              />
            </div>
          </JudgingProvider>
        ),
        drawerTitle: t('passages'),
      })}
    >
      <PageHead title={t('title')} />
      <div className={styles['body']}>
        <QuestionForm
          asked={asked}
          busy={isFetching}
          onAsk={(question) => {
            if (question.query === asked.query && !isFetching && asked.query !== '')
              void client.resetQueries({ queryKey: answerQuery(project, question).queryKey });
            change(question, { push: question.query !== asked.query });
          }}
          onStop={() => void client.cancelQueries({ queryKey: query.queryKey })}
        />
        <AnswersFilterChips {...filters} />
        <AnswerResult asked={asked} found={data} loading={isFetching} error={error} retry={() => void refetch()} />
      </div>
    </Page>
  );
}

/** questions to the documents of the project, answered with citations. */
export function AnswersScreen(): ReactNode {
  const project = useProjectName();
  return (
    <ProjectLabelsProvider key={project} project={project}>
      <Answers project={project} />
    </ProjectLabelsProvider>
  );
}
