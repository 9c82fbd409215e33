import { useMutation, useQueryClient } from '@tanstack/react-query';
import { annotatorKeys } from '@/api/resources/annotators';
import { jobKeys } from '@/api/resources/jobs';
import { deletePlan, planKeys, restorePlan, updatePlan, type Plan } from '@/api/resources/plans';
import { useUndoableDeletion } from '@/api/use-undoable-deletion';
import { tagsForActivation } from './plan-rules';

/** T-030: fetches the plans again, so that the state of the server is shown. */
export function useRefreshPlans() {
  const queryClient = useQueryClient();
  return () => Promise.all([planKeys.all, jobKeys.all, annotatorKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

export function usePlanMutations(project: string) {
  const refresh = useRefreshPlans();
  const favourite = useMutation({
    mutationFn: (plan: Plan) => updatePlan(project, plan.name, { favorite: !plan.favorite }),
    onSettled: refresh,
    meta: { errorTitle: 'updatePlan' },
  });
  const activate = useMutation({
    mutationFn: (plan: Plan) => updatePlan(project, plan.name, { tags: tagsForActivation(plan, !plan.isActive) }, plan.version),
    onSettled: refresh,
    meta: { errorTitle: 'updatePlan' },
  });
  const remove = useUndoableDeletion({
    remove: (plan: Plan) => deletePlan(project, plan.name),
    restore: ({ name }) => restorePlan(project, name),
    refresh,
    removeTitle: 'deletePlan',
    restoreTitle: 'restorePlan',
  });
  return { favourite, activate, remove };
}
