/** Rules of a plan that is being edited: what is unsaved, and its JSON. Pure. */
import { STEP_KINDS, type PlanParameters, type PlanType } from '@/api/resources/plans';
import { withSortedKeys } from '@/blocks/engines/engine-changes';
import { toPlanDraft, toPlanParameters, type PlanDraft, type StepDraft } from './plan-rules';

export interface EditedPlan {
  /** Null: the proposed name. */
  readonly label: string | null;
  readonly plan: PlanDraft;
  /** New plans only: activated when created. */
  readonly active: boolean;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(withSortedKeys(a)) === JSON.stringify(withSortedKeys(b));

/** Everything of a step but the key. */
const contentOf = ({ key: _key, ...content }: StepDraft) => content;

/** How many things differ: name, each part, each step, and the order. */
export function countChanges(base: EditedPlan, now: EditedPlan): number {
  const before = new Map(base.plan.steps.map((step) => [step.key, step]));
  const keys = new Set(now.plan.steps.map(({ key }) => key));
  const remaining = (steps: readonly StepDraft[], others: { has(key: string): boolean }) =>
    steps.flatMap(({ key }) => (others.has(key) ? [key] : []));
  const changed = now.plan.steps.filter((step) => {
    const known = before.get(step.key);
    return known === undefined || !same(contentOf(known), contentOf(step));
  });
  const facts = [
    base.label !== now.label,
    base.active !== now.active,
    !same(base.plan.converter, now.plan.converter),
    !same(base.plan.segmenter, now.plan.segmenter),
    !same(base.plan.rest, now.plan.rest),
    !same(remaining(base.plan.steps, keys), remaining(now.plan.steps, before)),
  ];
  const removed = base.plan.steps.filter(({ key }) => !keys.has(key));
  return facts.filter(Boolean).length + changed.length + removed.length;
}

/** Gives the steps the keys of the old ones at the same place with the same component, so that they stay selected. */
export function withKeysOf(next: PlanDraft, old: PlanDraft): PlanDraft {
  const steps = next.steps.map((step, index) => {
    const known = old.steps[index];
    return known?.kind === step.kind && known.name === step.name ? { ...step, key: known.key } : step;
  });
  return { ...next, steps };
}

export const planToJson = (draft: PlanDraft): string => JSON.stringify(toPlanParameters(draft), null, 2);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPart = (value: unknown): boolean => value === undefined || (isObject(value) && typeof value['name'] === 'string');

const isStep = (value: unknown): boolean => isObject(value) && STEP_KINDS.filter((kind) => typeof value[kind] === 'string').length === 1;

/** The draft that a JSON text describes; null if it is no plan. Names and parameters are validated by the server. */
export function draftOfJson(type: PlanType, text: string): PlanDraft | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value) || !Array.isArray(value['pipeline']) || !value['pipeline'].every(isStep)) return null;
  if (![value['converter'], value['segmenter'], value['formatter']].every(isPart)) return null;
  const known = ['pipeline', 'converter', 'segmenter', 'formatter'];
  return Object.keys(value).every((key) => known.includes(key)) ? toPlanDraft(type, value as unknown as PlanParameters) : null;
}
