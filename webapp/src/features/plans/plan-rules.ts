/** Rules of the plans screen. Pure. */
import {
  PLAN_PARTS,
  PLAN_TYPES,
  STEP_KINDS,
  type Plan,
  type PlanPartName,
  type PlanParameters,
  type PlanStep,
  type PlanType,
  type StepKind,
  type ParameterValues,
} from '@/api/resources/plans';

/** S-052: properties of a plan type. `special`: an active plan is used by the project automatically. */
export interface PlanTypeFlags {
  readonly special: boolean;
  /** Several plans may be active. */
  readonly multiple: boolean;
  /** The creation dialog offers to activate the plan. */
  readonly activateOnCreate: boolean;
  /** Project natures in which it is shown; absent: all three. */
  readonly natures?: readonly string[];
}

const QUESTIONS = 'question_answering';

export const FLAGS: Readonly<Record<PlanType, PlanTypeFlags>> = {
  annotation: { special: false, multiple: true, activateOnCreate: false },
  conversion: { special: true, multiple: false, activateOnCreate: true },
  segmentation: { special: true, multiple: false, activateOnCreate: true },
  vectorization: { special: true, multiple: true, activateOnCreate: true, natures: [QUESTIONS] },
  'search-params-builder': { special: true, multiple: false, activateOnCreate: true, natures: [QUESTIONS] },
  'rag-context-builder': { special: true, multiple: false, activateOnCreate: true, natures: [QUESTIONS] },
  'question-answerer': { special: true, multiple: false, activateOnCreate: true, natures: [QUESTIONS] },
};

/** C-080: the kind of the only step of a plan that is one part of answering questions. */
const QUESTION_STEPS: Readonly<Partial<Record<PlanType, StepKind>>> = {
  'search-params-builder': 'searchParamsBuilder',
  'rag-context-builder': 'ragContextBuilder',
  'question-answerer': 'questionAnswerer',
};

/** Whether a plan of this type has exactly one step, without condition. */
export const hasOneStep = (type: PlanType): boolean => QUESTION_STEPS[type] !== undefined;
/** Whether a step of this kind is the only one of its plan. */
export const isOnlyStep = (kind: StepKind): boolean => Object.values(QUESTION_STEPS).includes(kind);
/** Whether a plan of this type can be tried on a text: vectors and answers have none to show. */
export const canBeTried = (type: string): boolean => type === 'annotation' || type === 'conversion' || type === 'segmentation';

const isKnownPlanType = (type: string): type is PlanType => (PLAN_TYPES as readonly string[]).includes(type);
const isProjectOrActiveTag = (tag: string) => tag.startsWith('project-') || tag.startsWith('active-');

/** S-052: types that a project of that nature can create; existing plans are shown whatever the nature. */
export const planTypesFor = (nature: string | undefined): readonly PlanType[] =>
  PLAN_TYPES.filter((type) => FLAGS[type].natures?.includes(nature ?? '') ?? true);

export interface PlanGroup {
  readonly type: PlanType;
  readonly plans: readonly Plan[];
}

/** C-078, S-051: groups in order; within a group active plans first, then favourites; empty groups only for types of the project's nature. */
export function groupPlans(plans: readonly Plan[], nature: string | undefined): readonly PlanGroup[] {
  const made = planTypesFor(nature);
  const order = (a: Plan, b: Plan) =>
    Number(b.isActive) - Number(a.isActive) || Number(b.favorite) - Number(a.favorite) || a.label.localeCompare(b.label);
  return PLAN_TYPES.map((type): PlanGroup => ({ type, plans: plans.filter((plan) => plan.type === type).sort(order) })).filter(
    ({ type, plans: own }) => own.length > 0 || made.includes(type),
  );
}

export interface PlanPartGroups {
  readonly part: PlanPartName;
  readonly groups: readonly PlanGroup[];
}

/** S-051: the groups by part; parts without a group are left out. */
export const groupByPart = (groups: readonly PlanGroup[]): readonly PlanPartGroups[] =>
  (Object.keys(PLAN_PARTS) as PlanPartName[])
    .map((part) => ({ part, groups: groups.filter(({ type }) => (PLAN_PARTS[part] as readonly PlanType[]).includes(type)) }))
    .filter(({ groups: own }) => own.length > 0);

/** T-030: activating adds the active tag; deactivating removes both tags. */
export function tagsForActivation(plan: Pick<Plan, 'tags' | 'type'>, active: boolean): string[] {
  const rest = plan.tags.filter((tag) => !tag.startsWith('active-'));
  return active ? [...rest, `active-${plan.type}`] : plan.tags.filter((tag) => !isProjectOrActiveTag(tag));
}

/** T-030: a copy is neither favourite nor active. */
export const tagsOfCopy = (plan: Pick<Plan, 'tags'>): string[] => plan.tags.filter((tag) => !isProjectOrActiveTag(tag));

/**
 * The server treats a plan that reads files and annotates as an annotation plan unless a tag says otherwise (conflicts 30): the tags that
 * keep the type conversion.
 */
export function tagsKeepingType(type: PlanType, parameters: PlanParameters, tags: readonly string[]): readonly string[] {
  const annotates = parameters.pipeline.some((step) => step.annotator !== undefined || step.processor !== undefined);
  const named = tags.some((tag) => [type, `project-${type}`, `active-${type}`].includes(tag));
  return type === 'conversion' && annotates && !named ? [...tags, type] : tags;
}

