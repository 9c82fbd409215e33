/** Which annotations the user wants to see (D-015), per project, for as long as the studio is open. */
import { create } from 'zustand';
import { applyLayoutFilter, DEFAULT_LAYOUT_FILTER, type LayoutFilter } from '../layout-filter';
import type { Span } from '../model';

export interface ViewFilter extends LayoutFilter {
  /** Empty: everybody. */
  readonly createdBy: readonly string[];
  /** Label, score and author appear when the pointer rests on an annotation. */
  readonly showOnHover: boolean;
}

/** C-065: what was imported travels as `undefined`. */
export const DEFAULT_VIEW_FILTER: ViewFilter = {
  ...DEFAULT_LAYOUT_FILTER,
  createdBy: [],
  showOnHover: true,
};

interface ViewFilterState {
  readonly byProject: Readonly<Record<string, ViewFilter>>;
  set(project: string, filter: ViewFilter): void;
}

const useStore = create<ViewFilterState>((set) => ({
  byProject: {},
  set: (project, filter) => set(({ byProject }) => ({ byProject: { ...byProject, [project]: filter } })),
}));

export function useViewFilter(project: string): readonly [ViewFilter, (filter: ViewFilter) => void] {
  const filter = useStore((state) => state.byProject[project]) ?? DEFAULT_VIEW_FILTER;
  const set = useStore((state) => state.set);
  return [filter, (next) => set(project, next)];
}

export function applyViewFilter(spans: readonly Span[], filter: ViewFilter): readonly Span[] {
  const shown = applyLayoutFilter(spans, filter);
  if (filter.createdBy.length === 0) return shown;
  return shown.filter(({ status, creator }) => status === 'saving' || status === 'failed' || filter.createdBy.includes(creator ?? ''));
}

export const isDefaultFilter = (filter: ViewFilter) => JSON.stringify(filter) === JSON.stringify(DEFAULT_VIEW_FILTER);
