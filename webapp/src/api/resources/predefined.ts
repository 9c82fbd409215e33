/** C-075: predefined annotators and label sets, and how they are created from ordinary labels, plans and suggesters (E-055). */
import type { QueryClient } from '@tanstack/react-query';
import { MissingRequirementError } from '@/api/errors';
import type { ComponentDefaults } from './component-defaults';
import { engineFormQuery, enginesQuery, defaultsWithKnownValues, type EngineForm } from './components';
import { createLabel, createLabelSet, labelKeys, labelSetsQuery, type LabelSet } from './labels';
import { createPlan, planComponentsQuery, planFormQuery, planKeys, type Plan, type PlanStep } from './plans';
import { projectQuery } from './projects';
import { createSuggester, suggesterKeys, type Suggester } from './suggesters';

export const PREDEFINED_LABELS = ['person', 'location', 'organisation', 'concept', 'disease', 'symptom', 'drug'] as const;
export type PredefinedLabel = (typeof PREDEFINED_LABELS)[number];

export const PREDEFINED_SETS = {
  media: ['person', 'location', 'organisation'],
  health: ['disease', 'symptom', 'drug'],
  wikidata: PREDEFINED_LABELS,
} as const satisfies Record<string, readonly PredefinedLabel[]>;
export type PredefinedLabelSetName = keyof typeof PREDEFINED_SETS;

/** C-074, C-075: as the server proposes it; `labels` is the set whose labels it gives. */
export type PredefinedAnnotator = ComponentDefaults['predefined'][number];
type PredefinedStep = PredefinedAnnotator['steps'][number];

const DEFAULT_LABEL: PredefinedLabel = 'concept';

/** By this tag it is known again, whatever it is called now. */
export const predefinedTag = (key: string) => `predefined-${key}`;

export const findCreatedFromPredefined = <T extends Plan | Suggester>(rows: readonly T[] | undefined, key: string): T | undefined =>
  rows?.find(({ tags }) => tags?.includes(predefinedTag(key)) === true);

/** Requirements that are not met: components that are not installed, or not permitted to the caller. */
export async function missingRequirements(
  queryClient: QueryClient,
  project: string,
  language: string,
  { steps }: PredefinedAnnotator,
): Promise<PredefinedStep[]> {
  const lacked: PredefinedStep[] = [];
  for (const step of steps) {
    const names =
      step.kind === 'suggester'
        ? await queryClient.fetchQuery(enginesQuery(project, 'suggester'))
        : (await queryClient.fetchQuery(planComponentsQuery(project, step.kind, language))).map(({ name }) => name);
    if (!names.includes(step.name)) lacked.push(step);
  }
  return lacked;
}

export interface PredefinedTexts {
  /** Name of a label, label set, plan or suggester in the language of the web app. */
  readonly label: (name: PredefinedLabel) => string;
  readonly set: (name: PredefinedLabelSetName) => string;
  readonly predefined: (made: PredefinedAnnotator) => string;
  readonly language: string;
  readonly mayWriteLabels: boolean;
}

/** A set of that name for categories was created by a user and does not count. */
const isLabelSetInstalled = (sets: readonly LabelSet[], wanted: PredefinedLabelSetName) =>
  sets.some(({ name, nature }) => name === wanted && nature !== 'classification');

export const hasPredefinedLabelSet = (sets: readonly LabelSet[] | undefined, set: PredefinedLabelSetName): boolean => {
  const known = new Set(sets?.flatMap(({ labels = [] }) => labels.map(({ name }) => name)));
  return sets !== undefined && isLabelSetInstalled(sets, set) && PREDEFINED_SETS[set].every((name) => known.has(name));
};

/** Creates the set if it does not exist, and those of its labels that the project lacks; returns the names of the created labels. */
export async function createPredefinedLabelSet(
  queryClient: QueryClient,
  project: string,
  set: PredefinedLabelSetName,
  words: PredefinedTexts,
  wanted: readonly PredefinedLabel[] = PREDEFINED_SETS[set],
): Promise<readonly PredefinedLabel[]> {
  const sets = await queryClient.fetchQuery({ ...labelSetsQuery(project), staleTime: 0 });
  const known = new Set(sets.flatMap(({ labels = [] }) => labels.map(({ name }) => name)));
  const missing = wanted.filter((name) => !known.has(name));
  const there = isLabelSetInstalled(sets, set);
  if (missing.length === 0 && (there || wanted !== PREDEFINED_SETS[set])) return [];
  if (!words.mayWriteLabels)
    throw new MissingRequirementError('label', { names: (missing.length > 0 ? missing : wanted).map(words.label).join(', ') });
  if (!there) await createLabelSet(project, { name: set, label: words.set(set), nature: 'sequence_labelling' });
  for (const name of missing) await createLabel(project, { name, label: words.label(name), labelSetName: set });
  await queryClient.invalidateQueries({ queryKey: labelKeys.all });
  return missing;
}

