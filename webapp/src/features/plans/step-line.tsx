import { Plus } from 'lucide-react';
import { useEffect, useRef, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import {
  errorsOfPart,
  hasOneStep,
  newStep,
  NO_COMPONENT,
  withItemMoved,
  type FieldError,
  type PlanDraft,
  type StepDraft,
} from './plan-rules';
import { COMPONENT_DRAG, isDroppable, readDragged, STEP_DRAG } from './step-drag';
import { FixedPartRow, StepRow } from './step-row';
import { partKindsFor, type ComponentGroup, type OfferedComponent } from './use-plan-components';
import { useStepSummaries } from './use-step-summaries';
import styles from './plan-page.module.css';

/** The key of a step, or one of the parts that are no steps. */
export type SelectedPart = string;

export interface StepLineProps {
  readonly project: string;
  readonly draft: PlanDraft;
  readonly groups: readonly ComponentGroup[];
  readonly errors: readonly FieldError[];
  readonly selected: SelectedPart;
  readonly disabled: boolean;
  readonly onSelect: (part: SelectedPart) => void;
  readonly onChange: (draft: PlanDraft) => void;
  /** Offers the components to add. */
  readonly onAdd: () => void;
}

/** Moves the focus to a row after the list has rendered. */
function useRowFocus() {
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-step="${wanted.current}"] [data-row]`)?.focus();
    wanted.current = null;
  });
  return { list, focusAfterRender: (key: string) => (wanted.current = key) };
}

/** Whether a part that is no step is shown: those of the type, and those that the plan has all the same. */
const hasPart = (draft: PlanDraft, part: 'converter' | 'segmenter'): boolean =>
  draft[part].name !== '' ||
  (part === 'converter'
    ? draft.type === 'conversion' && draft.steps[0]?.kind !== 'converter'
    : draft.type === 'conversion' || (draft.type === 'segmentation' && draft.steps.length === 0));

const firstError = (errors: readonly FieldError[], place: string) => errorsOfPart(errors, place)[0]?.message;

/** Adds a component: as a step at a place, as the converter or segmenter of a plan that has one, or as the only step. */
export function withComponent(draft: PlanDraft, { kind, name }: Pick<OfferedComponent, 'kind' | 'name'>, at: number) {
  if (kind === 'converter' || (kind === 'segmenter' && draft.type === 'segmentation'))
    return { draft: { ...draft, [kind]: { ...NO_COMPONENT, name } }, selected: kind };
  const step = newStep(kind, name);
  if (hasOneStep(draft.type)) return { draft: { ...draft, steps: [step] }, selected: step.key };
  return { draft: { ...draft, steps: draft.steps.toSpliced(at, 0, step) }, selected: step.key };
}

/** Dragged components and steps are dropped between the steps. */
function useStepDrop({ draft, disabled, onChange, onSelect }: StepLineProps) {
  const [target, setTarget] = useState<number | null>(null);
  const drop = (event: DragEvent) => {
    setTarget(null);
    if (disabled) return;
    event.preventDefault();
    const at = target ?? draft.steps.length;
    const added = readDragged<Pick<OfferedComponent, 'kind' | 'name'>>(event, COMPONENT_DRAG);
    const moved = readDragged<{ key: string }>(event, STEP_DRAG);
    if (added !== null && partKindsFor(draft.type).includes(added.kind)) {
      const next = withComponent(draft, added, at);
      onChange(next.draft);
      onSelect(next.selected);
    } else if (moved !== null) {
      const from = draft.steps.findIndex(({ key }) => key === moved.key);
      if (from >= 0) onChange({ ...draft, steps: withItemMoved(draft.steps, from, at > from ? at - 1 : at) });
    }
  };
  const over = (event: DragEvent) => {
    if (!disabled && isDroppable(event)) event.preventDefault();
  };
  const overRow = (event: DragEvent<HTMLLIElement>, index: number) => {
    if (disabled || !isDroppable(event)) return;
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    setTarget(event.clientY < top + height / 2 ? index : index + 1);
  };
  const place = (index: number) => {
    if (target === index) return 'before';
    return target === draft.steps.length && target === index + 1 ? 'after' : undefined;
  };
  return { over, overRow, drop, place, leave: () => setTarget(null) };
}

/** Changes of the order and of the list, each with where the focus goes. */
function useStepEdits({ draft, onChange, onSelect, selected }: StepLineProps, focusAfterRender: (key: string) => void) {
  const { t } = useTranslation('plans');
  const [announced, setAnnounced] = useState('');
  const { steps } = draft;
  const write = (next: readonly StepDraft[]) => onChange({ ...draft, steps: next });
  return {
    announced,
    move: (step: StepDraft, from: number, to: number) => {
      if (to < 0 || to >= steps.length) return;
      focusAfterRender(step.key);
      setAnnounced(t('page.moved', { number: to + 1, count: steps.length }));
      write(withItemMoved(steps, from, to));
    },
    copy: (step: StepDraft, index: number) => {
      const copy = { ...step, key: newStep(step.kind).key };
      write(steps.toSpliced(index + 1, 0, copy));
      onSelect(copy.key);
      focusAfterRender(copy.key);
    },
    remove: (step: StepDraft, index: number) => {
      const next = steps[index + 1] ?? steps[index - 1];
      if (selected === step.key) onSelect(next?.key ?? '');
      if (next !== undefined) focusAfterRender(next.key);
      setAnnounced(t('page.removed', { number: index + 1 }));
      write(steps.filter(({ key }) => key !== step.key));
    },
    toggle: (step: StepDraft) => write(steps.map((one) => (one.key === step.key ? { ...one, disabled: !one.disabled } : one))),
  };
}

/** The parts of a plan in the order they work, to be reordered by drag and keyboard. */
export function StepLine(props: StepLineProps) {
  const { project, draft, groups, errors, selected, disabled, onSelect, onAdd } = props;
  const { t } = useTranslation('plans');
  const { list, focusAfterRender } = useRowFocus();
  const edits = useStepEdits(props, focusAfterRender);
  const dropping = useStepDrop(props);
  const { steps, converter, segmenter } = draft;
  const fixed = [
    { ...converter, kind: 'converter' as const },
    { ...segmenter, kind: 'segmenter' as const },
  ];
  const [converterSummary, segmenterSummary, ...summaries] = useStepSummaries(project, [...fixed, ...steps], groups);
  const leavesSegmenter = segmenter.name === '' && draft.type === 'conversion';
  const fixedRow = (part: 'converter' | 'segmenter', summary = converterSummary) =>
    summary !== undefined &&
    hasPart(draft, part) && (
      <FixedPartRow
        title={t(part === 'converter' ? 'reads' : 'cuts')}
        kind={part}
        summary={part === 'segmenter' && leavesSegmenter ? { ...summary, title: t('asProject') } : summary}
        current={selected === part}
        wrong={firstError(errors, part)}
        onSelect={() => onSelect(part)}
      />
    );
  return (
    <section
      className={styles['line']}
      aria-label={t('steps')}
      onDragOver={dropping.over}
      onDrop={dropping.drop}
      onDragLeave={dropping.leave}
    >
      {errors
        .filter(({ field }) => field === 'pipeline' || field === 'tags')
        .map(({ message }) => (
          <p key={message} role="alert" className={styles['wrong']}>
            {message}
          </p>
        ))}
      {steps.length === 0 && !hasPart(draft, 'converter') && !hasPart(draft, 'segmenter') && (
        <p className={styles['quiet']}>{t(hasOneStep(draft.type) ? 'page.emptyOne' : 'page.empty')}</p>
      )}
      <ol ref={list} className={styles['rows']}>
        {fixedRow('converter')}
        {steps.map((step, index) => (
          <StepRow
            key={step.key}
            {...{ step, index, disabled }}
            count={steps.length}
            summary={summaries[index] ?? { title: step.name, text: '', missing: false }}
            current={selected === step.key}
            wrong={firstError(errors, `pipeline.${String(index)}`)}
            drop={dropping.place(index)}
            onSelect={() => onSelect(step.key)}
            onMove={(to) => edits.move(step, index, to)}
            onCopy={() => edits.copy(step, index)}
            onRemove={() => edits.remove(step, index)}
            onToggle={() => edits.toggle(step)}
            onFocusRow={(at) => list.current?.querySelectorAll<HTMLElement>('[data-step] [data-row]')[at]?.focus()}
            onDragOver={(event) => dropping.overRow(event, index)}
          />
        ))}
        {fixedRow('segmenter', segmenterSummary)}
      </ol>
      {partKindsFor(draft.type).length > 0 && !(hasOneStep(draft.type) && steps.length > 0) && (
        <p className={styles['add']}>
          <Button icon={Plus} keyCap="A" disabled={disabled} onClick={onAdd}>
            {t(hasOneStep(draft.type) ? 'page.chooseOne' : 'addStep')}
          </Button>
          <span className={styles['quiet']}>{t('page.orDrag')}</span>
        </p>
      )}
      <p role="status" className="visually-hidden">
        {edits.announced}
      </p>
    </section>
  );
}
