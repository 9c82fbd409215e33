import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { annotatorKeys } from '@/api/resources/annotators';
import { componentDefaultsQuery } from '@/api/resources/component-defaults';
import { labelSetsQuery } from '@/api/resources/labels';
import { plansQuery } from '@/api/resources/plans';
import {
  createPredefinedAnnotator,
  createPredefinedLabelSet,
  missingRequirements,
  type PredefinedAnnotator,
  type PredefinedLabelSetName,
  type PredefinedTexts,
} from '@/api/resources/predefined';
import { projectQuery } from '@/api/resources/projects';
import { suggestersQuery } from '@/api/resources/suggesters';
import { useCan } from '@/state/session-store';

function usePredefinedTexts(): PredefinedTexts {
  const { t, i18n } = useTranslation('predefined');
  const mayWriteLabels = useCan('writeLabel');
  return {
    label: (name) => t(`label.${name}`),
    set: (name) => t(`set.${name}`),
    predefined: ({ key, title }) => t(`made.${key}.label`, { defaultValue: title || key }),
    language: i18n.language,
    mayWriteLabels,
  };
}

/** C-075: predefined components, which of them exist, what each lacks, and the functions that create them. */
export function usePredefinedComponents(project: string) {
  const { t, i18n } = useTranslation('predefined');
  const queryClient = useQueryClient();
  const words = usePredefinedTexts();
  const { data: plans } = useQuery({ ...plansQuery(project), meta: { silent: true } });
  const { data: suggesters } = useQuery({ ...suggestersQuery(project), meta: { silent: true } });
  const { data: sets } = useQuery({ ...labelSetsQuery(project), meta: { silent: true } });
  const { data: info } = useQuery({ ...projectQuery(project), meta: { silent: true } });
  const { data: predefined = [] } = useQuery({ ...componentDefaultsQuery, select: (defaults) => defaults.predefined });
  const { data: lacked } = useQuery({
    queryKey: ['components', project, 'predefined', i18n.language] as const,
    queryFn: async () => {
      const defaults = await queryClient.fetchQuery(componentDefaultsQuery);
      const found = await Promise.all(
        defaults.predefined.map(async (made) => {
          const needs = await missingRequirements(queryClient, project, i18n.language, made);
          return [made.key, needs.map(({ name }) => name)] as const;
        }),
      );
      return Object.fromEntries(found) as Readonly<Record<string, readonly string[]>>;
    },
    enabled: project !== '',
    staleTime: 300_000,
    meta: { errorTitle: 'getEngines' },
  });
  // What to install is said to those who can.
  const installs = useCan('platformUserAdministrator');
  const install = (component: string) => t(installs ? [`install.${component}`, 'install.other'] : 'install.ask', { name: component });
  const create = useMutation({
    mutationFn: (made: PredefinedAnnotator) => createPredefinedAnnotator(queryClient, project, made, words, install),
    onSettled: () => queryClient.invalidateQueries({ queryKey: annotatorKeys.all }),
    meta: { errorTitle: 'createPredefined' },
  });
  const createSet = useMutation({
    mutationFn: (set: PredefinedLabelSetName) => createPredefinedLabelSet(queryClient, project, set, words),
    meta: { errorTitle: 'createPredefined' },
  });
  /** Predefined components annotate spans. */
  const spans = info?.nature !== 'classification';
  return { spans, predefined, words, plans, suggesters, sets, lacked, install, create, createSet };
}
