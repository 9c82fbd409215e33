/** S-002: the facets of the home screen, computed from the list itself (C-069, C-070). */
import type { Facet } from '@/ui/facet-list';
import type { SelectedFacet } from '@/state/facet-selection';
import type { Project } from '@/api/resources/projects';

/** C-070: `0`, `~1` (1-9), `~10` (10-99) ... `100M+`. */
export function countRange(count: number): string {
  if (count <= 0) return '0';
  const power = Math.floor(Math.log10(count));
  if (power >= 8) return '100M+';
  const names = ['~1', '~10', '~100', '~1k', '~10k', '~100k', '~1M', '~10M'];
  return names[power] ?? '0';
}

const RANGES = ['0', '~1', '~10', '~100', '~1k', '~10k', '~100k', '~1M', '~10M', '100M+'];

const booleanText = (value: boolean | undefined) => (value === true ? 'true' : 'false');

type Reader = (project: Project) => readonly string[];

const range =
  (read: (project: Project) => number | undefined): Reader =>
  (project) => {
    const count = read(project);
    return count === undefined ? [] : [countRange(count)];
  };

/** C-069, in display order. */
const READERS: Readonly<Record<string, Reader>> = {
  nature: (p) => [p.nature ?? 'unknown'],
  language: (p) => [p.lang],
  engines: (p) => p.engines ?? [],
  algorithms: (p) => p.algorithms ?? [],
  components: (p) => p.components ?? [],
  group: (p) => (p.group === undefined ? [] : [p.group.label || p.group.name]),
  owner: (p) => (p.owner === undefined ? [] : [p.owner.profilename || p.owner.username]),
  private: (p) => [booleanText(p.private)],
  hasSplit: (p) => [booleanText(p.hasSplit)],
  readOnly: (p) => [booleanText(p.readOnly)],
  documents: range((p) => p.documents),
  segments: range((p) => p.segments),
  annotations: range((p) => p.annotations),
  categories: range((p) => p.categories),
  terms: range((p) => p.terms),
};

export const PROJECT_FACETS = Object.keys(READERS);
const COUNTED = new Set(['documents', 'segments', 'annotations', 'categories', 'terms']);

function sortedFacetValues(name: string, counts: ReadonlyMap<string, number>): string[] {
  const values = [...counts.keys()];
  if (COUNTED.has(name)) return values.sort((a, b) => RANGES.indexOf(a) - RANGES.indexOf(b));
  return values.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a.localeCompare(b));
}

/** Facets with counts over all projects; `label` translates a value. */
export function projectFacets(
  projects: readonly Project[],
  title: (name: string) => string,
  label: (name: string, value: string) => string,
): Facet[] {
  return Object.entries(READERS).map(([name, read]) => {
    const counts = new Map<string, number>();
    for (const project of projects) for (const value of new Set(read(project))) counts.set(value, (counts.get(value) ?? 0) + 1);
    return {
      name,
      label: title(name),
      values: sortedFacetValues(name, counts).map((value) => ({ value, label: label(name, value), count: counts.get(value) ?? 0 })),
    };
  });
}

/** Included values of one facet are alternatives, facets narrow each other, excluded values always remove. */
function matchesFacets(project: Project, selected: readonly SelectedFacet[]): boolean {
  const names = new Set(selected.map((item) => item.facetName));
  return [...names].every((name) => {
    const read = READERS[name];
    if (read === undefined) return true;
    const values = read(project);
    const of = (selector: '+' | '-') =>
      selected.filter((item) => item.facetName === name && item.facetSelector === selector).map((item) => item.facetValue);
    const included = of('+');
    return (included.length === 0 || included.some((value) => values.includes(value))) && !of('-').some((value) => values.includes(value));
  });
}

/** S-002: facets that cannot be computed must not hide the list: returns `otherwise`, so that the list is shown without them (E-062). */
export function computeOrDefault<T>(compute: () => T, otherwise: T): T {
  try {
    return compute();
  } catch (error) {
    console.warn('The facets of the projects could not be computed', error);
    return otherwise;
  }
}

/** V-019: the name filter is a case-insensitive substring of the label. */
export function filterProjects(projects: readonly Project[], text: string, selected: readonly SelectedFacet[]): Project[] {
  const wanted = text.trim().toLocaleLowerCase();
  return projects.filter((project) => project.label.toLocaleLowerCase().includes(wanted) && matchesFacets(project, selected));
}
