/** Rules of the plans screen, without any drawing. */
import {
  PLAN_TYPES,
  QUESTION_TYPES,
  STEP_KINDS,
  type Plan,
  type PlanParameters,
  type PlanStep,
  type PlanType,
  type QuestionPlanType,
  type StepKind,
  type ParameterValues,
} from '@/api/resources/plans';

/** S-052: what a type of plan is. `special`: it works for the project when it is active. */
export interface PlanTypeFlags {
  readonly special: boolean;
  /** Several may be active. */
  readonly multiple: boolean;
  /** The dialog of a new one asks whether it shall work at once. */
  readonly activateOnCreate: boolean;
  /** Natures of projects it is shown for; absent: all three. */
  readonly natures?: readonly string[];
}

const QUESTIONS = 'question_answering';

export const FLAGS: Readonly<Record<PlanType, PlanTypeFlags>> = {
  annotation: { special: false, multiple: true, activateOnCreate: false },
  conversion: { special: true, multiple: false, activateOnCreate: true },
  segmentation: { special: true, multiple: false, activateOnCreate: true },
  vectorization: { special: true, multiple: true, activateOnCreate: true, natures: [QUESTIONS] },
};

const isKnownPlanType = (type: string): type is PlanType => (PLAN_TYPES as readonly string[]).includes(type);
const isProjectOrActiveTag = (tag: string) => tag.startsWith('project-') || tag.startsWith('active-');

/** S-052: types a project of that nature makes; those it has are shown whatever its nature. */
export const planTypesFor = (nature: string | undefined): readonly PlanType[] =>
  PLAN_TYPES.filter((type) => FLAGS[type].natures?.includes(nature ?? '') ?? true);

export interface PlanGroup {
  readonly type: PlanType | QuestionPlanType;
  readonly plans: readonly Plan[];
}

/**
 * C-078, S-051: groups in order, favourites first; empty ones only where the nature of the project has such plans. Those
 * of question answering come last: nothing makes such plans yet, and the list says so.
 */
export function groupPlans(plans: readonly Plan[], nature: string | undefined): readonly PlanGroup[] {
  const made = planTypesFor(nature);
  const order = (a: Plan, b: Plan) =>
    Number(b.isActive) - Number(a.isActive) || Number(b.favorite) - Number(a.favorite) || a.label.localeCompare(b.label);
  const asking: readonly PlanGroup[] = nature === QUESTIONS ? QUESTION_TYPES.map((type) => ({ type, plans: [] })) : [];
  return PLAN_TYPES.map((type): PlanGroup => ({ type, plans: plans.filter((plan) => plan.type === type).sort(order) }))
    .filter(({ type, plans: own }) => own.length > 0 || (isKnownPlanType(type) && made.includes(type)))
    .concat(asking);
}

/** T-030: active adds the active tag; deactivating removes both. */
export function tagsForActivation(plan: Pick<Plan, 'tags' | 'type'>, active: boolean): string[] {
  const rest = plan.tags.filter((tag) => !tag.startsWith('active-'));
  return active ? [...rest, `active-${plan.type}`] : plan.tags.filter((tag) => !isProjectOrActiveTag(tag));
}

/** T-030: a copy is neither favourite nor active. */
export const tagsOfCopy = (plan: Pick<Plan, 'tags'>): string[] => plan.tags.filter((tag) => !isProjectOrActiveTag(tag));

/**
 * The server takes a plan that reads files and annotates for an annotation plan unless a tag says otherwise (conflicts 30);
 * here: the tags that keep a conversion plan one.
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
  /** Stays with the step while it moves. */
  readonly key: string;
  readonly kind: StepKind;
  readonly condition: ParameterValues | undefined;
  /** C-081, empty: the document. */
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
  /** What this editor does not show is kept. */
  readonly rest: Pick<PlanParameters, 'formatter'>;
}

const EMPTY: ComponentDraft = { name: '', parameters: {} };
let partDraft = 0;

export const newStep = (kind: StepKind): StepDraft => ({
  ...EMPTY,
  key: `step-${String((partDraft += 1))}`,
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
    given === undefined ? EMPTY : { name: given.name, parameters: given.parameters ?? {} };
  const first = type === 'vectorization' ? [newStep('vectorizer')] : type === 'annotation' ? [newStep('annotator')] : [];
  return {
    type,
    converter: part(parameters?.converter),
    segmenter: part(parameters?.segmenter),
    steps: parameters === undefined ? first : parameters.pipeline.map(toStepDraft),
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

/** C-080: which kinds a step of a plan may be of. */
export function stepKindsFor(type: PlanType): readonly StepKind[] {
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

/** Errors on a part (`pipeline.0`), their fields within it. */
export const errorsOfPart = (errors: readonly FieldError[], place: string): readonly FieldError[] =>
  errors.flatMap(({ field, message }) => (field.startsWith(`${place}.`) ? [{ field: field.slice(place.length + 1), message }] : []));

/** V-026: what is not filled in, by place; the server checks the rest. */
export function missingFieldErrors(draft: PlanDraft, words: string): readonly FieldError[] {
  const needs: readonly (readonly [boolean, string])[] = [
    [draft.type === 'conversion' && draft.converter.name === '' && draft.steps[0]?.kind !== 'converter', 'converter.name'],
    [draft.type === 'segmentation' && draft.segmenter.name === '' && draft.steps.length === 0, 'segmenter.name'],
    ...draft.steps.map((step, index) => [step.name === '', `pipeline.${String(index)}.name`] as const),
  ];
  return needs.flatMap(([lacks, field]) => (lacks ? [{ field, message: words }] : []));
}

/** The parts of a plan in the order they work, for a list. */
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
