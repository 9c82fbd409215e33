import { useQuery } from '@tanstack/react-query';
import { Columns2, RotateCw, X } from 'lucide-react';
import { useCallback, useEffect, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { OwnAnnotationsNote } from '@/blocks/labelling/own-annotations-note';
import { ProjectLabelsProvider, useProjectLabels } from '@/blocks/labelling/project-labels';
import { pageSizeOf, querySyntaxErrorOf } from '@/api/resources/search';
import { segmentSearchOf, segmentSearchQuery, type SegmentHits } from '@/api/resources/segments';
import type { Project } from '@/api/resources/projects';
import { BulkMenu } from '@/blocks/bulk/bulk-menu';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ButtonLink } from '@/ui/button-link';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { useSearchBox } from '@/ui/page';
import { Toolbar, ToolbarMore } from '@/ui/toolbar';
import { DatasetSelect } from '@/blocks/search/dataset-select';
import { DidYouMean } from '@/blocks/search/did-you-mean';
import { useFacetTexts, type FacetTexts } from '@/blocks/search/facet-texts';
import { countFacetsAndFilters, NO_FACETS_OR_FILTERS, SearchFilterChips, SearchFacets } from '@/blocks/search/search-filters';
import { hasVectors, SearchMode } from '@/blocks/search/search-mode';
import { SavedSearchesButton } from '@/blocks/search/saved-searches';
import { SortMenu } from '@/blocks/search/sort-menu';
import { useDefaultSearch } from '@/blocks/search/use-default-search';
import { UpdatingBadge } from '@/blocks/search/updating-badge';
import { useResultsOfLastValidQuery, useSearchFailureNotification } from '@/blocks/search/search-failure';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { SearchFailed } from '@/blocks/search/search-failed';
import {
  HYBRID_DEFAULTS,
  SEARCH_DEFAULTS,
  useRefetchOnRefresh,
  useSearchAddress,
  type ChangeAddress,
  type SearchAddress,
} from '@/state/search-address';
import { comparePath } from '@/state/compare-address';
import { useSearchStore } from '@/state/search-store';
import { useCan, useProjectName } from '@/state/session-store';
import styles from './explore.module.css';
import { NoSegments } from './no-segments';
import { SegmentResults } from './segment-results';

interface PartProps {
  readonly state: SearchAddress;
  readonly change: ChangeAddress;
}

/** Shown where nothing was asked for: the project has no documents, or documents without segments. */
function NothingYet(): ReactNode {
  const { t } = useTranslation('explore');
  const { project } = useProjectLabels();
  if (project !== undefined && (project.documents ?? 0) > 0) return <NoSegments project={project} />;
  return (
    <EmptyState title={t('empty.title')} actions={<ButtonLink to="/documents">{t('empty.documents')}</ButtonLink>}>
      {t('empty.text')}
    </EmptyState>
  );
}

function NothingFound({ state, change }: PartProps): ReactNode {
  const { t } = useTranslation('explore');
  const project = useProjectName();
  const narrowed = countFacetsAndFilters(state) > 0 || state.datasetSelector !== '';
  const searched = state.query !== '' || state.action === '_similar';
  if (!narrowed && !searched) return <NothingYet />;
  return (
    <EmptyState
      title={t('noMatch')}
      actions={
        <>
          <DidYouMean {...{ project, state }} onQuery={(query) => change({ query, explicitSubmit: true })} />
          {narrowed && <Button onClick={() => change({ ...NO_FACETS_OR_FILTERS, datasetSelector: '' })}>{t('search:clearFilters')}</Button>}
          {searched && <Button onClick={() => change({ query: '' })}>{t('search:clearQuery')}</Button>}
        </>
      }
    >
      {t('search:noMatchText')}
    </EmptyState>
  );
}

