/** Which facet values a search includes and excludes, and their format in addresses. */

/** C-067 */
export type FacetSelector = '' | '+' | '-';

export interface SelectedFacet {
  readonly facetName: string;
  readonly facetValue: string;
  readonly facetSelector: FacetSelector;
}

/** The next state after a click: empty, include, exclude, empty; `exclude` goes directly to exclusion. */
export function nextSelector(current: FacetSelector, exclude = false): FacetSelector {
  if (exclude) return current === '-' ? '' : '-';
  return current === '' ? '+' : current === '+' ? '-' : '';
}

export function withFacet(
  selected: readonly SelectedFacet[],
  facetName: string,
  facetValue: string,
  facetSelector: FacetSelector,
): readonly SelectedFacet[] {
  const others = selected.filter((item) => item.facetName !== facetName || item.facetValue !== facetValue);
  return facetSelector === '' ? others : [...others, { facetName, facetValue, facetSelector }];
}

/** `+label:Person`: the format of a selected facet in addresses. A value may contain colons. */
export const formatFacet = ({ facetName, facetValue, facetSelector }: SelectedFacet) => `${facetSelector}${facetName}:${facetValue}`;

export function parseFacet(text: string): SelectedFacet | null {
  const match = /^([+-]?)([^:]+):(.*)$/s.exec(text);
  if (match === null) return null;
  return { facetSelector: (match[1] === '' ? '+' : match[1]) as FacetSelector, facetName: match[2] ?? '', facetValue: match[3] ?? '' };
}
