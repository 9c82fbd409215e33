/** Names of facets and of their values, and the facets of a search answer as the drawer wants them. */
import { useTranslation } from 'react-i18next';
import type { Aggregation } from '@/api/resources/search';
import type { Facet, FacetValue, SelectedFacet } from '@/components/facet-list';
import { useSessionStore } from '@/state/session-store';

const METADATA = 'metadata.';
const OTHER = 'sum_other_doc_count_';
const PERSONAL = /^(label|classificationLabel)\((.*)\)$/u;
const LABELS = /^(label|classificationLabel)(\(|$)/u;
const ORDER = ['inDataset', 'label', 'classificationLabel', 'createdBy', 'status', 'creationMode', 'activity', 'createdDate', 'split'];
const FIXED = new Set(['inDataset', 'status', 'creationMode', 'activity', 'createdDate', 'modifiedDate', 'split']);

export interface FacetWords {
  readonly title: (facet: string) => string;
  readonly value: (facet: string, value: string) => string;
  readonly colour: (facet: string, value: string) => string | undefined;
}

export interface LabelWords {
  readonly nameOf: (label: string) => string;
  readonly colourOf: (label: string) => string | undefined;
}

/** W-015 */
export function useFacetWords({ nameOf, colourOf }: LabelWords): FacetWords {
  const { t, i18n } = useTranslation('search');
  const me = useSessionStore((state) => state.principal?.username ?? '');
  const title = (facet: string): string => {
    const personal = PERSONAL.exec(facet);
    if (personal !== null) {
      const name = t(`facet.${personal[1] ?? ''}`);
      return personal[2] === me ? t('facet.mine', { name }) : t('facet.ofUser', { name, user: personal[2] });
    }
    if (facet.startsWith(METADATA)) return facet.slice(METADATA.length);
    return i18n.exists(`search:facet.${facet}`) ? t(`facet.${facet}`) : facet;
  };
  const value = (facet: string, key: string): string => {
    if (key.startsWith(OTHER)) return t('facet.other');
    if (LABELS.test(facet)) return nameOf(key);
    if (facet === 'createdBy' && key === me) return t('facet.me');
    return FIXED.has(facet) ? t(`${facet}.${key}`, { defaultValue: key }) : key;
  };
  return { title, value, colour: (facet, key) => (LABELS.test(facet) ? colourOf(key) : undefined) };
}

const rank = (name: string) => {
  const base = name.replace(/\(.*\)$/u, '');
  const at = ORDER.indexOf(base);
  return (at < 0 ? ORDER.length : at) + (name === base ? 0 : 0.5);
};

/** Facets without a value are dropped (V-021); a chosen value stays in sight when nothing found carries it. */
export function facetsOf(aggregations: readonly Aggregation[] | undefined, selected: readonly SelectedFacet[], words: FacetWords): Facet[] {
  const found = [...(aggregations ?? [])];
  for (const { facetName } of selected) if (!found.some(({ name }) => name === facetName)) found.push({ name: facetName, buckets: [] });
  return found
    .map(({ name, buckets }) => {
      const chosen = selected.filter(({ facetName, facetValue }) => facetName === name && !buckets.some(({ key }) => key === facetValue));
      const entries = [
        ...buckets.map(({ key, doc_count: count }) => ({ key, count })),
        ...chosen.map(({ facetValue }) => ({ key: facetValue, count: 0 })),
      ];
      const values: FacetValue[] = entries.map(({ key, count }) => {
        const colour = words.colour(name, key);
        return { value: key, label: words.value(name, key), count, ...(colour === undefined ? {} : { colour }) };
      });
      return { name, label: words.title(name), values };
    })
    .filter(({ values }) => values.length > 0)
    .sort((a, b) => rank(a.name) - rank(b.name) || a.label.localeCompare(b.label));
}

/** The bucket that adds up the rest cannot be searched for. */
export const searchable = (selected: readonly SelectedFacet[]) => selected.filter(({ facetValue }) => !facetValue.startsWith(OTHER));
