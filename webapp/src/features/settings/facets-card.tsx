import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { WandSparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, client } from '@/api/client';
import { metadataQuery } from '@/api/resources/archives';
import { projectKeys, type Project } from '@/api/resources/projects';
import { Button } from '@/components/button';
import { CheckRow } from '@/components/choices';
import { useFormat } from '@/components/format';
import { useCan } from '@/state/session-store';
import { usePatch } from './use-patch';
import styles from './settings.module.css';

const SHOWN = 12;

const chooseFacets = (projectName: string) =>
  call(client.POST('/projects/{projectName}/_generateFacets', { params: { path: { projectName }, query: { mode: 'OVERWRITE' } } }));

/** Which metadata people filter by, in the order they were chosen. */
export function FacetsCard({ info, writable }: { readonly info: Project; readonly writable: boolean }) {
  const { t } = useTranslation('project');
  const format = useFormat();
  const queryClient = useQueryClient();
  const { data: metadata = [] } = useQuery(metadataQuery(info.name));
  const may = useCan('changeProjectConfig') && writable;
  const save = usePatch(info.name);
  const choose = useMutation({
    mutationFn: () => chooseFacets(info.name),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all }),
    meta: { errorTitle: 'updateProjectConfig' },
  });
  const chosen = (info.metafacets ?? []).filter((name): name is string => typeof name === 'string');
  const names = [...new Set([...chosen, ...metadata.map((entry) => entry.metadataName)])];
  if (names.length === 0) return null;
  const values = (name: string) => {
    const entry = metadata.find((one) => one.metadataName === name);
    if (entry === undefined) return t('settings.facetUnused');
    const examples = entry.distinctMetadataValues.slice(0, 3).join(', ');
    return t('settings.facetValues', { count: entry.distinctCount ?? 0, number: format.number(entry.distinctCount ?? 0), examples });
  };
  return (
    <section className={styles['card']}>
      <h2>{t('settings.facets')}</h2>
      <p>{t('settings.facetsText')}</p>
      {names.slice(0, Math.max(SHOWN, chosen.length)).map((name) => (
        <CheckRow
          key={name}
          label={name}
          help={values(name)}
          checked={chosen.includes(name)}
          disabled={!may || save.isPending}
          onChange={(next) => save.mutate({ metafacets: next ? [...chosen, name] : chosen.filter((one) => one !== name) })}
        />
      ))}
      {may && (
        <div>
          <Button icon={WandSparkles} busy={choose.isPending} onClick={() => choose.mutate()}>
            {t('settings.facetsChoose')}
          </Button>
        </div>
      )}
    </section>
  );
}
