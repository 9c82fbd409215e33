import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { hasLabelDrawer } from '@/blocks/labelling/label-panel';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import type { BulkTarget } from '@/api/resources/bulk-actions';
import { documentSearchQuery, type DocumentHits } from '@/api/resources/documents';
import { querySyntaxErrorOf } from '@/api/resources/search';
import { BulkBar } from '@/ui/bulk-bar';
import { BulkMenu } from '@/blocks/bulk/bulk-menu';
import { DeleteDocumentsDialog } from '@/blocks/bulk/delete-documents-dialog';
import { Button } from '@/ui/button';
import { ButtonLink } from '@/ui/button-link';
import { useFormat } from '@/ui/format';
import { Page, useSearchBox } from '@/ui/page';
import { Toolbar, ToolbarMore } from '@/ui/toolbar';
import { PAGE_SIZES, Pager } from '@/ui/pager';
import { DidYouMean } from '@/blocks/search/did-you-mean';
import { useFacetTexts } from '@/blocks/search/facet-texts';
import { countFacetsAndFilters, NO_FACETS_OR_FILTERS, SearchFilterChips, SearchFacets } from '@/blocks/search/search-filters';
import { SearchMode } from '@/blocks/search/search-mode';
import { SavedSearchesButton } from '@/blocks/search/saved-searches';
import { SortMenu } from '@/blocks/search/sort-menu';
import { useDefaultSearch } from '@/blocks/search/use-default-search';
import { UpdatingBadge } from '@/blocks/search/updating-badge';
import { useResultsOfLastValidQuery, useSearchFailureNotification } from '@/blocks/search/search-failure';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { SearchFailed } from '@/blocks/search/search-failed';
import { notifyFailure } from '@/api/errors';
import {
  addressPath,
  SEARCH_DEFAULTS,
  useRefetchOnRefresh,
  useSearchAddress,
  type ChangeAddress,
  type SearchAddress,
} from '@/state/search-address';
import { useStoredChoice } from '@/state/layout-store';
import { useSearchStore } from '@/state/search-store';
import { useCan, useProjectName, useProjectWritable, useSessionStore } from '@/state/session-store';
import { ColumnsMenu } from './metadata-columns';
import { documentListSearch } from './document-search';
import { DocumentTable } from './document-table';
import { downloadDocuments } from './download-documents';
import { LabelCountsPanel } from './label-counts-panel';
import styles from './documents.module.css';

interface NothingFoundProps {
  readonly project: string;
  readonly state: SearchAddress;
  readonly change: ChangeAddress;
}

