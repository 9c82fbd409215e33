import { ArrowLeft, Undo2 } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { defaultPlansQuery, type Plan } from '@/api/resources/plans';
import { useSessionStore } from '@/state/session-store';
import { Button } from '@/ui/button';
import { SegmentedControl, SwitchRow } from '@/ui/choice-inputs';
import { useCommands } from '@/ui/command-registry';
import { TextInput } from '@/ui/field';
import { IconButton } from '@/ui/icon-button';
import { useMediaQuery } from '@/ui/media-query';
import { Notice } from '@/ui/notice';
import { Page } from '@/ui/page';
import { Toolbar, ToolbarMore } from '@/ui/toolbar';
import { openPalette } from '@/ui/palette-store';
import { ComponentList } from './component-list';
import { JsonField } from './json-field';
import { PlanStateBadges } from './plan-detail';
import { draftOfJson, planToJson, withKeysOf, type EditedPlan } from './plan-draft-rules';
import { canBeTried, FLAGS, missingFieldErrors, toPlanDraft, toPlanParameters, type FieldError, type PlanDraft } from './plan-rules';
import { StepLine, withComponent, type SelectedPart } from './step-line';
import { StepPanel } from './step-panel';
import { TrialPanel } from './trial-panel';
import { findComponent, usePlanComponents, type OfferedComponent } from './use-plan-components';
import { planDraftKey, usePlanDraft, type PlanDraftState } from './use-plan-draft';
import { useProposedLabel, useSavePlan, type PlanToEdit } from './use-save-plan';
import styles from './plan-page.module.css';

export interface PlanPageProps {
  readonly project: string;
  readonly edited: PlanToEdit;
  readonly writable: boolean;
  readonly mayActivate: boolean;
  /** A plan of this type is already active. */
  readonly activeThere: boolean;
  readonly onClose: () => void;
  readonly onCreated: (name: string) => void;
}

const PANES = ['components', 'steps', 'step', 'trial'] as const;
type Pane = (typeof PANES)[number];

function firstPart({ type, steps, converter }: PlanDraft): SelectedPart {
  if (type === 'conversion' && (converter.name !== '' || steps[0]?.kind !== 'converter')) return 'converter';
  return steps[0]?.key ?? (type === 'segmentation' ? 'segmenter' : '');
}

/** The part of a plan that an error belongs to. */
function partOfError({ field }: FieldError, { steps }: PlanDraft): SelectedPart {
  const index = /^pipeline\.(\d+)/.exec(field)?.[1];
  return index === undefined ? (field.split('.')[0] ?? '') : (steps[Number(index)]?.key ?? '');
}

/** The edited plan, what is wrong with it, and how it is saved. */
function usePlanEditing({ project, edited, writable, onCreated }: PlanPageProps) {
  const { t } = useTranslation('plans');
  const { mode, plan, type } = edited;
  const username = useSessionStore((state) => state.principal?.username ?? '');
  const fresh = (stored: Plan | undefined): EditedPlan => {
    const from = stored ?? plan;
    return { label: mode === 'edit' ? (from?.label ?? '') : null, plan: toPlanDraft(type, from?.parameters), active: false };
  };
  const key = planDraftKey(username, project, mode, plan?.name ?? type);
  const state = usePlanDraft(key, mode === 'edit' ? plan : undefined, fresh);
  const { now } = state;
  const [selected, setSelected] = useState<SelectedPart>(() => firstPart(now.plan));
  const [errors, setErrors] = useState<readonly FieldError[]>([]);
  const fallback = useProposedLabel(project, edited);
  const save = useSavePlan(project, edited, (name, saved) => {
    if (mode === 'edit') state.markSaved(saved);
    else {
      state.forget();
      onCreated(name);
    }
  });
  const showErrors = (found: readonly FieldError[]) => {
    setErrors(found);
    if (found[0] !== undefined) setSelected(partOfError(found[0], now.plan));
  };
  /** False: what is missing is shown. */
  const isComplete = () => {
    const lacking = missingFieldErrors(now.plan, t('chooseComponent'));
    showErrors(lacking);
    return lacking.length === 0;
  };
  const mayWrite = writable && !save.isPending;
  const maySave = mayWrite && (mode !== 'edit' || state.changes > 0);
  const submit = () => {
    if (!maySave || !isComplete()) return;
    const label = (now.label ?? '').trim() || (mode === 'edit' ? (plan?.label ?? fallback) : fallback);
    save.mutate(
      { edited: { ...now, label: mode === 'edit' ? label : now.label }, label, version: state.version },
      { onError: (error) => showErrors(error instanceof ApiError ? error.fields : []) },
    );
  };
  const change = (part: Partial<EditedPlan>, touched = '') => {
    setErrors([]);
    state.change(part, touched);
  };
  return { state, now, selected, setSelected, errors, showErrors, isComplete, fallback, save, mayWrite, maySave, submit, change };
}

