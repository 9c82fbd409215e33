/** How configurations, their components and figures are named. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { planComponentsQuery, plansQuery, type Plan, type PlanComponent } from '@/api/resources/plans';
import type { Configuration, QualityExperiment, SearchSettings } from '@/api/resources/ranking-experiments';
import { vectorizersQuery, type Vectorization } from '@/api/resources/vectorizers';
import { useFormat } from '@/ui/format';
import { ANSWER_DEFAULTS, RANKING_DEFAULTS } from './quality-rules';

/** What the configurations of a project can consist of. */
export interface ConfigurationParts {
  readonly vectorizations: readonly Vectorization[];
  readonly rerankers: readonly PlanComponent[];
  readonly answerers: readonly PlanComponent[];
  readonly plans: readonly Plan[];
}

export function useConfigurationParts(project: string): ConfigurationParts {
  const { i18n } = useTranslation();
  const silent = { meta: { silent: true } } as const;
  const { data: vectors } = useQuery({ ...vectorizersQuery(project, i18n.language), ...silent });
  const { data: rerankers = [] } = useQuery(planComponentsQuery(project, 'reranker', i18n.language));
  const { data: answerers = [] } = useQuery(planComponentsQuery(project, 'questionAnswerer', i18n.language));
  const { data: plans = [] } = useQuery({ ...plansQuery(project), ...silent });
  return { vectorizations: vectors?.vectorizations.filter(({ state }) => state === 'ready') ?? [], rerankers, answerers, plans };
}

/** Key of the configuration whose ranking was learned. */
const LEARNED = 'learned';

const titleIn = (components: readonly PlanComponent[], name: string) => components.find((one) => one.name === name)?.title ?? name;

/** The settings of a configuration in a few words; where `all` use the same vectors, these are not named. */
export function useConfigurationName(project: string): (one: Configuration, all?: readonly Configuration[]) => string {
  const describe = useSettingsText(project);
  return (one, all = []) => {
    const vectors = new Set(all.map(({ settings }) => settings.vectorizer ?? '').filter((name) => name !== ''));
    const { vectorizer = '', ...others } = { ...one.settings, learned: one.key === LEARNED };
    const text = describe(vectors.size > 1 ? { ...others, vectorizer } : others);
    return text === '' ? one.label : text;
  };
}

export function useSettingsText(project: string): (settings: SearchSettings) => string {
  const { t } = useTranslation(['quality', 'search']);
  const format = useFormat();
  const { vectorizations, rerankers, answerers, plans } = useConfigurationParts(project);
  const planLabel = (name: string) => plans.find((plan) => plan.name === name)?.label;
  const vectorsOf = (name: string) => vectorizations.find((one) => [one.name, one.vectorizer].includes(name))?.title ?? name;
  const rankingOf = ({ reranker = '', learned = false }: SearchSettings) => {
    if (learned) return t('name.learned');
    return reranker === '' ? '' : t('name.reranker', { title: titleIn(rerankers, reranker) });
  };
  const searchText = (settings: SearchSettings) => {
    const { searchType, vectorizer = '', vectorWeight } = settings;
    const type = searchType === undefined ? '' : t(`search:type.${searchType}`);
    const weight = typeof vectorWeight === 'number' ? t('name.weight', { weight: format.score(vectorWeight) }) : '';
    return [type, vectorsOf(vectorizer), weight, rankingOf(settings)].filter((part) => part !== '').join(' · ');
  };
  return (settings) => {
    const { plan = '', answerer } = settings;
    if (answerer === '') return t('field.presentAnswerer');
    if (typeof answerer === 'string') return planLabel(answerer) ?? titleIn(answerers, answerer);
    return plan === '' ? searchText(settings) : t('name.plan', { label: planLabel(plan) ?? plan });
  };
}

/** What an experiment compares, as names and values. */
export function useParameterFacts(project: string, { kind, parameters }: QualityExperiment): readonly { name: string; value: string }[] {
  const { t } = useTranslation(['quality', 'search']);
  const format = useFormat();
  const { vectorizations, rerankers, answerers, plans } = useConfigurationParts(project);
  const planLabel = (name: string) => plans.find((plan) => plan.name === name)?.label;
  const list = (values: readonly string[]) => values.join(', ');
  if (kind === 'answers') {
    const { answerers: names, maxQuestions } = { ...ANSWER_DEFAULTS, ...parameters.answers };
    const title = (name: string) => (name === '' ? t('field.presentAnswerer') : (planLabel(name) ?? titleIn(answerers, name)));
    return [
      { name: t('field.answerers'), value: list(names.map(title)) },
      { name: t('field.maxQuestions'), value: format.number(maxQuestions) },
    ];
  }
  const given = { ...RANKING_DEFAULTS, ...parameters.ranking };
  const facts = [
    { name: t('field.searchTypes'), value: list(given.searchTypes.map((type) => t(`search:type.${type}`))) },
    {
      name: t('field.vectorizers'),
      value: list(given.vectorizers.map((name) => vectorizations.find((one) => one.name === name)?.title ?? name)),
    },
    { name: t('field.vectorWeights'), value: list(given.vectorWeights.map((weight) => format.score(weight))) },
    {
      name: t('field.rerankers'),
      value: list(given.rerankers.map((name) => (name === '' ? t('field.noReranker') : titleIn(rerankers, name)))),
    },
    { name: t('field.plans'), value: list(given.plans.map((name) => planLabel(name) ?? name)) },
    { name: t('field.learned'), value: t(given.learned ? 'common:yes' : 'common:no') },
  ];
  return facts.filter(({ value }) => value !== '');
}
