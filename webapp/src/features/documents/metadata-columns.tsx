import { Columns3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentHit, DocumentHits } from '@/api/resources/documents';
import type { Aggregation } from '@/api/resources/search';
import { useMetadataTitle } from '@/blocks/search/metadata-titles';
import { Button } from '@/ui/button';
import { Menu } from '@/ui/menu';
import { useStoredChoice } from '@/state/layout-store';
import { useCan } from '@/state/session-store';

const METADATA = 'metadata.';
const FIRST_COLUMNS = 2;

/** Metadata names of the results, and which of them are columns: the user's choice, else the first two with several values. */
export function useMetadataColumns(project: string, hits: readonly DocumentHit[], aggregations: readonly Aggregation[] | undefined) {
  const [choice, setChoice] = useStoredChoice<string>(`documents/columns/${project}`, '');
  const facets = (aggregations ?? []).filter(({ name }) => name.startsWith(METADATA));
  const names = [
    ...new Set([
      ...facets.map(({ name }) => name.slice(METADATA.length)),
      ...hits.flatMap(({ document }) => Object.keys(document.metadata ?? {})),
    ]),
  ].sort();
  const telling = facets.filter(({ buckets }) => buckets.length > 1).map(({ name }) => name.slice(METADATA.length));
  const chosen = choice === '' ? telling.slice(0, FIRST_COLUMNS) : choice.split('\n').filter((name) => names.includes(name));
  const toggle = (name: string) =>
    setChoice(['-', ...(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name])].join('\n'));
  return { names, chosen, toggle };
}

/** Selects the metadata columns of the list. */
export function ColumnsMenu({ project, data }: { readonly project: string; readonly data: DocumentHits | undefined }): ReactNode {
  const { t } = useTranslation('documents');
  const seesMetadata = useCan('seeMetadata');
  const metadataTitle = useMetadataTitle();
  const { names, chosen, toggle } = useMetadataColumns(project, data?.hits ?? [], data?.aggregations);
  if (!seesMetadata || names.length === 0) return null;
  return (
    <Menu
      label={t('columns')}
      align="right"
      entries={names.map((name) => ({
        key: name,
        label: <span title={name}>{metadataTitle(name)}</span>,
        checked: chosen.includes(name),
        onSelect: () => toggle(name),
      }))}
      trigger={(props) => (
        <Button icon={Columns3} {...props}>
          {t('columns')}
        </Button>
      )}
    />
  );
}
