import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { createPlan, defaultPlansQuery, proposePlanLabel, updatePlan, type Plan, type PlanType } from '@/api/resources/plans';
import { Button } from '@/ui/button';
import { SwitchRow } from '@/ui/choice-inputs';
import { Dialog } from '@/ui/dialog';
import { changedLabelAndParameters } from '@/blocks/engines/engine-changes';
import { TextInput } from '@/ui/field';
import { ComponentFields } from './component-fields';
import {
  toPlanDraft,
  errorsOfPart,
  FLAGS,
  stepKindsFor,
  missingFieldErrors,
  toPlanParameters,
  tagsKeepingType,
  tagsOfCopy,
  tagsForActivation,
  type PlanDraft,
  type FieldError,
} from './plan-rules';
import { StepList } from './step-list';
import { useRefreshPlans } from './use-plans';
import styles from './plans.module.css';

export interface PlanEditorRequest {
  readonly mode: 'create' | 'edit' | 'clone';
  readonly type: PlanType;
  readonly plan?: Plan;
}

export interface PlanEditorProps {
  readonly project: string;
  readonly opened: PlanEditorRequest;
  readonly mayActivate: boolean;
  /** A plan of this type is already active. */
  readonly activeThere: boolean;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
}

interface PartsProps {
  readonly project: string;
  readonly draft: PlanDraft;
  readonly onChange: (draft: PlanDraft) => void;
  readonly errors: readonly FieldError[];
  readonly disabled: boolean;
}

function ComponentPart({ title, ...fields }: ComponentProps<typeof ComponentFields> & { readonly title: string }) {
  return (
    <section className={styles['part']} aria-label={title}>
      <h3>{title}</h3>
      <ComponentFields {...fields} />
    </section>
  );
}

/** Converter, steps in order, segmenter: as they work. */
function PlanParts({ project, draft, onChange, errors, disabled }: PartsProps) {
  const { t } = useTranslation('plans');
  const { type, steps } = draft;
  const shared = { project, disabled };
  const conversion = type === 'conversion';
  return (
    <>
      {(conversion || draft.converter.name !== '') && (
        <ComponentPart
          {...shared}
          title={t('reads')}
          kind="converter"
          part={draft.converter}
          errors={errorsOfPart(errors, 'converter')}
          onChange={(converter) => onChange({ ...draft, converter })}
        />
      )}
      {(stepKindsFor(type).length > 0 || steps.length > 0) && (
        <StepList {...shared} type={type} steps={steps} errors={errors} onChange={(next) => onChange({ ...draft, steps: next })} />
      )}
      {(conversion || type === 'segmentation') && (
        <ComponentPart
          {...shared}
          title={t('cuts')}
          kind="segmenter"
          part={draft.segmenter}
          errors={errorsOfPart(errors, 'segmenter')}
          onChange={(segmenter) => onChange({ ...draft, segmenter })}
          {...(conversion && { none: t('asProject') })}
        />
      )}
    </>
  );
}

/** Saves the form: a new plan, a copy, or the changes of an existing one (V-030). */
function useSavePlan({ project, opened, onClose, onSaved }: PlanEditorProps) {
  const refresh = useRefreshPlans();
  const { mode, plan, type } = opened;
  return useMutation({
    mutationFn: async ({ draft, label, active }: { draft: PlanDraft; label: string; active: boolean }) => {
      const parameters = toPlanParameters(draft);
      if (mode === 'edit' && plan !== undefined) {
        const changes = changedLabelAndParameters(
          { label: plan.label, parameters: { ...plan.parameters } },
          { label, parameters: { ...parameters } },
        );
        if (Object.keys(changes).length === 0) return plan.name;
        const tags = tagsKeepingType(type, parameters, plan.tags);
        const change = {
          ...(changes.label !== undefined && { label }),
          ...(changes.parameters !== undefined && { parameters }),
          ...(changes.parameters !== undefined && tags !== plan.tags && { tags }),
        };
        return (await updatePlan(project, plan.name, change, plan.version)).name;
      }
      const copied = plan === undefined ? [] : tagsOfCopy(plan);
      const tags = tagsKeepingType(type, parameters, active ? tagsForActivation({ tags: copied, type }, true) : copied);
      return (await createPlan(project, { label, parameters, tags })).name;
    },
    onSuccess: async (name) => {
      await refresh();
      onSaved(name);
      onClose();
    },
    meta: { errorTitle: mode === 'edit' ? 'updatePlan' : 'createPlan' },
  });
}

