import { useQueries, useQuery } from '@tanstack/react-query';
import { Copy, Pencil, Play, Power, Trash2, WandSparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { annotatorsQuery } from '@/api/resources/annotators';
import { planComponentsQuery, STEP_KINDS, type Plan } from '@/api/resources/plans';
import { translatedMessageOf } from '@/api/server-messages';
import { FailureText } from '@/ui/failure-text';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { usePersonName } from '@/blocks/projects/person-name';
import { canBeTried, FLAGS, isPlanType, planParts } from './plan-rules';
import styles from './plans.module.css';

export interface PlanActions {
  edit(plan: Plan): void;
  clone(plan: Plan): void;
  remove(plan: Plan): void;
  favourite(plan: Plan): void;
  activate(plan: Plan): void;
  annotateCorpus(plan: Plan): void;
  tryPlan(plan: Plan): void;
}

/** Titles of components and annotators, by kind and name. */
export function useComponentTitles(project: string): (kind: string, name: string) => string {
  const { i18n } = useTranslation();
  const found = useQueries({ queries: STEP_KINDS.map((kind) => planComponentsQuery(project, kind, i18n.language)) });
  const { data: annotators = {} } = useQuery({ ...annotatorsQuery(project), meta: { silent: true } });
  return (kind, name) => {
    const component = found[STEP_KINDS.findIndex((one) => one === kind)]?.data?.find((one) => one.name === name);
    const trained = Object.values(annotators)
      .flat()
      .find((one) => one.name === name);
    return (kind === 'annotator' ? trained?.label : undefined) ?? component?.title ?? name;
  };
}

export function PlanStateBadges({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation('plans');
  return (
    <span className={styles['state']}>
      {plan.isActive && <Badge tone="success">{t('active')}</Badge>}
      {plan.problem !== undefined && <Badge tone="error">{t('problem')}</Badge>}
    </span>
  );
}

export interface PlanDetailProps {
  readonly plan: Plan;
  readonly titles: ReturnType<typeof useComponentTitles>;
  readonly actions: PlanActions;
  readonly writable: boolean;
  readonly mayActivate: boolean;
  readonly mayAnnotate: boolean;
}

/** Buttons to activate the plan and to annotate with it. */
function ActivateAndAnnotateButtons({ plan, actions, mayActivate, mayAnnotate }: PlanDetailProps) {
  const { t } = useTranslation('plans');
  const special = isPlanType(plan.type) && FLAGS[plan.type].special;
  return (
    <>
      {special && mayActivate && (
        <Button small icon={Power} kind={plan.isActive ? 'outline' : 'solid'} onClick={() => actions.activate(plan)}>
          {t(plan.isActive ? 'deactivate' : 'activate')}
        </Button>
      )}
      {!special && mayAnnotate && plan.problem === undefined && (
        <Button small kind="solid" icon={WandSparkles} onClick={() => actions.annotateCorpus(plan)}>
          {t('annotateCorpus')}
        </Button>
      )}
    </>
  );
}

function PlanButtons(props: PlanDetailProps) {
  const { plan, actions, writable, mayActivate } = props;
  const { t } = useTranslation('plans');
  const mayDelete = !plan.isActive || mayActivate;
  return (
    <div className={styles['verbs']}>
      <ActivateAndAnnotateButtons {...props} />
      {canBeTried(plan.type) && plan.problem === undefined && (
        <Button small icon={Play} onClick={() => actions.tryPlan(plan)}>
          {t('trial.try')}
        </Button>
      )}
      {writable && mayDelete && (
        <Button small icon={Pencil} onClick={() => actions.edit(plan)}>
          {t('edit')}
        </Button>
      )}
      {writable && (
        <Button small icon={Copy} onClick={() => actions.clone(plan)}>
          {t('clone')}
        </Button>
      )}
      {writable && mayDelete && (
        <Button small kind="danger-text" icon={Trash2} onClick={() => actions.remove(plan)}>
          {t('delete')}
        </Button>
      )}
    </div>
  );
}

/** Right drawer: the parts of the plan in order, its problems, its actions. */
export function PlanDetail(props: PlanDetailProps) {
  const { plan, titles } = props;
  const { t } = useTranslation('plans');
  const format = useFormat();
  const personName = usePersonName();
  return (
    <div className={styles['detail']}>
      <PlanStateBadges plan={plan} />
      {plan.problem !== undefined && <FailureText>{t('problemText', { problem: translatedMessageOf(plan, 'problem') })}</FailureText>}
      <p className={styles['quiet']}>{t(`about.${plan.type}`)}</p>
      <section>
        <h3>{t('parts')}</h3>
        <ol className={styles['parts']}>
          {planParts(plan.parameters).map((part, index) => (
            <li key={index} data-off={part.disabled || undefined}>
              <span aria-hidden>{index + 1}</span>
              <span>{t(`kind.${part.kind}`)}</span>
              <strong>{titles(part.kind, part.name)}</strong>
              {part.conditional && <Badge tone="info">{t('condition.mode.rules')}</Badge>}
              {part.disabled && <Badge>{t('off')}</Badge>}
            </li>
          ))}
        </ol>
      </section>
      {plan.parameters.formatter !== undefined && (
        <p className={styles['quiet']}>{t('formatter', { name: plan.parameters.formatter.name })}</p>
      )}
      <p className={styles['quiet']}>
        {t('changed', { when: format.whenWithin(Date.parse(plan.modifiedAt)), who: personName(plan.modifiedBy) })}
      </p>
      <PlanButtons {...props} />
    </div>
  );
}
