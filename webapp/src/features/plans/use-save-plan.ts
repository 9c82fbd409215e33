/** Saves the edited plan: a new plan, a copy, or the changes of an existing one (V-030). */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createPlan, proposePlanLabel, updatePlan, type Plan, type PlanType } from '@/api/resources/plans';
import { changedLabelAndParameters } from '@/blocks/engines/engine-changes';
import type { EditedPlan } from './plan-draft-rules';
import { tagsForActivation, tagsKeepingType, tagsOfCopy, toPlanParameters } from './plan-rules';
import { useRefreshPlans } from './use-plans';

export type EditorMode = 'create' | 'edit' | 'clone';

export interface PlanToEdit {
  readonly mode: EditorMode;
  readonly type: PlanType;
  /** The plan that is edited or copied. */
  readonly plan?: Plan;
}

interface SaveRequest {
  readonly edited: EditedPlan;
  readonly label: string;
  readonly version: number;
}

async function updateChangedParts(project: string, plan: Plan, type: PlanType, { edited, label, version }: SaveRequest): Promise<string> {
  const parameters = toPlanParameters(edited.plan);
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
  return (await updatePlan(project, plan.name, change, version)).name;
}

export function useSavePlan(project: string, { mode, plan, type }: PlanToEdit, onSaved: (name: string, edited: EditedPlan) => void) {
  const refresh = useRefreshPlans();
  return useMutation({
    mutationFn: async (asked: SaveRequest) => {
      if (mode === 'edit' && plan !== undefined) return updateChangedParts(project, plan, type, asked);
      const { edited, label } = asked;
      const parameters = toPlanParameters(edited.plan);
      const copied = plan === undefined ? [] : tagsOfCopy(plan);
      const tags = tagsKeepingType(type, parameters, edited.active ? tagsForActivation({ tags: copied, type }, true) : copied);
      return (await createPlan(project, { label, parameters, tags })).name;
    },
    onSuccess: async (name, { edited }) => {
      if (mode === 'edit') onSaved(name, edited);
      await refresh();
      if (mode !== 'edit') onSaved(name, edited);
    },
    // Somebody else's version is fetched, so that the conflict is shown.
    onError: () => void refresh(),
    meta: { errorTitle: mode === 'edit' ? 'updatePlan' : 'createPlan' },
  });
}

/** V-029: the name a new plan gets when none is typed. */
export function useProposedLabel(project: string, { mode, plan, type }: PlanToEdit): string {
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
  return proposed.data ?? wish;
}
