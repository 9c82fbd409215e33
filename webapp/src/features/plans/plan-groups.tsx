import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Plan, PlanType } from '@/api/resources/plans';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { FavouriteStar } from '@/ui/favourite-star';
import { useProjectName, useSessionStore } from '@/state/session-store';
import { When } from '@/ui/when';
import { PlanStateBadges, type PlanActions, type useComponentTitles } from './plan-detail';
import { isPlanType, planParts, type PlanGroup } from './plan-rules';
import { plansWithUnsavedChanges } from './use-plan-draft';
import styles from './plans.module.css';

interface GroupsProps {
  readonly groups: readonly PlanGroup[];
  readonly titles: ReturnType<typeof useComponentTitles>;
  readonly actions: PlanActions;
  readonly writable: boolean;
  readonly current: string;
  readonly onOpen: (plan: Plan) => void;
  readonly onCreate: (type: PlanType) => void;
}

function usePlanColumns({ titles, actions, writable }: GroupsProps): Column<Plan>[] {
  const { t } = useTranslation('plans');
  const project = useProjectName();
  const username = useSessionStore((state) => state.principal?.username ?? '');
  const unsaved = plansWithUnsavedChanges(username, project);
  const searchText = (plan: Plan) =>
    planParts(plan.parameters)
      .filter(({ disabled }) => !disabled)
      .map(({ kind, name }) => titles(kind, name))
      .join(' → ');
  return [
    {
      key: 'favourite',
      header: t('common:table.favourite'),
      hideHeader: true,
      width: 44,
      leading: true,
      cell: (plan) => (
        <FavouriteStar
          on={plan.favorite}
          disabled={!writable}
          label={t('favourite', { label: plan.label })}
          onToggle={() => actions.favourite(plan)}
        />
      ),
    },
    { key: 'name', header: t('column.plan'), cell: (plan) => <TwoLineCell first={plan.label} second={searchText(plan)} /> },
    {
      key: 'state',
      header: t('column.state'),
      width: 200,
      cell: (plan) => (
        <span className={styles['state']}>
          <PlanStateBadges plan={plan} />
          {unsaved.has(plan.name) && <Badge tone="warning">{t('page.unsavedPlan')}</Badge>}
        </span>
      ),
    },
    {
      key: 'changed',
      header: t('column.changed'),
      // Fixed widths align the columns of the groups, which are separate tables.
      width: 160,
      cell: (plan) => <When at={plan.modifiedAt} />,
      priority: 1,
    },
  ];
}

/** C-078, S-051: one list per type, in fixed order. */
export function PlanGroups(props: GroupsProps) {
  const { groups, writable, current, onOpen, onCreate } = props;
  const { t } = useTranslation('plans');
  const columns = usePlanColumns(props);
  return (
    <>
      {groups.map(({ type, plans }) => (
        <section key={type} className={styles['group']} aria-label={t(`group.${type}`)}>
          <div className={styles['group-head']}>
            <h2>{t(`group.${type}`)}</h2>
            {plans.length > 0 && <Badge>{plans.length}</Badge>}
            {writable && isPlanType(type) && (
              <Button small icon={Plus} onClick={() => onCreate(type)}>
                {t(`new.${type}`)}
              </Button>
            )}
          </div>
          <p className={styles['quiet']}>{t(`about.${type}`)}</p>
          {plans.length > 0 && (
            <DataTable
              label={t(`group.${type}`)}
              twoLines
              rows={plans}
              rowKey={(plan) => plan.name}
              columns={columns}
              current={current}
              onOpen={onOpen}
            />
          )}
        </section>
      ))}
    </>
  );
}