type PlanEditing = ReturnType<typeof usePlanEditing>;

function PlanToolbar({ props, editing, json, onJson }: ToolbarProps) {
  const { t } = useTranslation('plans');
  const { edited, onClose } = props;
  const { state, now, fallback, save, mayWrite, maySave, submit, change } = editing;
  const { mode, plan } = edited;
  return (
    <Toolbar
      end={
        <>
          <span className={styles['quiet']} role="status">
            {state.changes > 0 ? t('page.unsaved', { count: state.changes }) : mode === 'edit' ? t('page.saved') : ''}
          </span>
          <ToolbarMore>
            <SegmentedControl
              label={t('page.view')}
              value={json ? 'json' : 'steps'}
              onChange={(view) => onJson(view === 'json')}
              options={[
                { value: 'steps', label: t('steps') },
                { value: 'json', label: 'JSON' },
              ]}
            />
            <IconButton icon={Undo2} label={t('page.undo')} keyCap="Ctrl Z" disabled={!mayWrite || !state.canUndo} onClick={state.undo} />
            <Button disabled={!mayWrite || state.changes === 0} onClick={state.discard}>
              {t('page.discard')}
            </Button>
          </ToolbarMore>
          <Button kind="solid" keyCap="Ctrl S" busy={save.isPending} disabled={!maySave} onClick={submit}>
            {t(mode === 'edit' ? 'page.save' : 'create')}
          </Button>
        </>
      }
    >
      <IconButton icon={ArrowLeft} label={t('page.back')} onClick={onClose} />
      <div className={styles['label']}>
        <TextInput
          label={t('label')}
          hideLabel
          value={now.label ?? fallback}
          placeholder={fallback}
          maxLength={255}
          disabled={!mayWrite}
          onChange={(label) => change({ label }, 'label')}
        />
      </div>
      {mode === 'edit' && plan !== undefined && <PlanStateBadges plan={plan} />}
    </Toolbar>
  );
}

interface ToolbarProps {
  readonly props: PlanPageProps;
  readonly editing: PlanEditing;
  readonly json: boolean;
  readonly onJson: (json: boolean) => void;
}

/** Somebody else saved the plan since the changes began. */
function ConflictNotice({ state }: { readonly state: PlanDraftState }) {
  const { t } = useTranslation('plans');
  return (
    <Notice tone="warning" role="alert">
      <p>{t('page.conflict')}</p>
      <div className={styles['verbs']}>
        <Button small onClick={state.keepMine}>
          {t('page.keepMine')}
        </Button>
        <Button small onClick={state.discard}>
          {t('page.takeTheirs')}
        </Button>
      </div>
    </Notice>
  );
}

