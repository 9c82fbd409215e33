import { ArrowDownUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Aggregation } from '@/api/resources/search';
import { Button } from '@/ui/button';
import { Menu } from '@/ui/menu';
import type { FacetTexts } from './facet-texts';

/** Sort orders in their serialised form; empty: by relevance. */
const SORTS = ['', '-createdDate', 'createdDate', '-modifiedDate', '-activity', 'title', '-title'] as const;
const METADATA = 'metadata.';

interface SortMenuProps {
  readonly value: string;
  /** Facets of the results, whose metadata can be sorted by. */
  readonly aggregations: readonly Aggregation[] | undefined;
  readonly texts: FacetTexts;
  readonly onChange: (sort: string) => void;
}

/** Names of metadata, including the present sort field even when no result has it. */
function sortableMetadata(aggregations: readonly Aggregation[] | undefined, value: string): string[] {
  const used = value.replace(/^-/u, '');
  const found = (aggregations ?? []).map(({ name }) => name).filter((name) => name.startsWith(METADATA));
  return used.startsWith(METADATA) && !found.includes(used) ? [...found, used] : found;
}

/** Sort order of hits: by relevance, dates, title, or metadata. */
export function SortMenu({ value, aggregations, texts, onChange }: SortMenuProps): ReactNode {
  const { t } = useTranslation('search');
  const metadata = sortableMetadata(aggregations, value);
  const word = (sort: string) => {
    const field = sort.replace(/^-/u, '');
    if (!field.startsWith(METADATA)) return t(`sort.${sort === '' ? 'best' : sort.replace('title', 'byTitle')}`);
    return t(sort === field ? 'sort.rising' : 'sort.falling', { name: texts.title(field) });
  };
  const entry = (sort: string) => ({
    key: sort === '' ? 'best' : sort,
    label: word(sort),
    checked: sort === known,
    onSelect: () => onChange(sort),
  });
  const known = [...SORTS, ...metadata.flatMap((name) => [name, `-${name}`])].find((sort) => sort === value) ?? '';
  return (
    <Menu
      label={t('sort.title')}
      align="right"
      entries={[
        ...SORTS.map(entry),
        ...(metadata.length > 0 ? [{ kind: 'divider', key: 'metadata' } as const] : []),
        ...metadata.flatMap((name) => [entry(name), entry(`-${name}`)]),
      ]}
      trigger={(props) => (
        <Button kind="quiet" small icon={ArrowDownUp} aria-label={t('sort.is', { order: word(known) })} {...props}>
          {word(known)}
        </Button>
      )}
    />
  );
}
