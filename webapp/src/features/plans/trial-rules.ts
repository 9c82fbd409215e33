/** The document after each step of a trial. Pure. */
import type { PlanTrial, SegmentOffsets, TrialItem, TrialStep } from '@/api/resources/plan-trials';
import { DocumentSerializer } from '@/annotation/document-serializer';
import type { Span } from '@/annotation/model';

/** The document after a step, or before the first one (`START`). */
export interface TrialStage {
  readonly items: readonly TrialItem[];
  readonly added: ReadonlySet<number>;
  readonly removed: readonly TrialItem[];
  readonly segments: readonly SegmentOffsets[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

export const START = -1;

export function stageAfter(trial: PlanTrial, index: number): TrialStage {
  const ids = new Set(trial.start.items);
  let { segments } = trial.start;
  const metadata: Record<string, unknown> = {};
  const run = trial.steps.slice(0, index + 1);
  for (const step of run) {
    for (const id of step.removed ?? []) ids.delete(id);
    for (const id of step.added ?? []) ids.add(id);
    segments = step.segments ?? segments;
    Object.assign(metadata, step.metadata);
  }
  const last = run.at(-1);
  const removed = new Set(last?.removed);
  return {
    items: trial.items.filter(({ id }) => ids.has(id)),
    added: new Set(last?.added),
    removed: trial.items.filter(({ id }) => removed.has(id)),
    segments: segments.length === 0 ? [[0, [...trial.text].length]] : segments,
    metadata,
  };
}

/** A segment with what is drawn in it. */
export interface StageSegment {
  readonly key: string;
  readonly text: string;
  readonly spans: readonly Span[];
  readonly categories: readonly TrialItem[];
  readonly changed: boolean;
}

function drawnSpan(serializer: DocumentSerializer, item: TrialItem, end: number, stage: TrialStage): Span {
  const { id, labelName, score, creationMode, createdBy, start = 0 } = item;
  const api = { identifier: `trial-${String(id)}`, start, end: Math.min(item.end ?? end, end), labelName, score, creationMode, createdBy };
  const gone = stage.removed.some((one) => one.id === id);
  const change = gone ? 'removed' : stage.added.has(id) ? 'added' : undefined;
  return { ...serializer.span(api), status: gone || item.status === 'KO' ? 'rejected' : 'confirmed', change };
}

const isInside = (item: TrialItem, [start, end]: SegmentOffsets, last: boolean): boolean =>
  item.start !== undefined && item.start >= start && (item.start < end || (last && item.start === end));

/** The segments of a stage in order. A span that reaches beyond its segment is drawn to the end of it. */
export function segmentsOfStage(text: string, stage: TrialStage): readonly StageSegment[] {
  const whole = new DocumentSerializer(text);
  const shown = [...stage.items, ...stage.removed].sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
  const isChanged = ({ id }: TrialItem) => stage.added.has(id) || stage.removed.some((one) => one.id === id);
  let next = 0;
  return stage.segments.map((segment, index) => {
    const [start, end] = segment;
    const range = whole.range(start, end);
    const slice = text.slice(range.start, range.end);
    const own: TrialItem[] = [];
    for (let item = shown[next]; item !== undefined && (item.start ?? 0) <= end; item = shown[next]) {
      if (item.start !== undefined && item.start === end && index < stage.segments.length - 1) break;
      if (isInside(item, segment, index === stage.segments.length - 1)) own.push(item);
      next += 1;
    }
    const serializer = new DocumentSerializer(slice, start);
    return {
      key: `${String(start)}-${String(end)}`,
      text: slice,
      spans: own.filter(({ kind }) => kind === 'annotation').map((item) => drawnSpan(serializer, item, end, stage)),
      categories: own.filter(({ kind }) => kind === 'category'),
      changed: own.some(isChanged),
    };
  });
}

/** Categories of the whole document. */
export const documentCategories = ({ items, removed }: TrialStage): readonly TrialItem[] =>
  [...items, ...removed].filter(({ kind, start }) => kind === 'category' && start === undefined);

/** The last step that ran; what it left is the result of the plan. */
export function lastRunStep(steps: readonly TrialStep[]): number {
  const failed = steps.findIndex(({ state }) => state === 'failed');
  return failed >= 0 ? failed : steps.length - 1;
}

/** The stage as JSON, in the form of documents. */
export function stageToJson(text: string, { items, metadata }: TrialStage): string {
  const of = (kind: TrialItem['kind']) => items.filter((item) => item.kind === kind).map(({ id: _id, kind: _kind, ...item }) => item);
  return JSON.stringify({ text, metadata, annotations: of('annotation'), categories: of('category') }, null, 2);
}

/** `12 ms`, `0.3 s`, `41 s`. */
export function formatSeconds(seconds: number, language: string): string {
  const number = (value: number, digits: number) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
  if (seconds < 0.1) return `${number(Math.ceil(seconds * 1000), 0)}\u202Fms`;
  return `${number(seconds, seconds < 10 ? 1 : 0)}\u202Fs`;
}
