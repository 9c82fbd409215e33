import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { planQuery, plansQuery, type Plan, type PlanType } from '@/api/resources/plans';
import { projectQuery } from '@/api/resources/projects';
import { AnnotateCorpusDialog } from '@/blocks/engines/annotate-corpus-dialog';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { DeleteDialog } from '@/ui/delete-dialog';
import { Dialog } from '@/ui/dialog';
import { Page, PageHead } from '@/ui/page';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { useLayoutStore } from '@/state/layout-store';
import { useCan, useProjectName, useProjectWritable, useSessionStore } from '@/state/session-store';
import { usePathState } from '@/state/use-path-state';
import { PlanDetail, useComponentTitles, type PlanActions } from './plan-detail';
import { PlanGroups } from './plan-groups';
import { PlanPage } from './plan-page';
import { FLAGS, groupPlans, isPlanType } from './plan-rules';
import { TrialDialog } from './trial-dialog';
import { usePlanMutations } from './use-plans';
import type { EditorMode, PlanToEdit } from './use-save-plan';

const SCREEN = 'plans';
/** the address names the plan; with `edit`, its page is open, for a new plan with its `type`. */
const DEFAULTS = { name: '', edit: '', type: '' };
const MODES: readonly EditorMode[] = ['create', 'edit', 'clone'];

type OpenDialog = { readonly what: 'remove' | 'activate' | 'annotate' | 'try'; readonly plan: Plan } | null;

/** The plan whose page the address opens; null for the list. */
function planToEdit(plans: readonly Plan[] | undefined, { name, edit, type }: typeof DEFAULTS): PlanToEdit | null {
  const mode = MODES.find((one) => one === edit);
  if (mode === 'create') return isPlanType(type) ? { mode, type } : null;
  const plan = plans?.find((one) => one.name === name);
  return mode === undefined || plan === undefined || !isPlanType(plan.type) ? null : { mode, type: plan.type, plan };
}

/** Explains what starts or stops being used, before it does. */
function ActivateDialog({
  plan,
  replaces,
  busy,
  onClose,
  onYes,
}: {
  readonly plan: Plan;
  readonly replaces: boolean;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onYes: () => void;
}) {
  const { t } = useTranslation('plans');
  const words = plan.isActive ? 'deactivated' : replaces ? 'replaces' : 'activated';
  return (
    <Dialog
      open
      width="small"
      title={t(plan.isActive ? 'deactivateTitle' : 'activateTitle', { label: plan.label })}
      locked={busy}
      onClose={onClose}
      onSubmit={onYes}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('common:cancel')}
          </Button>
          <Button kind="solid" type="submit" busy={busy} autoFocus>
            {t(plan.isActive ? 'deactivate' : 'activate')}
          </Button>
        </>
      }
    >
      <p>{t(`${words}.${plan.type}`)}</p>
    </Dialog>
  );
}