function ExploreFilterChips({ state, change, words }: PartProps & { readonly words: FacetTexts }): ReactNode {
  const { t } = useTranslation('explore');
  const { project } = useProjectLabels();
  return (
    <>
      <OwnAnnotationsNote project={project} />
      <SearchFilterChips selected={state} texts={words} onChange={change}>
        {state.action === '_similar' && (
          <span className={styles['similar']}>
            {t('similarTo')}
            <IconButton small label={t('endSimilar')} icon={X} onClick={() => change({ action: '_do_search', segid: '' })} />
          </span>
        )}
      </SearchFilterChips>
    </>
  );
}

function FoundCount({ data }: { readonly data: SegmentHits }): ReactNode {
  const { t } = useTranslation('explore');
  const format = useFormat();
  const { value, relation } = data.total;
  return (
    <span className={styles['total']} role="status">
      {t('total', { count: value, number: `${format.number(value)}${relation === 'eq' ? '' : '+'}` })}
    </span>
  );
}

/** Shown when the server could not search semantically. */
function TextSearchOnlyBadge({ data, state }: { readonly data: SegmentHits; readonly state: SearchAddress }): ReactNode {
  const { t } = useTranslation('search');
  const asked = state.searchType !== 'text' && (state.query !== '' || state.action === '_similar');
  if (!asked || data.searchType !== 'text') return null;
  return <Badge tone="warning">{t('wordsOnly')}</Badge>;
}

/** opens the comparison with this search on both sides. */
function CompareButton({ state }: { readonly state: SearchAddress }): ReactNode {
  const { t } = useTranslation('explore');
  const navigate = useNavigate();
  const mayCompare = useCan('seeSearchCompare');
  const maySearch = useCan('useSearch');
  if (!mayCompare || !maySearch) return null;
  return <IconButton label={t('compare')} icon={Columns2} onClick={() => void navigate(comparePath(state, state))} />;
}

/** Switches an address with semantic search to text search in a project without vectors. */
function useFallbackToTextSearch({ state, change }: PartProps): void {
  const { project } = useProjectLabels();
  const impossible = project !== undefined && state.searchType !== 'text' && !hasVectors(project);
  useEffect(() => {
    if (impossible) change({ searchType: 'text' }, { replace: true });
  }, [impossible, change]);
}

