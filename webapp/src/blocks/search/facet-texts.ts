/** Names of facets and of their values, and the facets of a search response in the form the drawer needs. */
import { useTranslation } from 'react-i18next';
import type { Aggregation } from '@/api/resources/search';
import type { Facet, FacetValue } from '@/ui/facet-list';
import type { SelectedFacet } from '@/state/facet-selection';
import { usePersonName } from '@/blocks/projects/person-name';
import { useSessionStore } from '@/state/session-store';
import { parseMetafacets } from './metadata-facets';
import { metadataTitle } from './metadata-titles';

const METADATA = 'metadata.';
const OTHER = 'sum_other_doc_count_';
const PERSONAL = /^(label|classificationLabel)\((.*)\)$/u;
const LABELS = /^(label|classificationLabel)(\(|$)/u;
const ORDER = [
  'reviewed',
  'inDataset',
  'label',
  'classificationLabel',
  'relation',
  'term',
  'createdBy',
  'status',
  'creationMode',
  'activity',
  'createdDate',
  'split',
];
/** Date facets, whose values are ranges already. */
export const DATE_FACETS: ReadonlySet<string> = new Set(['activity', 'createdDate', 'modifiedDate']);
const FIXED = new Set(['inDataset', 'status', 'creationMode', 'activity', 'createdDate', 'modifiedDate', 'split', 'reviewed']);

export interface FacetTexts {
  /** Position of a metadata facet set by the project; other facets are sorted by name. */
  readonly position?: (facet: string) => number;
  readonly title: (facet: string) => string;
  readonly value: (facet: string, value: string) => string;
  readonly colour: (facet: string, value: string) => string | undefined;
}

export interface LabelNamesAndColours {
  readonly project?: { readonly metafacets?: readonly unknown[] } | undefined;
  readonly nameOf: (label: string) => string;
  readonly colourOf: (label: string) => string | undefined;
}

/** W-015 */
export function useFacetTexts({ nameOf, colourOf, project }: LabelNamesAndColours): FacetTexts {
  const { t, i18n } = useTranslation('search');
  const me = useSessionStore((state) => state.principal?.username ?? '');
  const personName = usePersonName();
  const chosen = parseMetafacets(project?.metafacets);
  const place = (facet: string): number => {
    const at = chosen.findIndex(({ name }) => `${METADATA}${name}` === facet);
    return at < 0 ? chosen.length : at;
  };
  const title = (facet: string): string => {
    const personal = PERSONAL.exec(facet);
    if (personal !== null) {
      const name = t(`facet.${personal[1] ?? ''}`);
      return personal[2] === me ? t('facet.mine', { name }) : t('facet.ofUser', { name, user: personName(personal[2] ?? '') });
    }
    if (facet.startsWith(METADATA)) {
      const name = facet.slice(METADATA.length);
      return metadataTitle(name, project?.metafacets);
    }
    return i18n.exists(`search:facet.${facet}`) ? t(`facet.${facet}`) : facet;
  };
  const value = (facet: string, key: string): string => {
    if (LABELS.test(facet)) return nameOf(key);
    if (facet === 'createdBy') return key === me ? t('facet.me') : personName(key);
    return FIXED.has(facet) ? t(`${facet}.${key}`, { defaultValue: key }) : key;
  };
  return { position: place, title, value, colour: (facet, key) => (LABELS.test(facet) ? colourOf(key) : undefined) };
}

const facetRank = (name: string) => {
  const base = name.replace(/\(.*\)$/u, '');
  const at = ORDER.indexOf(base);
  return (at < 0 ? ORDER.length : at) + (name === base ? 0 : 0.5);
};

/** Facets without a value are dropped (V-021); a chosen value remains visible when no result has it. */
export function facetsFromAggregations(
  aggregations: readonly Aggregation[] | undefined,
  selected: readonly SelectedFacet[],
  words: FacetTexts,
): Facet[] {
  const found = [...(aggregations ?? [])];
  const { position = () => 0 } = words;
  for (const { facetName } of selected) if (!found.some(({ name }) => name === facetName)) found.push({ name: facetName, buckets: [] });
  return found
    .map(({ name, buckets: counted }) => {
      const buckets = counted.filter(({ key }) => !key.startsWith(OTHER));
      const rest = counted.find(({ key }) => key.startsWith(OTHER))?.doc_count ?? 0;
      const chosen = selected.filter(({ facetName, facetValue }) => facetName === name && !buckets.some(({ key }) => key === facetValue));
      const values = facetValuesFromBuckets(
        name,
        [...buckets, ...chosen.map(({ facetValue }) => ({ key: facetValue, doc_count: 0 }))],
        words,
      );
      return { name, label: words.title(name), values, ...(rest > 0 && { rest }) };
    })
    .filter(({ values }) => values.length > 0)
    .sort((a, b) => facetRank(a.name) - facetRank(b.name) || position(a.name) - position(b.name) || a.label.localeCompare(b.label));
}

/** Found values of a long facet, as its rows. */
export function facetValuesFromBuckets(facet: string, buckets: Aggregation['buckets'], words: FacetTexts): FacetValue[] {
  return buckets
    .filter(({ key }) => !key.startsWith(OTHER))
    .map(({ key, doc_count: count }) => {
      const colour = words.colour(facet, key);
      return { value: key, label: words.value(facet, key), count, ...(colour === undefined ? {} : { colour }) };
    });
}
