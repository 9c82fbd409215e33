import { Filter } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import { JudgingBar, JudgingProvider } from '@/blocks/questions/judging';
import { useHasQuestions } from '@/blocks/questions/use-questions-drawer';
import { DatasetSelect } from '@/blocks/search/dataset-select';
import { DidYouMean } from '@/blocks/search/did-you-mean';
import type { FacetTexts } from '@/blocks/search/facet-texts';
import { FilterForm } from '@/blocks/search/filter-form';
import { SearchFailed } from '@/blocks/search/search-failed';
import { countFacetsAndFilters, NO_FACETS_OR_FILTERS, SearchFilterChips } from '@/blocks/search/search-filters';
import { SearchMode } from '@/blocks/search/search-mode';
import { SortMenu } from '@/blocks/search/sort-menu';
import { withFilter } from '@/state/search-filters';
import { useCan, useProjectName } from '@/state/session-store';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { Pager } from '@/ui/pager';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import styles from './compare.module.css';
import { QueryBox } from './query-box';
import { ResultRow } from './result-row';
import type { ComparedSearch } from './use-compared-search';
import type { Comparison } from './use-comparison';

interface SideProps {
  readonly search: ComparedSearch;
  readonly other: ComparedSearch;
  readonly comparison: Comparison | undefined;
  readonly texts: FacetTexts;
}

function NothingFound({ search: { state, change } }: Pick<SideProps, 'search'>): ReactNode {
  const { t } = useTranslation(['explore', 'search']);
  const project = useProjectName();
  const narrowed = countFacetsAndFilters(state) > 0 || state.datasetSelector !== '';
  return (
    <EmptyState
      title={t('noMatch')}
      actions={
        <>
          <DidYouMean {...{ project, state }} onQuery={(query) => change({ query, explicitSubmit: true })} />
          {narrowed && <Button onClick={() => change({ ...NO_FACETS_OR_FILTERS, datasetSelector: '' })}>{t('search:clearFilters')}</Button>}
        </>
      }
    >
      {t('search:noMatchText')}
    </EmptyState>
  );
}

/** Shown instead of results: nothing to search yet, placeholders, an error, nothing found. */
function Instead({ search }: Pick<SideProps, 'search'>): ReactNode {
  const { t } = useTranslation('compare');
  const maySearch = useCan('useSearch');
  const { state, change, ready, page, error, retry, letter } = search;
  const failed = error !== null && error !== undefined;
  if (!maySearch) return <EmptyState title={t('noRight')}>{t('noRightText')}</EmptyState>;
  if (!ready) return <EmptyState title={t('nothingYet', { letter })}>{t('nothingYetText')}</EmptyState>;
  if (page !== undefined) return <NothingFound search={search} />;
  if (failed) return <SearchFailed {...{ state, change, error }} errorTitle="searchSegments" onRetry={retry} />;
  return <Skeleton rows={8} rowHeight={64} />;
}

function Results({ search, other, comparison }: SideProps): ReactNode {
  const { t } = useTranslation('compare');
  const { state, change, page, size, stale, letter, side } = search;
  const hits = page?.hits ?? [];
  if (page === undefined || hits.length === 0)
    return (
      <div className={styles['pad']}>
        <Instead search={search} />
      </div>
    );
  const otherIndex = side === 'explore1' ? 1 : 0;
  const complete = other.page?.total.relation === 'eq' && other.page.total.value <= (other.first?.length ?? 0);
  return (
    <>
      <ol className={styles['list']} start={state.from + 1} aria-label={t('results', { letter })} data-stale={stale || undefined}>
        {hits.map((hit, index) => {
          const common = comparison?.places.get(hit._id);
          return (
            <ResultRow
              key={hit._id}
              {...{ hit, state, common }}
              rank={state.from + index + 1}
              other={{ letter: other.letter, rank: common?.ranks[otherIndex], complete }}
              compared={comparison !== undefined}
            />
          );
        })}
      </ol>
      <div className={styles['foot']}>
        <Pager
          from={state.from}
          size={size}
          total={page.total.value}
          exact={page.total.relation === 'eq'}
          onChange={(from) => change({ from })}
          onSize={(next) => change({ size: next })}
        />
      </div>
    </>
  );
}

/** How is searched, and how much was found. */
function SideHead({
  search,
  texts,
  ...form
}: Pick<SideProps, 'search' | 'texts'> & {
  readonly open: boolean;
  readonly onOpen: () => void;
  readonly id: string;
  readonly measured: boolean;
}): ReactNode {
  const { t } = useTranslation('compare');
  const format = useFormat();
  const { project } = useProjectLabels();
  const maySearch = useCan('useSearch');
  const { state, change, page, letter } = search;
  return (
    <div className={styles['options']}>
      <span className={styles['letter']} aria-hidden>
        {letter}
      </span>
      <SearchMode project={project} searchType={state.searchType} simple={state.isSimpleQueryMode} onChange={change} />
      <SortMenu value={state.sort} aggregations={page?.aggregations} texts={texts} onChange={(sort) => change({ sort })} />
      <DatasetSelect value={state.datasetSelector} onChange={(datasetSelector) => change({ datasetSelector })} />
      {maySearch && (
        <IconButton
          label={t('addFilter', { letter })}
          icon={Filter}
          aria-expanded={form.open}
          aria-controls={form.id}
          onClick={form.onOpen}
        />
      )}
      {page !== undefined && !form.measured && (
        <span className={styles['found']} role="status">
          {t('found', { count: page.total.value, number: `${format.number(page.total.value)}${page.total.relation === 'eq' ? '' : '+'}` })}
        </span>
      )}
    </div>
  );
}

/** One of the two searches: options, query, filters (W-012), results, pages. `measured`: questions stand for the query, figures for results. */
export function CompareSide(props: SideProps & { readonly measured: boolean }): ReactNode {
  const { search, texts, measured } = props;
  const { state, change, page, letter } = search;
  const { t } = useTranslation('compare');
  const maySearch = useCan('useSearch');
  const [open, setOpen] = useState(false);
  const id = useId();
  const hasQuestions = useHasQuestions();
  const metadata = (page?.aggregations ?? []).map(({ name }) => name).filter((name) => name.startsWith('metadata.'));
  return (
    <section className={styles['side']} aria-label={t('side', { letter })}>
      <SideHead {...{ search, texts, open, id, measured }} onOpen={() => setOpen(!open)} />
      {maySearch && !measured && (
        <div className={styles['query']}>
          <QueryBox search={search} />
        </div>
      )}
      <div id={id} hidden={!open}>
        {open && <FilterForm metadata={metadata} onAdd={(filter) => change({ filters: withFilter(state.filters, filter) })} />}
      </div>
      <SearchFilterChips selected={state} texts={texts} onChange={change} />
      {!measured && (
        <JudgingProvider text={hasQuestions && page !== undefined && state.action === '_do_search' ? state.query : ''}>
          <div className={styles['judging']}>
            <JudgingBar />
          </div>
          <Results {...props} />
        </JudgingProvider>
      )}
    </section>
  );
}
