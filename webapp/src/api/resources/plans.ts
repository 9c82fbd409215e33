/** Plans: ordered components, marked as favourite and active by tags (C-078 to C-081). */
import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH, type Schemas } from '@/api/client';
import { projectPathParams } from '@/api/path-params';
import { idempotencyHeader } from '@/api/idempotency';
import { componentKeys, fetchEngineForm } from './components';
import type { Job } from './jobs';

/** S-051: the types of plans by part, both in display order (C-078). */
export const PLAN_PARTS = {
  pipelines: ['annotation'],
  projectConfig: ['conversion', 'segmentation', 'vectorization'],
  questionAnswering: ['search-params-builder', 'rag-context-builder', 'question-answerer'],
} as const;
export type PlanPartName = keyof typeof PLAN_PARTS;
/** C-078, in display order. */
export const PLAN_TYPES = [...PLAN_PARTS.pipelines, ...PLAN_PARTS.projectConfig, ...PLAN_PARTS.questionAnswering] as const;
export type PlanType = (typeof PLAN_TYPES)[number];
/** C-080: component kinds that can be a step. */
export const STEP_KINDS = [
  'annotator',
  'processor',
  'languageGuesser',
  'segmenter',
  'vectorizer',
  'converter',
  'searchParamsBuilder',
  'ragContextBuilder',
  'questionAnswerer',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];
export type ParameterValues = Readonly<Record<string, unknown>>;

export interface PlanPart {
  readonly name: string;
  readonly parameters?: ParameterValues;
}

export type PlanStep = Readonly<Partial<Record<StepKind, string>>> & {
  readonly parameters?: ParameterValues;
  readonly condition?: ParameterValues;
  readonly applyTo?: { readonly path: string };
  readonly projectName?: string;
  readonly disabled?: boolean;
};

export interface PlanParameters {
  readonly converter?: PlanPart;
  readonly segmenter?: PlanPart;
  readonly formatter?: PlanPart;
  readonly pipeline: readonly PlanStep[];
}

/** `problem`: why it does not work at present. */
export interface Plan {
  readonly name: string;
  readonly label: string;
  readonly parameters: PlanParameters;
  readonly tags: readonly string[];
  readonly favorite: boolean;
  readonly isActive: boolean;
  readonly type: string;
  readonly modifiedAt: string;
  readonly modifiedBy: string;
  readonly version: number;
  readonly problem?: string;
  readonly said?: unknown;
}

export interface PlanAnswer {
  readonly name: string;
  readonly triggeredJobs: readonly Job[];
}

export type PlanChange = Partial<Pick<Plan, 'label' | 'parameters' | 'tags' | 'favorite'>>;

export const planKeys = {
  all: ['plans'] as const,
  list: (project: string) => [...planKeys.all, project] as const,
  one: (project: string, name: string) => [...planKeys.list(project), 'one', name] as const,
  defaults: (project: string) => [...planKeys.list(project), 'defaults'] as const,
  components: (project: string, kind: StepKind | 'reranker', language: string) =>
    [...componentKeys.all, project, 'plans', kind, language] as const,
  form: (project: string, kind: StepKind, name: string, language: string) =>
    [...planKeys.components(project, kind, language), name] as const,
};

const planPathParams = (projectName: string, name: string) => ({ path: { projectName, name } });

export const plansQuery = (projectName: string) =>
  queryOptions({
    queryKey: planKeys.list(projectName),
    queryFn: async () =>
      (await call(client.GET('/projects/{projectName}/plans', { params: projectPathParams(projectName) }))) as unknown as Plan[],
    enabled: projectName !== '',
    meta: { errorTitle: 'getPlans' },
  });

/** A plan that is not in the list: just created, or deleted. */
export const planQuery = (projectName: string, name: string) =>
  queryOptions({
    queryKey: planKeys.one(projectName, name),
    queryFn: async () =>
      (await call(client.GET('/projects/{projectName}/plans/{name}', { params: planPathParams(projectName, name) }))) as unknown as Plan,
    retry: false,
    meta: { errorTitle: 'getPlan', silent: true },
  });

/** S-054: default plans, by type. */
export const defaultPlansQuery = (projectName: string) =>
  queryOptions({
    queryKey: planKeys.defaults(projectName),
    queryFn: async () => {
      const options = { params: { ...projectPathParams(projectName), query: { asPipeline: false } } };
      const found = (await call(client.POST('/projects/{projectName}/processors/_default', options))) as unknown as {
        readonly parameters: PlanParameters;
        readonly tags: readonly string[];
      }[];
      return new Map(found.flatMap(({ tags, parameters }) => tags.map((tag) => [tag, parameters] as const)));
    },
    staleTime: 300_000,
    meta: { silent: true },
  });