/** V-029: the entered name, else the proposed one. */
function usePlanLabel(project: string, { mode, plan, type }: PlanEditorRequest) {
  const { t } = useTranslation('plans');
  const wish = plan?.label ?? t(`type.${type}`);
  const proposed = useQuery({
    queryKey: ['label-hint', project, 'plan', wish],
    queryFn: () => proposePlanLabel(project, wish),
    staleTime: 0,
    gcTime: 0,
    enabled: mode !== 'edit',
    meta: { errorTitle: 'getGeneratedLabelHint' },
  });
  const [typed, setTyped] = useState<string | null>(mode === 'edit' ? wish : null);
  return { fallback: proposed.data ?? wish, typed, setTyped };
}

/** S-054: replaces the form by the defaults for a new plan. */
function BeginWithDefaults({
  project,
  type,
  disabled,
  onTake,
}: {
  readonly project: string;
  readonly type: PlanType;
  readonly disabled: boolean;
  readonly onTake: (draft: PlanDraft) => void;
}) {
  const { t } = useTranslation('plans');
  const parameters = useQuery(defaultPlansQuery(project)).data?.get(type);
  if (parameters === undefined) return null;
  return (
    <div>
      <Button small disabled={disabled} onClick={() => onTake(toPlanDraft(type, parameters))}>
        {t('beginWithDefaults')}
      </Button>
    </div>
  );
}

/** S-053, D-023: creates, edits or copies a plan. */
export function PlanEditor(props: PlanEditorProps) {
  const { t } = useTranslation('plans');
  const { project, opened, mayActivate, activeThere, onClose } = props;
  const { mode, plan, type } = opened;
  const [draft, setDraft] = useState(() => toPlanDraft(type, plan?.parameters));
  const { fallback, typed, setTyped } = usePlanLabel(project, opened);
  const [active, setActive] = useState(false);
  const [lacking, setLacking] = useState<readonly FieldError[]>([]);
  const save = useSavePlan(props);
  const offered = mode !== 'edit' && mayActivate && FLAGS[type].activateOnCreate;
  const errors = lacking.length > 0 ? lacking : save.error instanceof ApiError ? save.error.fields : [];
  const submit = () => {
    const lacks = missingFieldErrors(draft, t('chooseComponent'));
    setLacking(lacks);
    if (lacks.length === 0) save.mutate({ draft, label: (typed ?? '').trim() || fallback, active: offered && active });
  };
  const change = (next: PlanDraft) => {
    setDraft(next);
    setLacking([]);
    save.reset();
  };
  return (
    <Dialog
      open
      title={t(`dialog.${mode}`, { label: plan?.label ?? '', type: t(`type.${type}`) })}
      locked={save.isPending}
      onClose={onClose}
      actions={
        <>
          <Button disabled={save.isPending} onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button kind="solid" busy={save.isPending} onClick={submit}>
            {t(mode === 'edit' ? 'save' : 'create')}
          </Button>
        </>
      }
    >
      <div className={styles['editor']}>
        <p className={styles['quiet']}>{t(`about.${type}`)}</p>
        <TextInput
          label={t('label')}
          value={typed ?? fallback}
          onChange={setTyped}
          placeholder={fallback}
          help={t('labelHelp')}
          maxLength={255}
          disabled={save.isPending}
        />
        {mode === 'create' && <BeginWithDefaults {...{ project, type }} disabled={save.isPending} onTake={change} />}
        <PlanParts project={project} draft={draft} disabled={save.isPending} errors={errors} onChange={change} />
        {offered && (
          <SwitchRow
            label={t('activateNow')}
            help={t(activeThere && !FLAGS[type].multiple ? `replaces.${type}` : `activated.${type}`)}
            checked={active}
            onChange={setActive}
            disabled={save.isPending}
          />
        )}
      </div>
    </Dialog>
  );
}