/** S-054: the defaults for a new plan; and whether it is activated when created. */
function NewPlanOptions({ props, editing }: Pick<ToolbarProps, 'props' | 'editing'>) {
  const { t } = useTranslation('plans');
  const { project, edited, mayActivate, activeThere } = props;
  const { type, mode } = edited;
  const { now, mayWrite, change } = editing;
  const parameters = useQuery({ ...defaultPlansQuery(project), enabled: mode === 'create' }).data?.get(type);
  if (mode === 'edit') return null;
  return (
    <>
      {mode === 'create' && parameters !== undefined && (
        <div>
          <Button small disabled={!mayWrite} onClick={() => change({ plan: toPlanDraft(type, parameters) })}>
            {t('beginWithDefaults')}
          </Button>
        </div>
      )}
      {mayActivate && FLAGS[type].activateOnCreate && (
        <SwitchRow
          label={t('activateNow')}
          help={t(activeThere && !FLAGS[type].multiple ? `replaces.${type}` : `activated.${type}`)}
          checked={now.active}
          onChange={(active) => change({ active })}
          disabled={!mayWrite}
        />
      )}
    </>
  );
}

function PlanJson({ editing }: { readonly editing: PlanEditing }) {
  const { t } = useTranslation('plans');
  const { now, mayWrite, change } = editing;
  const write = (text: string) => {
    const next = draftOfJson(now.plan.type, text);
    if (next !== null) change({ plan: withKeysOf(next, now.plan) }, 'json');
    return next !== null;
  };
  return (
    <JsonField
      label={t('page.planJson')}
      help={t('page.planJsonHelp')}
      text={planToJson(now.plan)}
      onText={write}
      rows={16}
      disabled={!mayWrite}
    />
  );
}

interface PaneProps {
  readonly props: PlanPageProps;
  readonly editing: PlanEditing;
  readonly groups: ReturnType<typeof usePlanComponents>;
}

function TrialPane({ props, editing, groups }: PaneProps) {
  const { t } = useTranslation('plans');
  const { plan } = editing.now;
  if (!canBeTried(plan.type))
    return <p className={styles['none']}>{t(plan.type === 'vectorization' ? 'trial.noVectors' : 'trial.noQuestions')}</p>;
  return (
    <TrialPanel
      project={props.project}
      plan={{ parameters: toPlanParameters(plan) }}
      titles={plan.steps.map(({ kind, name }) => findComponent(groups, kind, name)?.title ?? name)}
      onBeforeRun={editing.isComplete}
      onErrors={editing.showErrors}
    />
  );
}

/** Keys of the page: add, save, undo; those of the rows are listed for the help only. */
function usePlanKeys({ submit, state, mayWrite }: PlanEditing, onAdd: () => void): void {
  const { t } = useTranslation('plans');
  useCommands(() => [
    { id: 'plans.add', section: 'screen', title: t('addStep'), keys: ['A'], disabled: !mayWrite, run: onAdd },
    { id: 'plans.save', section: 'screen', title: t('page.save'), keys: ['Mod+S'], everywhere: true, run: submit },
    { id: 'plans.undo', section: 'screen', title: t('page.undo'), keys: ['Mod+Z'], disabled: !state.canUndo, run: state.undo },
    { id: 'plans.up', section: 'screen', title: t('page.moveUp'), keys: ['Alt+ArrowUp'], ownKeys: true },
    { id: 'plans.down', section: 'screen', title: t('page.moveDown'), keys: ['Alt+ArrowDown'], ownKeys: true },
    { id: 'plans.remove', section: 'screen', title: t('page.remove'), keys: ['Delete'], ownKeys: true },
  ]);
}

