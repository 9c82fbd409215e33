import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@/api/errors';
import { hasEnded, jobQuery } from '@/api/resources/document-imports';
import { jobMessage, type Job } from '@/api/resources/jobs';
import { searchComparisonQuery, type ComparedSearches, type SearchComparison } from '@/api/resources/search-comparison';
import { messageCodeOf } from '@/api/server-messages';
import { useProjectName } from '@/state/session-store';

export interface Figures {
  /** Of these two searches; undefined until they are measured. */
  readonly found: SearchComparison | undefined;
  readonly measuring: boolean;
  /** The job that measures, while it runs. */
  readonly job: Job | undefined;
  readonly error: unknown;
  readonly measure: () => void;
}

const NOTHING: SearchComparison = { judged: 0, overall: [], perQuestion: [] };

/** The server refuses to measure on nothing. */
const isNothingJudged = (error: unknown) =>
  error instanceof ApiError && typeof error.body === 'object' && messageCodeOf(error.body ?? {}, 'message') === 'none.judgedQuestions';

const failureOf = (job: Job) => new ApiError(409, { message: jobMessage(job), cause: jobMessage(job) });

/** The figures of two searches on the judged questions, measured on demand; with many questions by a job. */
export function useFigures(searches: ComparedSearches): Figures {
  const project = useProjectName();
  const { data, error, isFetching, refetch } = useQuery(searchComparisonQuery(project, searches));
  const { data: job } = useQuery({ ...jobQuery(project, data?.jobId ?? ''), meta: { silent: true } });
  const measure = () => void refetch();
  if (!isFetching && isNothingJudged(error)) return { found: NOTHING, measuring: false, job: undefined, error: null, measure };
  if (data?.jobId === undefined) return { found: isFetching ? undefined : data, measuring: isFetching, job: undefined, error, measure };
  const over = hasEnded(job) && job !== undefined;
  if (!over) return { found: undefined, measuring: true, job, error: null, measure };
  if (job.status !== 'COMPLETED') return { found: undefined, measuring: isFetching, job: undefined, error: failureOf(job), measure };
  return { found: job.result as unknown as SearchComparison, measuring: isFetching, job: undefined, error: null, measure };
}
