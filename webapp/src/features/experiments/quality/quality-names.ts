/** How configurations, their components and figures are named. */
import { useTranslation } from 'react-i18next';
import type { Configuration, QualityExperiment } from '@/api/resources/ranking-experiments';
import { titleIn, useConfigurationParts, useSettingsText } from '@/blocks/search/search-settings-text';
import { useFormat } from '@/ui/format';
import { ANSWER_DEFAULTS, RANKING_DEFAULTS } from './quality-rules';

/** Key of the configuration whose ranking was learned. */
const LEARNED = 'learned';

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
    { name: t('field.vectorWeights'), value: list(given.vectorWeights.map((weight) => format.weight(weight))) },
    {
      name: t('field.rerankers'),
      value: list(given.rerankers.map((name) => (name === '' ? t('field.noReranker') : titleIn(rerankers, name)))),
    },
    { name: t('field.plans'), value: list(given.plans.map((name) => planLabel(name) ?? name)) },
    { name: t('field.learned'), value: t(given.learned ? 'common:yes' : 'common:no') },
  ];
  return facts.filter(({ value }) => value !== '');
}
