/** What searches and answers of a project can consist of, and how that is named. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { componentDefaultsQuery } from '@/api/resources/component-defaults';
import { planComponentsQuery, plansQuery, type Plan, type PlanComponent } from '@/api/resources/plans';
import { vectorizersQuery, type Vectorization } from '@/api/resources/vectorizers';
import type { SearchSettings } from '@/state/search-types';
import { useFormat } from '@/ui/format';

/** What is installed and made in a project. */
export interface ConfigurationParts {
  readonly vectorizations: readonly Vectorization[];
  readonly rerankers: readonly PlanComponent[];
  /** Those that can be chosen: the learned one gets its weights from an experiment. */
  readonly usableRerankers: readonly PlanComponent[];
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
  const { data: defaults } = useQuery({ ...componentDefaultsQuery, ...silent });
  const usableRerankers = rerankers.filter(({ name }) => name !== defaults?.learning_reranker.name);
  return {
    vectorizations: vectors?.vectorizations.filter(({ state }) => state === 'ready') ?? [],
    rerankers,
    usableRerankers,
    answerers,
    plans,
  };
}

export const titleIn = (components: readonly PlanComponent[], name: string) => components.find((one) => one.name === name)?.title ?? name;

/** The settings in a few words. */
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
    const weight = typeof vectorWeight === 'number' ? t('name.weight', { weight: format.weight(vectorWeight) }) : '';
    return [type, vectorsOf(vectorizer), weight, rankingOf(settings)].filter((part) => part !== '').join(' · ');
  };
  return (settings) => {
    const { plan = '', answerer } = settings;
    if (answerer === '') return t('field.presentAnswerer');
    if (typeof answerer === 'string') return planLabel(answerer) ?? titleIn(answerers, answerer);
    return plan === '' ? searchText(settings) : t('name.plan', { label: planLabel(plan) ?? plan });
  };
}
