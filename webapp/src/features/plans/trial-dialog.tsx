import { useTranslation } from 'react-i18next';
import type { Plan } from '@/api/resources/plans';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { isPlanType, toPlanDraft } from './plan-rules';
import { TrialPanel } from './trial-panel';
import { findComponent, usePlanComponents } from './use-plan-components';

/** Tries a stored plan, without opening its page. */
export function TrialDialog({ project, plan, onClose }: { readonly project: string; readonly plan: Plan; readonly onClose: () => void }) {
  const { t } = useTranslation('plans');
  const type = isPlanType(plan.type) ? plan.type : 'annotation';
  const groups = usePlanComponents(project, type);
  const { steps } = toPlanDraft(type, plan.parameters);
  return (
    <Dialog
      open
      title={t('trial.dialog', { label: plan.label })}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      <TrialPanel
        project={project}
        plan={{ plan: plan.name }}
        titles={steps.map(({ kind, name }) => findComponent(groups, kind, name)?.title ?? name)}
      />
    </Dialog>
  );
}
