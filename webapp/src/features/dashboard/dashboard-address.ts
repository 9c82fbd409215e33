/** The open tab and charts, stored in the path, and the targets of links in charts. */
import type { SelectedFacet } from '@/state/facet-selection';
import { addressPath } from '@/state/search-address';
import { allowed } from '@/state/permissions';
import { pathWithState } from '@/state/path-state';
import { usePathState } from '@/state/use-path-state';
import { useSessionStore } from '@/state/session-store';

/** R-015, in order. */
export const TABS = { project: 'seeOverallStats', corpus: 'seeCorpusStats', dataset: 'seeDatasetStats', model: 'seeModelStats' } as const;
export type DashboardTab = keyof typeof TABS;
export type CountedLabelling = 'annotations' | 'categories';

export interface DashboardAddress {
  readonly tab: DashboardTab | '';
  /** Metadata field whose values are counted; the first one when empty. */
  readonly facet: string;
  /** What is counted in the dataset; depends on the nature of the project when empty. */
  readonly counted: CountedLabelling | '';
}

const DEFAULTS: DashboardAddress = { tab: '', facet: '', counted: '' };

export const useDashboardAddress = () => usePathState('/dashboard', DEFAULTS);

/** Converts `/dashboard/corpus`, as users may type it, to the address of that tab; null for other parameters. */
export const pathOfNamedTab = (parameter: string | undefined): string | null =>
  parameter !== undefined && Object.hasOwn(TABS, parameter)
    ? pathWithState('/dashboard', { tab: parameter as DashboardTab }, DEFAULTS)
    : null;

/** The tab of the address when it is allowed, else the first allowed one (S-039). */
export function shownTab(wanted: string, may: readonly DashboardTab[]): DashboardTab | undefined {
  return may.find((tab) => tab === wanted) ?? may[0];
}

export type FacetValueFilter = readonly [facet: string, value: string];

export interface FacetSearchLinks {
  /** Documents (or segments) with these facet values; undefined when the caller may not go there. */
  readonly documents: (...chosen: readonly FacetValueFilter[]) => string | undefined;
  readonly segments: (...chosen: readonly FacetValueFilter[]) => string | undefined;
  /** Segments that contain these words in this order. */
  readonly words: (text: string) => string | undefined;
}

const includedFacet = ([facetName, facetValue]: FacetValueFilter): SelectedFacet => ({ facetName, facetValue, facetSelector: '+' });

/** A permission `readFacet:{facet}` is also required for facets in the address. */
export function facetSearchLinks(permissions: ReadonlySet<string>): FacetSearchLinks {
  const path = (screen: '/documents' | '/explore', chosen: readonly FacetValueFilter[]) => {
    const rule = screen === '/documents' ? 'seeDocuments' : 'seeExplore';
    const open = allowed(permissions, rule) && chosen.every(([facet]) => allowed(permissions, `readFacet:${facet}`));
    return open ? addressPath(screen, { selectedFacets: chosen.map(includedFacet) }) : undefined;
  };
  return {
    documents: (...chosen) => path('/documents', chosen),
    segments: (...chosen) => path('/explore', chosen),
    words: (text) =>
      allowed(permissions, 'seeExplore') && allowed(permissions, 'useSearch')
        ? addressPath('/explore', { query: `"${text.replaceAll('"', ' ')}"`, isSimpleQueryMode: false })
        : undefined,
  };
}

export const useFacetSearchLinks = (): FacetSearchLinks => facetSearchLinks(useSessionStore((state) => state.permissions));
