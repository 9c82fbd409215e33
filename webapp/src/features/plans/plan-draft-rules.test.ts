// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { countChanges, draftOfJson, planToJson, withKeysOf, type EditedPlan } from './plan-draft-rules';
import { newStep, toPlanDraft, withItemMoved } from './plan-rules';
import { formatSeconds, lastRunStep, segmentsOfStage, stageAfter, stageToJson, START } from './trial-rules';
import { changedSettings } from './use-step-summaries';

const PLAN = toPlanDraft('annotation', { pipeline: [{ annotator: 'a' }, { processor: 'b' }, { segmenter: 'c' }] });
const BASE: EditedPlan = { label: 'Chain', plan: PLAN, active: false };
const withSteps = (steps: EditedPlan['plan']['steps']): EditedPlan => ({ ...BASE, plan: { ...PLAN, steps } });

describe('what is unsaved', () => {
  it('counts each thing once', () => {
    const [first, second, third] = PLAN.steps;
    if (first === undefined || second === undefined || third === undefined) throw new Error('three steps');
    expect(countChanges(BASE, BASE)).toBe(0);
    expect(countChanges(BASE, { ...BASE, label: 'Other' })).toBe(1);
    expect(countChanges(BASE, withSteps(withItemMoved(PLAN.steps, 0, 2)))).toBe(1);
    expect(countChanges(BASE, withSteps([second, third]))).toBe(1);
    expect(countChanges(BASE, withSteps([...PLAN.steps, newStep('processor', 'd')]))).toBe(1);
    expect(countChanges(BASE, withSteps([{ ...first, disabled: true }, second, third]))).toBe(1);
    expect(countChanges(BASE, withSteps([third, { ...first, disabled: true }]))).toBe(3);
  });

  it('keeps the keys of steps that stay', () => {
    const next = withKeysOf(toPlanDraft('annotation', { pipeline: [{ annotator: 'a' }, { processor: 'x' }] }), PLAN);
    expect(next.steps[0]?.key).toBe(PLAN.steps[0]?.key);
    expect(next.steps[1]?.key).not.toBe(PLAN.steps[1]?.key);
  });

  it.each(['', '[]', '{}', '{"pipeline": 1}', '{"pipeline": [{}]}', '{"pipeline": [], "more": 1}', '{"pipeline": [], "converter": 1}'])(
    'reads no plan from %s',
    (text) => expect(draftOfJson('annotation', text)).toBeNull(),
  );

  it('writes and reads the same plan', () => {
    const again = draftOfJson('annotation', planToJson(PLAN));
    expect(again === null ? '' : planToJson(again)).toBe(planToJson(PLAN));
  });

  it('names the settings that differ from the defaults', () => {
    const form = { schema: { properties: { a: { title: 'Case' }, b: {}, c: {} } }, defaults: { a: true, b: 1, c: ['x'] } };
    const texts = { on: 'on', off: 'off' };
    expect(changedSettings(form, { a: false, b: 2, c: ['x'], d: 4 }, texts)).toEqual(['Case: off', 'b: 2']);
  });
});

describe('the document after each step', () => {
  const item = (id: number, start: number, end: number) => ({ id, kind: 'annotation' as const, labelName: 'person', start, end });
  const trial = {
    text: '😀 Ana met Bo. End.',
    cut: false,
    items: [item(0, 2, 5), item(1, 10, 12), { id: 2, kind: 'category' as const, labelName: 'news' }],
    start: { seconds: 0, items: [1], count: 1, segments: [[0, 13] as const, [14, 18] as const], segmentCount: 2 },
    steps: [
      { state: 'done' as const, added: [0], removed: [] },
      { state: 'done' as const, added: [2], removed: [1], metadata: { language: 'fr' } },
      { state: 'failed' as const },
      { state: 'notReached' as const },
    ],
  };

  it('adds and removes step by step', () => {
    expect(stageAfter(trial, START).items.map(({ id }) => id)).toEqual([1]);
    expect(stageAfter(trial, 0).items.map(({ id }) => id)).toEqual([0, 1]);
    const last = stageAfter(trial, 1);
    expect([last.items.map(({ id }) => id), last.removed.map(({ id }) => id), last.metadata]).toEqual([[0, 2], [1], { language: 'fr' }]);
    expect(JSON.parse(stageToJson(trial.text, last))).toMatchObject({ metadata: { language: 'fr' }, categories: [{ labelName: 'news' }] });
    expect(lastRunStep(trial.steps)).toBe(2);
  });

  it('draws each segment with UTF-16 offsets and what changed', () => {
    const [first, second] = segmentsOfStage(trial.text, stageAfter(trial, 1));
    expect(first?.text).toBe('😀 Ana met Bo.');
    expect(first?.spans.map(({ start, end, change, status }) => [start, end, change, status])).toEqual([
      [3, 6, undefined, 'confirmed'],
      [11, 13, 'removed', 'rejected'],
    ]);
    expect([first?.changed, second?.changed, second?.spans]).toEqual([true, false, []]);
  });

  it('shows short and long times', () => {
    expect([0.0004, 0.05, 0.31, 41.2].map((one) => formatSeconds(one, 'en').replace('\u202F', ' '))).toEqual([
      '1 ms',
      '50 ms',
      '0.3 s',
      '41 s',
    ]);
  });
});
