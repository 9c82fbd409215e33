/** Candidates for new terms or further forms of terms, taken from the corpus. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import { idempotencyHeader } from '@/api/idempotency';
import type { Job } from './jobs';
import type { LexiconTerm } from './terms';

/** Texts of annotations without a term; frequent sequences of words like nouns. */
export const CANDIDATE_SOURCES = ['all', 'annotations', 'phrases'] as const;
export type CandidateSource = (typeof CANDIDATE_SOURCES)[number];

export interface TermCandidate {
  readonly text: string;
  /** Occurrences in the corpus. */
  readonly count: number;
  /** Documents with an occurrence. */
  readonly documents: number;
  readonly source: Exclude<CandidateSource, 'all'>;
  /** The most frequent label of its annotations. */
  readonly labelName?: string;
  /** Terms that it may be another form of. */
  readonly similar?: readonly LexiconTerm[];
  /** A passage of the corpus with the candidate; start and end are code points of this text. */
  readonly example?: { readonly documentIdentifier: string; readonly text: string; readonly start: number; readonly end: number };
}

export interface CandidatePage {
  readonly candidates: readonly TermCandidate[];
  readonly total: { readonly value: number };
  /** When the corpus was last searched for candidates. */
  readonly computedAt?: string | null;
  /** Present while the corpus is being searched for candidates. */
  readonly job?: Job | null;
}

export interface AcceptedCandidate {
  readonly term: LexiconTerm;
  /** The term as it was, when the words became a form of it. */
  readonly before?: LexiconTerm | null;
}

export const CANDIDATES = 50;

/** Not refreshed by live events: the list must not move while it is gone through. */
export const candidateKeys = {
  all: ['term-candidates'] as const,
  page: (project: string, source: CandidateSource) => [...candidateKeys.all, project, source] as const,
};

const inProject = (projectName: string) => ({ params: { path: { projectName } }, headers: idempotencyHeader() });

const readCandidates = async (projectName: string, query: Readonly<Record<string, unknown>>, signal?: AbortSignal) =>
  (await call(
    client.POST('/projects/{projectName}/lexicons/_candidates', {
      params: { path: { projectName }, query },
      ...(signal && { signal }),
    }),
  )) as CandidatePage;

/** Starts another search of the corpus. */
export const searchCandidates = (projectName: string, source: CandidateSource) =>
  readCandidates(projectName, { source, from: 0, size: CANDIDATES, refresh: true });

const JOB_WAIT_MS = 2_000;

export const candidatesQuery = (projectName: string, source: CandidateSource) =>
  queryOptions({
    queryKey: candidateKeys.page(projectName, source),
    queryFn: ({ signal }) => readCandidates(projectName, { source, from: 0, size: CANDIDATES }, signal),
    // The list changes while the job finds more, and stays as it is afterwards.
    refetchInterval: ({ state }) => (state.data?.job ? JOB_WAIT_MS : false),
    staleTime: Infinity,
    gcTime: 0,
    placeholderData: keepPreviousData,
    meta: { errorTitle: 'getCandidates' },
  });

/** Without an identifier the words become a new term, with one a further form of that term. */
export const acceptCandidate = async (projectName: string, body: { text: string; lexicon: string; identifier?: string }) =>
  (await call(client.POST('/projects/{projectName}/lexicons/_accept_candidate', { ...inProject(projectName), body }))) as AcceptedCandidate;

/** `refused` false takes the refusal back. */
export const refuseCandidate = (projectName: string, text: string, refused = true) =>
  call(client.POST('/projects/{projectName}/lexicons/_refuse_candidate', { ...inProject(projectName), body: { text, refused } }));
