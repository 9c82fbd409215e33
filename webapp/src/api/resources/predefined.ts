/** C-075: predefined annotators and label sets, and how they are created from ordinary labels, plans and suggesters (E-055). */
import type { QueryClient } from '@tanstack/react-query';
import { MissingRequirementError } from '@/api/errors';
import { CONSOLIDATOR, ENTITY_LINKER, ENTITY_RECOGNIZER, ENTITY_SUGGESTER } from './component-defaults';
import { engineFormQuery, enginesQuery, defaultsWithKnownValues, type EngineForm } from './components';
import { createLabel, createLabelSet, labelKeys, labelSetsQuery, type LabelSet } from './labels';
import { createPlan, planComponentsQuery, planFormQuery, planKeys, type Plan, type PlanStep, type StepKind } from './plans';
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

/** Component kinds that a predefined annotator needs. */
interface Requirement {
  readonly kind: Extract<StepKind, 'annotator' | 'processor'> | 'suggester';
  readonly name: string;
}

export interface PredefinedAnnotator {
  readonly key: string;
  readonly type: 'plan' | 'suggester';
  /** The set of labels it assigns. */
  readonly set: PredefinedLabelSetName;
  readonly needs: readonly Requirement[];
}

/** C-074, C-075 */
export const LEAST_SELECTOR_SCORE = 0.1;
const DEFAULT_LABEL: PredefinedLabel = 'concept';

const predefinedSuggester = (key: string, set: PredefinedLabelSetName): PredefinedAnnotator => ({
  key,
  type: 'suggester',
  set,
  needs: [{ kind: 'suggester', name: ENTITY_SUGGESTER }],
});

export const PREDEFINED: readonly PredefinedAnnotator[] = [
  { key: 'spacy_ner', type: 'plan', set: 'media', needs: [{ kind: 'annotator', name: ENTITY_RECOGNIZER }] },
  {
    key: 'spacy_wikidata',
    type: 'plan',
    set: 'wikidata',
    needs: [
      { kind: 'annotator', name: ENTITY_RECOGNIZER },
      { kind: 'annotator', name: ENTITY_LINKER },
      { kind: 'processor', name: CONSOLIDATOR },
    ],
  },
  predefinedSuggester('wikidata_all', 'wikidata'),
  predefinedSuggester('wikidata_media', 'media'),
  predefinedSuggester('wikidata_health', 'health'),
];

/** Tag by which it is recognised after a rename. */
export const predefinedTag = (key: string) => `predefined-${key}`;

export const findCreatedFromPredefined = <T extends Plan | Suggester>(rows: readonly T[] | undefined, key: string): T | undefined =>
  rows?.find(({ tags }) => tags?.includes(predefinedTag(key)) === true);

/** Requirements that are not met: components that are not installed, or not permitted to the caller. */
export async function missingRequirements(
  queryClient: QueryClient,
  project: string,
  language: string,
  { needs }: PredefinedAnnotator,
): Promise<Requirement[]> {
  const lacked: Requirement[] = [];
  for (const need of needs) {
    const names =
      need.kind === 'suggester'
        ? await queryClient.fetchQuery(enginesQuery(project, 'suggester'))
        : (await queryClient.fetchQuery(planComponentsQuery(project, need.kind, language))).map(({ name }) => name);
    if (!names.includes(need.name)) lacked.push(need);
  }
  return lacked;
}

export interface PredefinedTexts {
  /** Name of a label, label set, plan or suggester in the language of the web app. */
  readonly label: (name: PredefinedLabel) => string;
  readonly set: (name: PredefinedLabelSetName) => string;
  readonly predefined: (key: string) => string;
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

/** Parameters of the entity linker: the labels of a set, and one for everything else; parameters that its form lacks are left out. */
export function linkerParameters(form: Pick<EngineForm, 'schema' | 'defaults'>, set: PredefinedLabelSetName): Record<string, unknown> {
  const mapped = (form.defaults['labels'] ?? []) as readonly { readonly label?: string }[];
  const wanted: readonly string[] = PREDEFINED_SETS[set];
  return defaultsWithKnownValues(form, {
    minSelectorScore: LEAST_SELECTOR_SCORE,
    labels: mapped.filter(({ label }) => label !== undefined && wanted.includes(label)),
    defaultLabel: DEFAULT_LABEL,
  });
}

const labelsOfPredefined = (made: PredefinedAnnotator): readonly PredefinedLabel[] =>
  made.needs.some(({ name }) => name === ENTITY_SUGGESTER || name === ENTITY_LINKER)
    ? [...new Set([...PREDEFINED_SETS[made.set], DEFAULT_LABEL])]
    : PREDEFINED_SETS[made.set];

async function planStepOfRequirement(
  queryClient: QueryClient,
  project: string,
  need: Requirement,
  made: PredefinedAnnotator,
  words: PredefinedTexts,
): Promise<PlanStep> {
  if (need.kind === 'suggester') throw new MissingRequirementError('component', { name: need.name, install: '' });
  const form = await queryClient.fetchQuery(planFormQuery(project, need.kind, need.name, words.language));
  const { lang = '' } = await queryClient.fetchQuery(projectQuery(project));
  const parameters =
    need.name === ENTITY_RECOGNIZER
      ? { ...form.defaults, pipeline: pipelineFor(form, lang) }
      : need.name === ENTITY_LINKER
        ? linkerParameters(form, made.set)
        : form.defaults;
  return { [need.kind]: need.name, parameters };
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
  await createPredefinedLabelSet(queryClient, project, made.set, words, labelsOfPredefined(made));
  const label = words.predefined(made.key);
  const tags = [predefinedTag(made.key)];
  if (made.type === 'suggester') {
    const form = await queryClient.fetchQuery(engineFormQuery(project, 'suggester', ENTITY_SUGGESTER, words.language));
    const { name } = await createSuggester(project, {
      engine: ENTITY_SUGGESTER,
      label,
      parameters: linkerParameters(form, made.set),
      tags,
    });
    await queryClient.invalidateQueries({ queryKey: suggesterKeys.all });
    return name;
  }
  const pipeline: PlanStep[] = [];
  for (const need of made.needs) pipeline.push(await planStepOfRequirement(queryClient, project, need, made, words));
  const { name } = await createPlan(project, { label, parameters: { pipeline }, tags });
  await queryClient.invalidateQueries({ queryKey: planKeys.all });
  return name;
}