interface InsteadProps extends PartProps {
  readonly loaded: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Shown instead of results: placeholders, nothing found, or an error. */
function ResultsPlaceholder({ state, change, loaded, error, retry }: InsteadProps): ReactNode {
  const failed = error !== null && error !== undefined;
  return (
    <div className={styles['pad']}>
      {loaded && <NothingFound state={state} change={change} />}
      {!loaded && !failed && <Skeleton rows={8} rowHeight={72} />}
      {!loaded && failed && <SearchFailed {...{ state, change, error }} errorTitle="searchSegments" onRetry={retry} />}
    </div>
  );
}

interface OrderAndPartProps extends PartProps {
  readonly data: SegmentHits | undefined;
  readonly project: Project | undefined;
  readonly texts: FacetTexts;
}

/** How is searched, in which order, and in which part of the corpus. */
function OrderAndPart({ state, change, data, project, texts }: OrderAndPartProps): ReactNode {
  return (
    <ToolbarMore>
      <SearchMode project={project} searchType={state.searchType} simple={state.isSimpleQueryMode} onChange={change} />
      <SortMenu value={state.sort} aggregations={data?.aggregations} texts={texts} onChange={(sort) => change({ sort })} />
      <DatasetSelect value={state.datasetSelector} onChange={(datasetSelector) => change({ datasetSelector })} />
    </ToolbarMore>
  );
}

const shownSize = (data: SegmentHits | undefined, state: SearchAddress) => (data === undefined ? state.size : pageSizeOf(data));

function FoundSummary({ data, state }: { readonly data: SegmentHits | undefined; readonly state: SearchAddress }): ReactNode {
  if (data === undefined) return null;
  return (
    <>
      <TextSearchOnlyBadge data={data} state={state} />
      <FoundCount data={data} />
    </>
  );
}

function Explore({ defaults }: { readonly defaults: SearchAddress }): ReactNode {
  const { t } = useTranslation(['explore', 'search', 'labelling']);
  const projectName = useProjectName();
  const labels = useProjectLabels();
  const words = useFacetTexts(labels);
  const [state, change] = useSearchAddress('/explore', defaults);
  useFallbackToTextSearch({ state, change });
  useDefaultSearch({ project: projectName, kind: 'segments', usual: defaults, change });
  const search = segmentSearchOf(state, labels.project?.searchDefaults?.searchType);
  const answer = useQuery(segmentSearchQuery(projectName, search));
  const { error, isPlaceholderData, isFetching, refetch } = answer;
  const { found: data, half } = useResultsOfLastValidQuery(answer.data, error, state.explicitSubmit);
  useSearchFailureNotification(data === undefined ? null : error, state.explicitSubmit, 'searchSegments');
  useRefetchOnRefresh(state.refresh, refetch);
  const typing = useSearchStore((box) => box.typing);
  const onSearch = useCallback(
    (query: string, explicitSubmit: boolean) => change({ query, explicitSubmit }, { replace: !explicitSubmit }),
    [change],
  );
  const mistake = state.explicitSubmit ? querySyntaxErrorOf(error) : undefined;
  useSearchBox({ placeholder: t('searchPlaceholder'), query: state.query, onSearch, queryError: mistake });
  return (
    <SegmentResults
      project={projectName}
      state={state}
      change={change}
      hits={data?.hits ?? []}
      total={data?.total}
      size={shownSize(data, state)}
      stale={isPlaceholderData || half || typing}
      page={{
        filters: (
          <SearchFacets
            screen="explore"
            aggregations={data?.aggregations}
            project={projectName}
            target={{ searchIn: 'segments', search: { ...search, from: 0, sort: '' } }}
            selected={state}
            texts={words}
            onChange={change}
          />
        ),
        activeFilters: countFacetsAndFilters(state),
        onClearFilters: () => change(NO_FACETS_OR_FILTERS),
      }}
      toolbar={(end) => (
        <Toolbar
          end={
            <>
              <UpdatingBadge project={projectName} />
              <FoundSummary {...{ data, state }} />
              {end}
              <ToolbarMore>
                <SavedSearchesButton project={projectName} kind="segments" usual={defaults} {...{ state, texts: words }} onApply={change} />
                <CompareButton state={state} />
                <BulkMenu project={projectName} target={{ searchIn: 'segments', search: state, selection: [] }} />
                <IconButton
                  label={t('search:refresh')}
                  icon={RotateCw}
                  disabled={isFetching}
                  onClick={() => change({ from: state.from, refresh: state.refresh + 1 }, { replace: true })}
                />
              </ToolbarMore>
            </>
          }
        >
          <h1 className="visually-hidden">{t('title')}</h1>
          <OrderAndPart {...{ state, change, data }} project={labels.project} texts={words} />
        </Toolbar>
      )}
      chips={<ExploreFilterChips state={state} change={change} words={words} />}
    >
      {(data?.hits.length ?? 0) === 0 && (
        <ResultsPlaceholder {...{ state, change, error }} loaded={data !== undefined} retry={() => void refetch()} />
      )}
    </SegmentResults>
  );
}

/** C-061: defaults of the address depend on the project, so the screen is mounted again when the project gets vectors. */
function ExploreWithDefaults(): ReactNode {
  const { project } = useProjectLabels();
  const hybrid = useCan('useHybridSearch') && hasVectors(project);
  const usual = project?.searchDefaults?.searchType;
  const possible = usual === 'text' || (usual === 'vector' && hasVectors(project)) || (usual === 'hybrid' && hybrid);
  const defaults = useMemo(
    () => (usual !== undefined && possible ? { ...SEARCH_DEFAULTS, searchType: usual } : hybrid ? HYBRID_DEFAULTS : SEARCH_DEFAULTS),
    [usual, possible, hybrid],
  );
  return <Explore key={defaults.searchType} defaults={defaults} />;
}

/** R-016, S-018: the segments of the project, searched by text, similarity and facets; annotated in place. */
export function ExploreScreen(): ReactNode {
  const project = useProjectName();
  return (
    <ProjectLabelsProvider key={project} project={project}>
      <ExploreWithDefaults />
    </ProjectLabelsProvider>
  );
}
