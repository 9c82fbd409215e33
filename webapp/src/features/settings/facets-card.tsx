import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { WandSparkles } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, client } from '@/api/client';
import { metadataQuery } from '@/api/resources/archives-and-shares';
import { projectKeys, type Project } from '@/api/resources/projects';
import { Button } from '@/ui/button';
import { CheckRow, SelectInput } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { useFormat } from '@/ui/format';
import { metafacetToJson, parseMetafacets, type Metafacet, type MetafacetType } from '@/blocks/search/metadata-facets';
import { metadataTitle as facetTitle } from '@/blocks/search/metadata-titles';
import { readableMetadataName } from '@/text/metadata-name';
import { useCan } from '@/state/session-store';
import { usePatchProject } from './use-patch-project';
import styles from './settings.module.css';

const SHOWN = 12;
const TYPES: readonly MetafacetType[] = ['', 'text', 'number', 'date'];

const generateFacets = (projectName: string) =>
  call(client.POST('/projects/{projectName}/_generateFacets', { params: { path: { projectName }, query: { mode: 'OVERWRITE' } } }));

interface ShownAsProps {
  readonly facet: Metafacet;
  readonly disabled: boolean;
  readonly onChange: (facet: Metafacet) => void;
}

/** Title and type of a selected facet. */
function FacetTitleAndType({ facet, disabled, onChange }: ShownAsProps) {
  const { t } = useTranslation('project');
  const [title, setTitle] = useState(facet.title);
  const keep = () => title.trim() !== facet.title && onChange({ ...facet, title: title.trim() });
  return (
    <div className={styles['facet']} role="group" aria-label={facet.name}>
      <TextInput
        label={t('settings.facetTitle')}
        value={title}
        placeholder={readableMetadataName(facet.name)}
        maxLength={255}
        disabled={disabled}
        onChange={setTitle}
        onBlur={keep}
        onKeyDown={(event) => event.key === 'Enter' && keep()}
      />
      <SelectInput<MetafacetType>
        label={t('settings.facetType')}
        value={facet.type}
        disabled={disabled}
        options={TYPES.map((value) => ({ value, label: t(`settings.facetTypes.${value === '' ? 'auto' : value}`) }))}
        onChange={(type) => onChange({ ...facet, type })}
      />
    </div>
  );
}

/** Metadata facets of the project, in order of selection, with their titles. */
export function FacetsCard({ info, writable }: { readonly info: Project; readonly writable: boolean }) {
  const { t } = useTranslation('project');
  const format = useFormat();
  const queryClient = useQueryClient();
  const metadataTitle = (name: string) => facetTitle(name, info.metafacets);
  const { data: metadata = [] } = useQuery(metadataQuery(info.name));
  const may = useCan('changeProjectConfig') && writable;
  const save = usePatchProject(info.name);
  const keep = (list: readonly Metafacet[]) => save.mutate({ metafacets: list.map(metafacetToJson) });
  const choose = useMutation({
    mutationFn: () => generateFacets(info.name),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKeys.all }),
    meta: { errorTitle: 'updateProjectConfig' },
  });
  const chosen = parseMetafacets(info.metafacets);
  const names = [...new Set([...chosen.map(({ name }) => name), ...metadata.map((entry) => entry.metadataName)])];
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
      {names.slice(0, Math.max(SHOWN, chosen.length)).map((name) => {
        const facet = chosen.find((one) => one.name === name);
        return (
          <div key={name}>
            <CheckRow
              label={<span title={name}>{metadataTitle(name)}</span>}
              help={values(name)}
              checked={facet !== undefined}
              disabled={!may || save.isPending}
              onChange={(next) => keep(next ? [...chosen, { name, title: '', type: '' }] : chosen.filter((one) => one !== facet))}
            />
            {facet !== undefined && (
              <FacetTitleAndType
                key={facet.title}
                facet={facet}
                disabled={!may || save.isPending}
                onChange={(changed) => keep(chosen.map((one) => (one === facet ? changed : one)))}
              />
            )}
          </div>
        );
      })}
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