/** The pipeline for the language of the project, else the multilingual one, else the first. */
export function pipelineFor(form: Pick<EngineForm, 'schema'>, language: string): string {
  const properties = (form.schema['properties'] ?? {}) as Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  const choices = properties['pipeline']?.enum ?? [];
  const found = choices.find((name) => name.startsWith(`${language}_`)) ?? choices.find((name) => name.startsWith('xx_')) ?? choices[0];
  if (found === undefined) throw new MissingRequirementError('pipeline');
  return found;
}

/**
 * The parameters of a step in its form: those that the server proposes, and for a linker the labels of the set and one for everything
 * else. What the form does not have is left out.
 */
export function stepParameters(
  form: Pick<EngineForm, 'schema' | 'defaults'>,
  { linker, parameters }: Pick<PredefinedStep, 'linker' | 'parameters'>,
  set: PredefinedLabelSetName,
): Record<string, unknown> {
  if (linker !== true) return defaultsWithKnownValues(form, parameters ?? {});
  const mapped = (form.defaults['labels'] ?? []) as readonly { readonly label?: string }[];
  const wanted: readonly string[] = PREDEFINED_SETS[set];
  return defaultsWithKnownValues(form, {
    labels: mapped.filter(({ label }) => label !== undefined && wanted.includes(label)),
    defaultLabel: DEFAULT_LABEL,
    ...parameters,
  });
}

const labelsOfPredefined = ({ labels, steps }: PredefinedAnnotator): readonly PredefinedLabel[] =>
  steps.some(({ linker }) => linker === true) ? [...new Set([...PREDEFINED_SETS[labels], DEFAULT_LABEL])] : PREDEFINED_SETS[labels];

const choosesPipeline = ({ schema }: Pick<EngineForm, 'schema'>) => Object.hasOwn((schema['properties'] ?? {}) as object, 'pipeline');

async function planStepOfPredefined(
  queryClient: QueryClient,
  project: string,
  step: PredefinedStep,
  { labels }: PredefinedAnnotator,
  { language }: PredefinedTexts,
): Promise<PlanStep> {
  if (step.kind === 'suggester') throw new MissingRequirementError('component', { name: step.name, install: '' });
  const form = await queryClient.fetchQuery(planFormQuery(project, step.kind, step.name, language));
  const { lang = '' } = await queryClient.fetchQuery(projectQuery(project));
  const pipeline = choosesPipeline(form) ? { pipeline: pipelineFor(form, lang) } : {};
  return { [step.kind]: step.name, parameters: { ...stepParameters(form, step, labels), ...pipeline } };
}

/**
 * Creates a predefined plan or suggester and the labels it assigns; resolves to its name.
 *
 * @throws MissingRequirementError E-055: a component or a label is missing and cannot be created.
 */
export async function createPredefinedAnnotator(
  queryClient: QueryClient,
  project: string,
  made: PredefinedAnnotator,
  words: PredefinedTexts,
  install: (component: string) => string,
): Promise<string> {
  const [lacked] = await missingRequirements(queryClient, project, words.language, made);
  if (lacked !== undefined) throw new MissingRequirementError('component', { name: lacked.name, install: install(lacked.name) });
  await createPredefinedLabelSet(queryClient, project, made.labels, words, labelsOfPredefined(made));
  const label = words.predefined(made);
  const tags = [predefinedTag(made.key)];
  const [step] = made.steps;
  if (made.type === 'suggester' && step !== undefined) {
    const form = await queryClient.fetchQuery(engineFormQuery(project, 'suggester', step.name, words.language));
    const parameters = stepParameters(form, step, made.labels);
    const { name } = await createSuggester(project, { engine: step.name, label, parameters, tags });
    await queryClient.invalidateQueries({ queryKey: suggesterKeys.all });
    return name;
  }
  const pipeline: PlanStep[] = [];
  for (const one of made.steps) pipeline.push(await planStepOfPredefined(queryClient, project, one, made, words));
  const { name } = await createPlan(project, { label, parameters: { pipeline }, tags });
  await queryClient.invalidateQueries({ queryKey: planKeys.all });
  return name;
}
