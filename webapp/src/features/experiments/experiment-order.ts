/** The order of rows: nothing moves while a training runs or ends; only the user changes it. */
import { useState } from 'react';
import type { Experiment } from '@/api/resources/experiments';
import type { Sort } from '@/ui/data-table';

export type ExperimentComparison = (a: Experiment, b: Experiment) => number;

/** The server lists in the order of creation: the newest comes first. */
const newestFirst = (experiments: readonly Experiment[]): Experiment[] => [...experiments].reverse();

/** In the order of `names`; experiments that were created since come first, the newest first. */
export function inKnownOrder(experiments: readonly Experiment[], names: readonly string[]): Experiment[] {
  const place = new Map(names.map((name, index) => [name, index]));
  return newestFirst(experiments).sort((a, b) => (place.get(a.name) ?? -1) - (place.get(b.name) ?? -1));
}

/**
 * Rows in a stable order: as created, or as they were when the user sorted them. A row that changes afterwards stays where it is, even if
 * the column says otherwise, until the user sorts again.
 */
export function useStableOrder(experiments: readonly Experiment[], compare: (key: string) => ExperimentComparison) {
  const [sorted, setSorted] = useState<{ readonly sort: Sort; readonly names: readonly string[] } | undefined>(undefined);
  const onSort = (sort: Sort) => {
    const by = compare(sort.key);
    const rows = newestFirst(experiments).sort((a, b) => (sort.descending ? by(b, a) : by(a, b)));
    setSorted({ sort, names: rows.map(({ name }) => name) });
  };
  const rows = inKnownOrder(experiments, sorted?.names ?? []);
  return { rows, sort: sorted?.sort, onSort };
}