function NothingFound({ project, state, change }: NothingFoundProps): ReactNode {
  const { t } = useTranslation('documents');
  const filtered = state.query !== '' || countFacetsAndFilters(state) > 0;
  const writable = useProjectWritable();
  const mayImport = useCan('importDocuments') && writable;
  if (!filtered) {
    return (
      <EmptyState
        title={t('empty.title')}
        {...(mayImport && {
          actions: (
            <ButtonLink kind="solid" to="/addDocuments">
              {t('empty.import')}
            </ButtonLink>
          ),
        })}
      >
        {t('empty.text')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('noMatch')}
      actions={
        <>
          <DidYouMean {...{ project, state }} onQuery={(query) => change({ query, explicitSubmit: true })} />
          {countFacetsAndFilters(state) > 0 && <Button onClick={() => change(NO_FACETS_OR_FILTERS)}>{t('search:clearFilters')}</Button>}
          {state.query !== '' && <Button onClick={() => change({ query: '' })}>{t('search:clearQuery')}</Button>}
        </>
      }
    >
      {t('search:noMatchText')}
    </EmptyState>
  );
}

interface SelectionBarProps {
  readonly project: string;
  readonly state: SearchAddress;
  readonly hits: DocumentHits['hits'];
  readonly selected: ReadonlySet<string>;
  /** Number of documents that the search finds. */
  readonly found: number;
  readonly onClear: () => void;
}

function SelectionBar({ project, state, hits, selected, found, onClear }: SelectionBarProps): ReactNode {
  const { t } = useTranslation('documents');
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [all, setAll] = useState(false);
  const writable = useProjectWritable();
  const mayDelete = useCan('deleteDocuments') && writable;
  const maySearch = useCan('useSearch');
  if (all && selected.size === 0) setAll(false);
  // Everything that is found is the search itself.
  const selection = all ? [] : hits.filter(({ document }) => selected.has(document.identifier)).map(({ _id }) => _id);
  const target: BulkTarget = { searchIn: 'documents', search: state, selection };
  const download = async () => {
    setBusy(true);
    try {
      await downloadDocuments(queryClient, project, [...selected]);
    } catch (error) {
      notifyFailure(error, 'downloadDocument');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <BulkBar
        count={all && selected.size > 0 ? found : selected.size}
        {...(maySearch && { found, onSelectAll: () => setAll(true) })}
        onClose={onClear}
      >
        {!all && (
          <Button kind="quiet" icon={Download} busy={busy} onClick={() => void download()}>
            {t('download')}
          </Button>
        )}
        <BulkMenu quiet project={project} target={target} onStarted={onClear} />
        {mayDelete && (
          <Button kind="danger-text" icon={Trash2} onClick={() => setAsking(true)}>
            {t('delete')}
          </Button>
        )}
      </BulkBar>
      {asking && <DeleteDocumentsDialog {...{ project, target }} onStarted={onClear} onClose={() => setAsking(false)} />}
    </>
  );
}

const DEFAULT_PAGE_SIZE = 25;

/** Rows a page of the list, kept per person. */
function usePageSize(): readonly [number, (size: number) => void] {
  const user = useSessionStore(({ principal }) => principal?.username ?? '');
  const [stored, store] = useStoredChoice<string>(`documents/size/${user}`, String(DEFAULT_PAGE_SIZE));
  const size = Number(stored);
  return [PAGE_SIZES.some((one) => one === size) ? size : DEFAULT_PAGE_SIZE, (next) => store(String(next))];
}

/** The search without any restriction, with the person's number of rows. */
function useListDefaults(): SearchAddress {
  const [size] = usePageSize();
  return useMemo(() => ({ ...SEARCH_DEFAULTS, size }), [size]);
}

interface ResultsProps {
  readonly project: string;
  readonly state: SearchAddress;
  readonly change: ChangeAddress;
  readonly data: DocumentHits;
  readonly stale: boolean;
}

function DocumentResults({ project, state, change, data, stale }: ResultsProps): ReactNode {
  const navigate = useNavigate();
  const [, keepSize] = usePageSize();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const typing = useSearchStore((box) => box.typing);
  if (data.hits.length === 0) return <NothingFound {...{ project, state, change }} />;
  return (
    <>
      <DocumentTable
        hits={data.hits}
        aggregations={data.aggregations}
        stale={stale || typing}
        selected={selected}
        onSelect={setSelected}
        // Positions of the previous search do not apply to this one.
        onOpen={(index) => !stale && void navigate(addressPath('/document', { ...state, from: state.from + index }))}
      />
      <Pager
        from={state.from}
        size={state.size}
        total={data.total.value}
        exact={data.total.relation === 'eq'}
        onChange={(from) => change({ from })}
        onSize={(size) => {
          keepSize(size);
          // The first row stays on the page.
          change({ size, from: Math.floor(state.from / size) * size });
        }}
      />
      <SelectionBar {...{ project, state, selected }} hits={data.hits} found={data.total.value} onClear={() => setSelected(new Set())} />
    </>
  );
}

function FoundCount({ data }: { readonly data: DocumentHits }): ReactNode {
  const { t } = useTranslation('documents');
  const format = useFormat();
  const { value, relation } = data.total;
  return (
    <span className={styles['total']}>
      {t('total', { count: value, number: `${format.number(value)}${relation === 'eq' ? '' : '+'}` })}
    </span>
  );
}

/** The label drawer of the list, for users who may filter by labels. */
const labelDrawerProps = (shown: boolean, drawer: ReactNode, drawerTitle: string) =>
  shown ? { drawer, drawerTitle, drawerOpen: false } : {};

/** S-006: the documents of the project, searched by text and facets. */
export function DocumentsScreen(): ReactNode {
  const { t } = useTranslation(['documents', 'search', 'labelling']);
  const projectName = useProjectName();
  const labels = useProjectLabels();
  const words = useFacetTexts(labels);
  const usual = useListDefaults();
  const [state, change] = useSearchAddress('/documents', usual);
  useDefaultSearch({ project: projectName, kind: 'documents', usual, change });
  const maySearch = useCan('useSearch');
  const search = documentListSearch(state);
  const { data: answer, error, isPlaceholderData, refetch } = useQuery(documentSearchQuery(projectName, search));
  const { found: data, half } = useResultsOfLastValidQuery(answer, error, state.explicitSubmit);
  useSearchFailureNotification(data === undefined ? null : error, state.explicitSubmit, 'docSearch');
  useRefetchOnRefresh(state.refresh, refetch);
  const onSearch = useCallback(
    (query: string, explicitSubmit: boolean) => change({ query, explicitSubmit }, { replace: !explicitSubmit }),
    [change],
  );
  const mistake = state.explicitSubmit ? querySyntaxErrorOf(error) : undefined;
  useSearchBox({ placeholder: t('searchPlaceholder'), query: state.query, onSearch, queryError: mistake });
  return (
    <Page
      screen="documents"
      {...labelDrawerProps(
        maySearch && hasLabelDrawer(labels.project),
        <LabelCountsPanel {...{ state, change }} project={projectName} aggregations={data?.aggregations} />,
        t('labels'),
      )}
      filters={
        <SearchFacets
          screen="documents"
          aggregations={data?.aggregations}
          project={projectName}
          target={{ searchIn: 'documents', search: { ...search, from: 0, sort: '' } }}
          selected={state}
          texts={words}
          onChange={change}
        />
      }
      activeFilters={countFacetsAndFilters(state)}
      onClearFilters={() => change(NO_FACETS_OR_FILTERS)}
      toolbar={
        <Toolbar
          end={
            <>
              <UpdatingBadge project={projectName} />
              <ToolbarMore>
                <SearchMode project={labels.project} searchType={state.searchType} simple={state.isSimpleQueryMode} onChange={change} />
                <SortMenu value={state.sort} aggregations={data?.aggregations} texts={words} onChange={(sort) => change({ sort })} />
                <ColumnsMenu project={projectName} data={data} />
                <SavedSearchesButton kind="documents" project={projectName} {...{ state, usual, texts: words }} onApply={change} />
                <BulkMenu project={projectName} target={{ searchIn: 'documents', search: state, selection: [] }} />
              </ToolbarMore>
            </>
          }
        >
          <h1 className="visually-hidden">{t('title')}</h1>
          {data !== undefined && <FoundCount data={data} />}
        </Toolbar>
      }
    >
      <div className={styles['chip-row']}>
        <SearchFilterChips selected={state} texts={words} onChange={change} />
      </div>
      {data !== undefined && (
        <DocumentResults
          key={`${projectName}${JSON.stringify(state)}`}
          {...{ state, change, data }}
          project={projectName}
          stale={isPlaceholderData || half}
        />
      )}
      {data === undefined && error === null && <Skeleton rows={10} rowHeight={54} />}
      {data === undefined && error !== null && <SearchFailed {...{ state, change, error }} errorTitle="docSearch" onRetry={refetch} />}
    </Page>
  );
}