/** The active plan of a type. */
export const activePlan = (plans: readonly Plan[] | undefined, type: PlanType) =>
  plans?.findLast((plan) => plan.isActive && plan.type === type);

/** The segmenter of a plan: its segmenter part, else its last active step of that kind. */
export function segmenterOf({ parameters: { segmenter, pipeline } }: Plan): Required<PlanPart> | undefined {
  const step = pipeline.findLast((one) => one.segmenter !== undefined && one.disabled !== true);
  const found = segmenter ?? (step?.segmenter === undefined ? undefined : { ...step, name: step.segmenter });
  return found && { name: found.name, parameters: found.parameters ?? {} };
}

export const createPlan = (projectName: string, body: Pick<Plan, 'label' | 'parameters' | 'tags'>) =>
  call(
    client.POST('/projects/{projectName}/plans', {
      params: projectPathParams(projectName),
      body: body as never,
      headers: idempotencyHeader(),
    }),
  ) as unknown as Promise<PlanAnswer>;

/** V-030: sends only what changed; with `version`, a change by somebody else is not overwritten. */
export const updatePlan = (projectName: string, name: string, body: PlanChange, version?: number) =>
  call(
    client.PATCH('/projects/{projectName}/plans/{name}', {
      params: planPathParams(projectName, name),
      body: body as never,
      ...MERGE_PATCH,
      headers: { ...MERGE_PATCH.headers, ...(version !== undefined && { 'If-Match': String(version) }) },
    }),
  ) as unknown as Promise<PlanAnswer>;

export const deletePlan = (projectName: string, name: string) =>
  call(
    client.DELETE('/projects/{projectName}/plans/{name}', { params: planPathParams(projectName, name) }),
  ) as unknown as Promise<PlanAnswer>;

export const restorePlan = (projectName: string, name: string) =>
  call(
    client.POST('/projects/{projectName}/plans/{name}/_restore', {
      params: planPathParams(projectName, name),
      headers: idempotencyHeader(),
    }),
  );

export async function proposePlanLabel(projectName: string, label: string): Promise<string> {
  const answer = await call(
    client.POST('/projects/{projectName}/plans/_label_hint', {
      params: projectPathParams(projectName),
      body: { label } as Schemas['InputLabel'],
    }),
  );
  return (answer as { labelHint: string }).labelHint;
}

const COMPONENT_STATES = ['disabled', 'unavailable', 'optional'] as const;
type ComponentState = (typeof COMPONENT_STATES)[number];

/** A component that can be a part of a plan. */
export interface PlanComponent {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Codes; empty: all languages. */
  readonly languages: readonly string[];
  /** Absent: it can be used. `optional`: it needs a package that is not installed. */
  readonly state?: ComponentState;
  /** Why it cannot be used, in English. */
  readonly reason?: string;
}

interface ServiceRecord {
  readonly name: string;
  readonly metadata?: {
    readonly title?: string;
    readonly description?: string;
    readonly languages?: string;
    readonly state?: string;
    readonly reason?: string;
  };
}

function toPlanComponent({ name, metadata = {} }: ServiceRecord): PlanComponent {
  const { title = '', description = '', languages = '', reason } = metadata;
  const state = COMPONENT_STATES.find((one) => one === metadata.state);
  return {
    name,
    title: title === '' ? name : title,
    description,
    languages: languages.split(',').filter((code) => code !== ''),
    ...(state !== undefined && { state }),
    ...(reason !== undefined && { reason }),
  };
}

/** Installed components of a kind, those that cannot be used now included. */
export const planComponentsQuery = (projectName: string, kind: StepKind | 'reranker', language: string) =>
  queryOptions({
    queryKey: planKeys.components(projectName, kind, language),
    queryFn: async (): Promise<PlanComponent[]> => {
      const query = { type: kind, includeUnavailable: true };
      const options = { params: { ...projectPathParams(projectName), query }, headers: { 'Accept-Language': language } };
      const records = (await call(client.GET('/projects/{projectName}/services', options))) as ServiceRecord[];
      return records.map(toPlanComponent);
    },
    enabled: projectName !== '',
    staleTime: 300_000,
    meta: { silent: true },
  });

export const planFormQuery = (projectName: string, kind: StepKind, name: string, language: string) =>
  queryOptions({
    queryKey: planKeys.form(projectName, kind, name, language),
    queryFn: () => fetchEngineForm(projectName, kind, name, language),
    enabled: name !== '',
    staleTime: 300_000,
    meta: { silent: true },
  });
