/** How the project searches and answers where nobody chooses. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { activePlan } from '@/api/resources/plans';
import { projectQuery } from '@/api/resources/projects';
import { useConfigurationParts, useSettingsText } from '@/blocks/search/search-settings-text';
import type { SearchSettings } from '@/state/search-types';

/** Without a default of its own, a project searches the full text. */
const FULL_TEXT: SearchSettings = { searchType: 'text' };

/** Whether two searches are the same. */
function same(one: SearchSettings, two: SearchSettings): boolean {
  const parts = ({ searchType, vectorizer = '', vectorWeight, reranker = '' }: SearchSettings) =>
    JSON.stringify([searchType, vectorizer, vectorWeight ?? null, reranker]);
  return parts(one) === parts(two);
}

export function useDefaultSettings(project: string) {
  const { t } = useTranslation('quality');
  const { data: info } = useQuery({ ...projectQuery(project), meta: { silent: true } });
  const { plans } = useConfigurationParts(project);
  const describe = useSettingsText(project);
  const search: SearchSettings = info?.searchDefaults ?? FULL_TEXT;
  const answerer = activePlan(plans, 'question-answerer');
  const builder = activePlan(plans, 'search-params-builder');
  const component = answerer?.parameters.pipeline.find((one) => one.questionAnswerer !== undefined)?.questionAnswerer;
  const texts = {
    ranking: describe(search),
    plan: builder?.label ?? t('default.installation'),
    answers: answerer?.label ?? t('default.installation'),
  };
  return {
    text: (kind: keyof typeof texts): string => texts[kind],
    matches: (settings: SearchSettings | undefined): boolean => {
      if (settings === undefined) return false;
      const { plan = '', answerer: name } = settings;
      if (typeof name === 'string') return name === '' || [answerer?.name, component].includes(name);
      return plan === '' ? same(search, settings) : builder?.name === plan;
    },
  };
}
