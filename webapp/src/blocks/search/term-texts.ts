/** Readable values of the facet of terms, whose values are names of lexicons with identifiers. */
import { useTermNames } from '@/blocks/terms/use-term-names';
import type { SelectedFacet } from '@/state/facet-selection';
import { TERM_FACET } from '@/state/term-facet';
import type { FacetTexts } from './facet-texts';

/** Values of the facet of terms among those that are shown. */
export function shownTermValues(
  selected: readonly SelectedFacet[],
  aggregations: readonly { readonly name: string; readonly buckets: readonly { readonly key: string }[] }[] = [],
): readonly string[] {
  const counted = aggregations.filter(({ name }) => name === TERM_FACET).flatMap(({ buckets }) => buckets.map(({ key }) => key));
  const chosen = selected.filter(({ facetName }) => facetName === TERM_FACET).map(({ facetValue }) => facetValue);
  return [...new Set([...chosen, ...counted])];
}

/** The texts, with the names of these terms. */
export function useTextsWithTerms(project: string, texts: FacetTexts, values: readonly string[]): FacetTexts {
  const nameOf = useTermNames(project, values);
  return { ...texts, value: (facet, value) => (facet === TERM_FACET ? nameOf(value) : texts.value(facet, value)) };
}
