import { useQueries, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { engineFormQuery, enginesQuery, type EngineForm, type EngineType } from '@/api/resources/components';

/** Forms of the engines of a type, by engine name. */
export function useEngineForms(project: string, type: EngineType): ReadonlyMap<string, EngineForm> {
  const { i18n } = useTranslation();
  const { data = [] } = useQuery(enginesQuery(project, type));
  const forms = useQueries({
    queries: data.map((engine) => ({ ...engineFormQuery(project, type, engine, i18n.language), meta: { silent: true } })),
  });
  return new Map(data.flatMap((engine, index) => (forms[index]?.data === undefined ? [] : [[engine, forms[index].data] as const])));
}
