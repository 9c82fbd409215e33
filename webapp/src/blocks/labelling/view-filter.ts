/** The display filter of annotations (D-015), per project, until the web app is reloaded. */
import { create } from 'zustand';
import { filterDisplayedSpans, DEFAULT_DISPLAY_FILTER, type AnnotationDisplayFilter } from '@/annotation/annotation-display-filter';
import type { Span } from '@/annotation/model';
import { DEFAULT_SENTENCE_CATEGORY_FILTER, type SentenceCategoryFilter } from '@/annotation/sentence-category-filter';

export interface ViewFilter extends AnnotationDisplayFilter {
  /** Empty: all users. */
  readonly createdBy: readonly string[];
  /** Labels whose annotations are hidden. New labels are visible until they are hidden. */
  readonly hidden: readonly string[];
  /** Show label, score and author when the pointer rests on an annotation. */
  readonly showOnHover: boolean;
  /** Whether relations are drawn. */
  readonly relations: boolean;
  /** Which sentences of a document show their category. */
  readonly sentences: SentenceCategoryFilter;
}

/** C-065: the creation mode of imported annotations is `undefined`. */
export const DEFAULT_VIEW_FILTER: ViewFilter = {
  ...DEFAULT_DISPLAY_FILTER,
  createdBy: [],
  hidden: [],
  showOnHover: true,
  relations: true,
  sentences: DEFAULT_SENTENCE_CATEGORY_FILTER,
};

/** Widens the filter so that an annotation the user has just created is visible. */
export function widenedFilter(filter: ViewFilter, label: string, creator: string): ViewFilter {
  const { createdBy, labels, creationModes, statuses } = filter;
  const along = <T>(known: readonly T[], one: T): readonly T[] => (known.includes(one) ? known : [...known, one]);
  return {
    ...withLabelHidden(filter, label, false),
    createdBy: createdBy.length === 0 ? createdBy : along(createdBy, creator),
    labels: labels.length === 0 ? labels : along(labels, label),
    creationModes: along(creationModes, 'manual'),
    statuses: along(statuses, 'OK'),
  };
}

interface ViewFilterState {
  readonly byProject: Readonly<Record<string, ViewFilter>>;
  set(project: string, filter: ViewFilter): void;
}

const useViewFilterStore = create<ViewFilterState>((set) => ({
  byProject: {},
  set: (project, filter) => set(({ byProject }) => ({ byProject: { ...byProject, [project]: filter } })),
}));

export function useViewFilter(project: string): readonly [ViewFilter, (filter: ViewFilter) => void] {
  const filter = useViewFilterStore((state) => state.byProject[project]) ?? DEFAULT_VIEW_FILTER;
  const set = useViewFilterStore((state) => state.set);
  return [filter, (next) => set(project, next)];
}

/** Widens the filter of the project where it would hide the user's new annotation. */
export function widenFilterFor(project: string, label: string, creator: string): void {
  const { byProject, set } = useViewFilterStore.getState();
  const filter = byProject[project];
  if (filter === undefined) return;
  const wider = widenedFilter(filter, label, creator);
  if (JSON.stringify(wider) !== JSON.stringify(filter)) set(project, wider);
}

export function applyViewFilter(spans: readonly Span[], filter: ViewFilter): readonly Span[] {
  const shown = filterDisplayedSpans(spans, filter);
  const { createdBy, hidden } = filter;
  if (createdBy.length === 0 && hidden.length === 0) return shown;
  return shown.filter(({ status, creator, label }) => {
    if (status === 'saving' || status === 'failed') return true;
    return !hidden.includes(label) && (createdBy.length === 0 || createdBy.includes(creator ?? ''));
  });
}

export const isDefaultFilter = (filter: ViewFilter) => JSON.stringify(filter) === JSON.stringify(DEFAULT_VIEW_FILTER);

/** The filter with the annotations of a label hidden or shown again. */
export const withLabelHidden = (filter: ViewFilter, label: string, hide: boolean): ViewFilter => {
  const others = filter.hidden.filter((known) => known !== label);
  return { ...filter, hidden: hide ? [...others, label] : others };
};
