import { Plus } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { Plan, PlanType } from '@/api/resources/plans';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { FavouriteStar } from '@/ui/favourite-star';
import { useProjectName, useSessionStore } from '@/state/session-store';
import { When } from '@/ui/when';
import { PlanStateBadges, type PlanActions, type useComponentTitles } from './plan-detail';
import { groupByPart, planParts, type PlanGroup } from './plan-rules';
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

interface GroupProps {
  readonly all: GroupsProps;
  readonly group: PlanGroup;
  readonly columns: Column<Plan>[];
  /** Below the heading of a part. */
  readonly nested: boolean;
}

function PlanTypeGroup({ all, group: { type, plans }, columns, nested }: GroupProps) {
  const { t } = useTranslation('plans');
  const Heading = nested ? 'h3' : 'h2';
  return (
    <section className={styles['group']} aria-label={t(`group.${type}`)}>
      <div className={styles['group-head']}>
        <Heading>{t(`group.${type}`)}</Heading>
        {plans.length > 0 && <Badge>{plans.length}</Badge>}
        {all.writable && (
          <Button small icon={Plus} onClick={() => all.onCreate(type)}>
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
          current={all.current}
          onOpen={all.onOpen}
        />
      )}
    </section>
  );
}

/** C-078, S-051: the parts, with one list per type, in fixed order. A part of one type has no heading of its own. */
export function PlanGroups(props: GroupsProps) {
  const { t } = useTranslation('plans');
  const columns = usePlanColumns(props);
  return groupByPart(props.groups).map(({ part, groups }) => {
    const lists = (nested: boolean) =>
      groups.map((group) => <PlanTypeGroup key={group.type} all={props} {...{ group, columns, nested }} />);
    if (part === 'pipelines') return <Fragment key={part}>{lists(false)}</Fragment>;
    return (
      <section key={part} className={styles['part']} aria-label={t(`part.${part}`)}>
        <h2>{t(`part.${part}`)}</h2>
        {lists(true)}
      </section>
    );
  });
}