/** Where components come from: the list at the left, and the palette. */
function useAdding({ now, selected, setSelected, change }: PlanEditing, groups: PaneProps['groups'], onAdded: () => void) {
  const { t } = useTranslation('plans');
  const add = (component: OfferedComponent) => {
    const index = now.plan.steps.findIndex(({ key }) => key === selected);
    const next = withComponent(now.plan, component, index < 0 ? now.plan.steps.length : index + 1);
    change({ plan: next.draft });
    setSelected(next.selected);
    onAdded();
  };
  const offer = () => {
    const usable = groups.flatMap(({ components }) => components).filter((one) => one.state === undefined);
    const commands = usable.map((one) => {
      const keywords = `${t(`kind.${one.kind}`)} ${one.description}`;
      return { id: `${one.kind}/${one.name}`, section: 'screen' as const, title: one.title, keywords, run: () => add(one) };
    });
    openPalette({ title: t('addStep'), commands });
  };
  return { add, offer };
}

function StepsPane(
  all: PaneProps & { readonly json: boolean; readonly onSelect: (part: SelectedPart) => void; readonly onAdd: () => void },
) {
  const { t } = useTranslation('plans');
  const { props, editing, groups, json, onSelect, onAdd } = all;
  const { state, now, selected, errors, mayWrite, change } = editing;
  return (
    <div className={styles['center']}>
      {state.conflict && <ConflictNotice state={state} />}
      <p className={styles['quiet']}>{t(`about.${props.edited.type}`)}</p>
      <NewPlanOptions {...{ props, editing }} />
      {json ? (
        <PlanJson editing={editing} />
      ) : (
        <StepLine
          {...{ groups, errors, selected, onSelect, onAdd }}
          project={props.project}
          draft={now.plan}
          disabled={!mayWrite}
          onChange={(plan) => change({ plan })}
        />
      )}
    </div>
  );
}

/** S-053, D-023: creates, edits or copies a plan: components, steps in order, the form of one step, a trial. */
export function PlanPage(props: PlanPageProps) {
  const { t } = useTranslation('plans');
  const { project, edited } = props;
  const editing = usePlanEditing(props);
  const { now, selected, setSelected, errors, mayWrite, change } = editing;
  const groups = usePlanComponents(project, edited.type);
  const wide = useMediaQuery('(min-width: 1180px)');
  const [pane, setPane] = useState<Pane>('steps');
  const [json, setJson] = useState(false);
  const adding = useAdding(editing, groups, () => setPane('steps'));
  usePlanKeys(editing, adding.offer);
  const select = (part: SelectedPart) => {
    setSelected(part);
    setPane('step');
  };
  const title = t(`dialog.${edited.mode}`, { label: edited.plan?.label ?? '', type: t(`type.${edited.type}`) });
  const shows = (one: Pane) => wide || pane === one;
  return (
    <Page screen="planEditor" plain flush toolbar={<PlanToolbar {...{ props, editing, json }} onJson={setJson} />}>
      <div className={styles['page']} data-wide={wide || undefined}>
        <h1 className="visually-hidden">{title}</h1>
        {!wide && (
          <div className={styles['panes']}>
            <SegmentedControl
              label={t('page.panes')}
              value={pane}
              onChange={setPane}
              options={PANES.map((value) => ({ value, label: t(`page.pane.${value}`) }))}
            />
          </div>
        )}
        {shows('components') && (
          <section className={styles['left']} aria-label={t('page.components')}>
            <h2>{t('page.components')}</h2>
            <ComponentList groups={groups} disabled={!mayWrite} onAdd={adding.add} />
          </section>
        )}
        {shows('steps') && <StepsPane {...{ props, editing, groups, json }} onSelect={select} onAdd={adding.offer} />}
        {shows('step') && (
          <section className={styles['right']} aria-label={t('page.step')}>
            <StepPanel
              {...{ project, groups, selected, errors }}
              draft={now.plan}
              disabled={!mayWrite}
              onChange={(plan, touched) => change({ plan }, touched)}
            />
          </section>
        )}
        {/* Stays mounted, so that its result is kept. */}
        <section className={styles['trial']} aria-label={t('trial.title')} hidden={!shows('trial')}>
          <h2>{t('trial.title')}</h2>
          <TrialPane {...{ props, editing, groups }} />
        </section>
      </div>
    </Page>
  );
}