export interface ComponentDraft {
  readonly name: string;
  readonly parameters: ParameterValues;
}

export interface StepDraft extends ComponentDraft {
  /** Stays the same when the step is moved. */
  readonly key: string;
  readonly kind: StepKind;
  readonly condition: ParameterValues | undefined;
  /** C-081; empty: the whole document. */
  readonly path: string;
  /** Empty: this project. */
  readonly projectName: string;
  readonly disabled: boolean;
}

export interface PlanDraft {
  readonly type: PlanType;
  readonly converter: ComponentDraft;
  readonly segmenter: ComponentDraft;
  readonly steps: readonly StepDraft[];
  /** Parameters that this editor does not show are preserved. */
  readonly rest: Pick<PlanParameters, 'formatter'>;
}

export const NO_COMPONENT: ComponentDraft = { name: '', parameters: {} };
let stepCount = 0;

/** Unique among all drafts of this browser, as drafts are kept over reloads. */
const newStepKey = () => `step-${Date.now().toString(36)}-${String((stepCount += 1))}`;

export const newStep = (kind: StepKind, name = ''): StepDraft => ({
  ...NO_COMPONENT,
  name,
  key: newStepKey(),
  kind,
  condition: undefined,
  path: '',
  projectName: '',
  disabled: false,
});

function toStepDraft(step: PlanStep): StepDraft {
  const kind = STEP_KINDS.find((one) => step[one] !== undefined) ?? 'annotator';
  return {
    ...newStep(kind),
    name: step[kind] ?? '',
    parameters: step.parameters ?? {},
    condition: step.condition,
    path: step.applyTo?.path ?? '',
    projectName: step.projectName ?? '',
    disabled: step.disabled === true,
  };
}

export function toPlanDraft(type: PlanType, parameters?: PlanParameters): PlanDraft {
  const part = (given: { name: string; parameters?: ParameterValues } | undefined): ComponentDraft =>
    given === undefined ? NO_COMPONENT : { name: given.name, parameters: given.parameters ?? {} };
  return {
    type,
    converter: part(parameters?.converter),
    segmenter: part(parameters?.segmenter),
    steps: parameters?.pipeline.map(toStepDraft) ?? [],
    rest: parameters?.formatter === undefined ? {} : { formatter: parameters.formatter },
  };
}

function toPlanStep(draft: StepDraft): PlanStep {
  const { kind, name, parameters, condition, path, projectName, disabled } = draft;
  return {
    [kind]: name,
    parameters,
    ...(condition !== undefined && { condition }),
    ...(path !== '' && path !== 'document' && { applyTo: { path } }),
    ...(projectName !== '' && { projectName }),
    ...(disabled && { disabled }),
  };
}

export function toPlanParameters(draft: PlanDraft): PlanParameters {
  return {
    ...draft.rest,
    ...(draft.converter.name !== '' && { converter: draft.converter }),
    ...(draft.segmenter.name !== '' && { segmenter: draft.segmenter }),
    pipeline: draft.steps.map(toPlanStep),
  };
}

/** C-080: component kinds allowed as steps of a plan. */
export function stepKindsFor(type: PlanType): readonly StepKind[] {
  const only = QUESTION_STEPS[type];
  if (only !== undefined) return [only];
  if (type === 'vectorization') return ['vectorizer'];
  return type === 'segmentation' ? [] : ['annotator', 'processor', 'languageGuesser', 'segmenter'];
}

export function withItemMoved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const next = [...items];
  const [item] = next.splice(from, 1);
  if (item === undefined || to < 0 || to > next.length) return items;
  next.splice(to, 0, item);
  return next;
}

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Errors of a part (`pipeline.0`), with field paths relative to it. */
export const errorsOfPart = (errors: readonly FieldError[], place: string): readonly FieldError[] =>
  errors.flatMap(({ field, message }) => (field.startsWith(`${place}.`) ? [{ field: field.slice(place.length + 1), message }] : []));

/** V-026: missing values, by field path; the server validates the rest. */
export function missingFieldErrors(draft: PlanDraft, words: string): readonly FieldError[] {
  const needs: readonly (readonly [boolean, string])[] = [
    [draft.type === 'conversion' && draft.converter.name === '' && draft.steps[0]?.kind !== 'converter', 'converter.name'],
    [draft.type === 'segmentation' && draft.segmenter.name === '' && draft.steps.length === 0, 'segmenter.name'],
    [hasOneStep(draft.type) && draft.steps.length === 0, 'pipeline'],
    ...draft.steps.map((step, index) => [step.name === '', `pipeline.${String(index)}.name`] as const),
  ];
  return needs.flatMap(([lacks, field]) => (lacks ? [{ field, message: words }] : []));
}

/** The parts of a plan in the order they run. */
export function planParts({
  converter,
  pipeline,
  segmenter,
}: PlanParameters): readonly { kind: StepKind; name: string; disabled: boolean; conditional: boolean }[] {
  const steps = pipeline.map((step) => {
    const { kind, name, disabled } = toStepDraft(step);
    return { kind, name, disabled, conditional: step.condition !== undefined };
  });
  return [
    ...(converter === undefined ? [] : [{ kind: 'converter' as const, name: converter.name, disabled: false, conditional: false }]),
    ...steps,
    ...(segmenter === undefined ? [] : [{ kind: 'segmenter' as const, name: segmenter.name, disabled: false, conditional: false }]),
  ];
}

export { isKnownPlanType as isPlanType };
