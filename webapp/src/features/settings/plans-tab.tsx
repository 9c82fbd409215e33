import { useQuery } from '@tanstack/react-query';
import { Workflow } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PLAN_PARTS, PLAN_TYPES, plansQuery, type Plan, type PlanType } from '@/api/resources/plans';
import { projectQuery } from '@/api/resources/projects';
import { LoadedList } from '@/blocks/loaded-list';
import { Badge } from '@/ui/badge';
import { ButtonLink } from '@/ui/button-link';
import { useFormat } from '@/ui/format';
import { pathWithState } from '@/state/path-state';
import styles from './settings.module.css';

/** The address of one plan on the screen of plans. */
const planPath = (name: string) => pathWithState('/plans', { name }, { name: '' });

function PlanLine({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation(['settings', 'plans']);
  const format = useFormat();
  return (
    <li>
      <Link to={planPath(plan.name)}>{plan.label}</Link>
      <Badge tone="success">{t('plans:active')}</Badge>
      <small>{t('plansInUse.changed', { when: format.whenWithin(Date.parse(plan.modifiedAt)) })}</small>
      {plan.problem !== undefined && <p className={styles['broken']}>{plan.problem}</p>}
    </li>
  );
}

const isQuestionPart = (type: PlanType): boolean => (PLAN_PARTS.questionAnswering as readonly PlanType[]).includes(type);

/** The active plans by type: what reads imports, cuts texts, makes vectors and answers questions here. They are changed on their own screen. */
export function PlansTab({ project }: { readonly project: string }) {
  const { t } = useTranslation(['settings', 'plans']);
  const query = useQuery({ ...plansQuery(project), meta: { silent: true } });
  const asks = useQuery(projectQuery(project)).data?.nature === 'question_answering';
  const open = (
    <ButtonLink icon={Workflow} to="/plans">
      {t('plansInUse.open')}
    </ButtonLink>
  );
  return (
    <LoadedList
      query={query}
      errorTitle="getPlans"
      rows={4}
      empty={{ title: t('plansInUse.none'), text: t('plansInUse.noneText'), actions: open }}
    >
      {(plans) => (
        <>
          <div className={styles['tab-head']}>
            <p>{t('plansInUse.text')}</p>
            {open}
          </div>
          {PLAN_TYPES.map((type) => {
            const active = plans.filter((plan) => plan.isActive && plan.type === type);
            if (active.length === 0 && !asks && isQuestionPart(type)) return null;
            return (
              <section key={type} className={styles['card']}>
                <h2>{t(`plans:group.${type}`)}</h2>
                <p>{t(`plans:about.${type}`)}</p>
                {active.length === 0 ? (
                  <p>{t('plansInUse.noneOf')}</p>
                ) : (
                  <ul className={styles['used-plans']}>
                    {active.map((plan) => (
                      <PlanLine key={plan.name} plan={plan} />
                    ))}
                  </ul>
                )}
              </section>
            );
          })}
        </>
      )}
    </LoadedList>
  );
}