interface DialogsProps {
  readonly project: string;
  readonly plans: readonly Plan[];
  readonly openDialog: OpenDialog;
  readonly mutations: ReturnType<typeof usePlanMutations>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeletePlanDialog(props: {
  readonly plan: Plan | null;
  readonly onClose: () => void;
  readonly onDelete: (plan: Plan) => Promise<void>;
}) {
  const { plan, onClose, onDelete } = props;
  const { t } = useTranslation('plans');
  return (
    <DeleteDialog
      open={plan !== null}
      title={t('deleteTitle', { label: plan?.label ?? '' })}
      keepLabel={t('keep')}
      deleteLabel={t('deletePlan')}
      onClose={onClose}
      onDelete={async () => {
        if (plan !== null) await onDelete(plan);
      }}
    >
      {plan?.isActive === true ? t(`deactivated.${plan.type}`) : t('deleteText')}
    </DeleteDialog>
  );
}

function PlanDialogs({ project, plans, openDialog, mutations, onClose, onDeleted }: DialogsProps) {
  const { activate, remove } = mutations;
  const works = (type: string) => plans.some((plan) => plan.type === type && plan.isActive);
  return (
    <>
      {openDialog?.what === 'activate' && (
        <ActivateDialog
          plan={openDialog.plan}
          replaces={isPlanType(openDialog.plan.type) && !FLAGS[openDialog.plan.type].multiple && works(openDialog.plan.type)}
          busy={activate.isPending}
          onClose={onClose}
          onYes={() => activate.mutate(openDialog.plan, { onSuccess: onClose })}
        />
      )}
      {openDialog?.what === 'annotate' && <AnnotateCorpusDialog project={project} annotator={openDialog.plan.name} onClose={onClose} />}
      {openDialog?.what === 'try' && <TrialDialog project={project} plan={openDialog.plan} onClose={onClose} />}
      <DeletePlanDialog
        plan={openDialog?.what === 'remove' ? openDialog.plan : null}
        onClose={onClose}
        onDelete={async (plan) => {
          await remove.mutateAsync(plan);
          onDeleted();
        }}
      />
    </>
  );
}

/** Permission to change which plans are active: as for settings, the owner always has it. */
function useMayActivate(project: string, writable: boolean): boolean {
  const may = useCan('changeProjectConfig');
  const username = useSessionStore((state) => state.principal?.username);
  const { data } = useQuery(projectQuery(project));
  return writable && (may || (data?.owner !== undefined && data.owner.username === username));
}

/** E-046: the address names a plan that is not in the list. */
function MissingPlan(props: { readonly project: string; readonly name: string; readonly plans: readonly Plan[] }) {
  const { project, name, plans } = props;
  const { t } = useTranslation('plans');
  const there = name === '' || plans.some((plan) => plan.name === name);
  const { error, refetch } = useQuery({ ...planQuery(project, name), enabled: !there });
  return there || error === null ? null : <ErrorState title={t('errors:error.getPlan')} error={error} onRetry={() => void refetch()} />;
}

interface PlanListProps {
  readonly project: string;
  readonly query: ReturnType<typeof usePlans>;
  readonly actions: PlanActions;
  readonly writable: boolean;
  readonly titles: ReturnType<typeof useComponentTitles>;
  readonly current: string;
  readonly onOpen: (plan: Plan) => void;
  readonly onCreate: (type: PlanType) => void;
}

/** The plans by type; placeholders and errors instead while there are none to show. */
function PlanList({ project, query, ...rest }: PlanListProps) {
  const { t } = useTranslation('plans');
  const { data: plans, error, refetch } = query;
  const { data: info } = useQuery(projectQuery(project));
  if (plans === undefined && error !== null) {
    return <ErrorState title={t('errors:error.getPlans')} error={error} onRetry={() => void refetch()} />;
  }
  if (plans === undefined) return <Skeleton rows={5} rowHeight={54} />;
  return (
    <>
      <MissingPlan project={project} name={rest.current} plans={plans} />
      <PlanGroups groups={groupPlans(plans, info?.nature)} {...rest} />
    </>
  );
}

const usePlans = (project: string) => useQuery({ ...plansQuery(project), meta: { silent: true } });

/** plans by type, the selected one in the drawer. */
export function PlansScreen() {
  const { t } = useTranslation('plans');
  const project = useProjectName();
  const writable = useProjectWritable();
  const mayActivate = useMayActivate(project, writable);
  const mayAnnotate = useCan('annotateCorpus') && writable;
  const [address, change] = usePathState('/plans', DEFAULTS, 'selectionParams');
  const { name } = address;
  const query = usePlans(project);
  const plans = query.data ?? [];
  const titles = useComponentTitles(project);
  const setDrawer = useLayoutStore((state) => state.setDrawer);
  const [asked, setAsked] = useState<OpenDialog>(null);
  const mutations = usePlanMutations(project);
  const show = (next: string) => change({ name: next, edit: '', type: '' });
  useEffect(() => {
    if (name !== '') setDrawer(SCREEN, 'labels', true);
  }, [name, setDrawer]);
  const actions: PlanActions = {
    edit: (plan) => change({ name: plan.name, edit: 'edit' }, { push: true }),
    clone: (plan) => change({ name: plan.name, edit: 'clone' }, { push: true }),
    remove: (plan) => setAsked({ what: 'remove', plan }),
    activate: (plan) => setAsked({ what: 'activate', plan }),
    annotateCorpus: (plan) => setAsked({ what: 'annotate', plan }),
    tryPlan: (plan) => setAsked({ what: 'try', plan }),
    favourite: (plan) => mutations.favourite.mutate(plan),
  };
  const edited = planToEdit(query.data, address);
  if (edited !== null) {
    return (
      <PlanPage
        key={[edited.mode, edited.plan?.name ?? edited.type].join('/')}
        {...{ project, edited, writable, mayActivate }}
        activeThere={plans.some((plan) => plan.type === edited.type && plan.isActive)}
        onClose={() => show(name)}
        onCreated={(made) => change({ name: made, edit: 'edit', type: '' })}
      />
    );
  }
  const current = plans.find((plan) => plan.name === name);
  return (
    <Page
      screen={SCREEN}
      {...(current !== undefined && {
        drawerTitle: current.label,
        drawerSubject: current.name,
        onCloseDrawer: () => show(''),
        drawer: <PlanDetail plan={current} {...{ titles, actions, writable, mayActivate, mayAnnotate }} />,
      })}
    >
      <PageHead title={t('title')} aside={plans.length > 0 && <Badge>{plans.length}</Badge>} />
      <PlanList
        {...{ project, query, titles, actions, writable }}
        current={name}
        onOpen={(plan) => show(plan.name)}
        onCreate={(type) => change({ name: '', edit: 'create', type }, { push: true })}
      />
      <PlanDialogs {...{ project, openDialog: asked, mutations, plans }} onClose={() => setAsked(null)} onDeleted={() => show('')} />
    </Page>
  );
}
