/** How the project searches and answers where nobody chooses. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { activePlan } from '@/api/resources/plans';
import { projectQuery } from '@/api/resources/projects';
import { searchDefaultsOf, type QualityKind, type SearchSettings } from '@/api/resources/ranking-experiments';
import { useConfigurationParts, useSettingsText } from './quality-names';

/** Whether two searches are the same: absent settings are those in use. */
const same = (one: SearchSettings, two: SearchSettings): boolean => {
  const parts = ({ searchType, vectorizer = '', vectorWeight = null, reranker = '', plan = '' }: SearchSettings) =>
    JSON.stringify([searchType, vectorizer, vectorWeight, reranker, plan]);
  return parts(one) === parts(two);
};

export function useDefaultSettings(project: string) {
  const { t } = useTranslation('quality');
  const { data: info } = useQuery({ ...projectQuery(project), meta: { silent: true } });
  const { plans } = useConfigurationParts(project);
  const describe = useSettingsText(project);
  const search = searchDefaultsOf(info);
  const answerer = activePlan(plans, 'question-answerer');
  const step = answerer?.parameters.pipeline.find((one) => one.questionAnswerer !== undefined);
  return {
    text: (kind: QualityKind): string => {
      if (kind === 'answers') return answerer?.label ?? t('default.installation');
      return search === null ? t('default.automatic') : describe(search);
    },
    matches: (kind: QualityKind, settings: SearchSettings | undefined): boolean => {
      if (settings === undefined) return false;
      if (kind === 'ranking') return search !== null && same(search, settings);
      const name = settings.answerer ?? '';
      return name === '' || name === answerer?.name || (step !== undefined && step.questionAnswerer === name);
    },
  };
}
