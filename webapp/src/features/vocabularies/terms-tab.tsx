import { useQuery } from '@tanstack/react-query';
import { ArrowDownUp, List, ListTree, Plus } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lexiconsQuery, type Lexicon } from '@/api/resources/lexicons';
import { querySyntaxErrorOf } from '@/api/resources/search';
import { deleteTerm, termSearchQuery, type LexiconTerm } from '@/api/resources/terms';
import { useSettledMutation } from '@/api/use-settled-mutation';
import { ErrorState } from '@/blocks/error-state';
import { facetsFromAggregations, type FacetTexts } from '@/blocks/search/facet-texts';
import { QueryHelp } from '@/blocks/search/query-help';
import { useResultsOfLastValidQuery, useSearchFailureNotification } from '@/blocks/search/search-failure';
import { TermCard } from '@/blocks/terms/term-card';
import { withFacet } from '@/state/facet-selection';
import { useSearchStore } from '@/state/search-store';
import { useCan } from '@/state/session-store';
import { usePathState } from '@/state/use-path-state';
import { Button } from '@/ui/button';
import { SegmentedControl, SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { FilterChip } from '@/ui/chip';
import { DeleteDialog } from '@/ui/delete-dialog';
import { FacetList } from '@/ui/facet-list';
import { useFormat } from '@/ui/format';
import { Menu } from '@/ui/menu';
import { useSearchBox } from '@/ui/page';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { useKey } from '@/ui/use-key';
import { TERM_DEFAULTS, TERMS_PATH, termSearchOf, withFirstPage, type TermAddress } from './term-address';
import { TermDialog } from './term-dialog';
import { termKey, TermList } from './term-list';
import { useTermFacetTexts } from './term-texts';
import { TermTree } from './term-tree';
import { useMayImportTerms, useRefreshVocabularies } from './use-lexicons';
import { VocabularyFrame } from './vocabulary-frame';
import { VocabularySteps } from './vocabulary-steps';
import styles from './vocabularies.module.css';

/** Orders of terms as the server names them; empty: by relevance. */
const SORTS = ['', 'preferredForm', '-preferredForm', 'identifier', '-modifiedAt'] as const;

type ChangeTerms = (part: Partial<TermAddress>, options?: { readonly replace?: boolean }) => void;

function useTermAddress(): readonly [TermAddress, ChangeTerms] {
  const [state, change] = usePathState(TERMS_PATH, TERM_DEFAULTS);
  return [
    state,
    useCallback((part: Partial<TermAddress>, { replace = false } = {}) => change(withFirstPage(part), { push: !replace }), [change]),
  ];
}

function useTermSearch(project: string, state: TermAddress, change: ChangeTerms) {
  const { t } = useTranslation('vocabularies');
  const query = useQuery(termSearchQuery(project, termSearchOf(state)));
  const { found, half } = useResultsOfLastValidQuery(query.data, query.error, state.explicitSubmit);
  useSearchFailureNotification(found === undefined ? null : query.error, state.explicitSubmit, 'searchTerms');
  const typing = useSearchStore((box) => box.typing);
  const onSearch = useCallback(
    (text: string, explicitSubmit: boolean) => change({ query: text, explicitSubmit, view: 'list' }, { replace: !explicitSubmit }),
    [change],
  );
  const queryError = state.explicitSubmit ? querySyntaxErrorOf(query.error) : undefined;
  useSearchBox({ placeholder: t('searchPlaceholder'), query: state.query, onSearch, queryError });
  return { hits: found, stale: query.isPlaceholderData || half || typing, error: query.error, refetch: query.refetch };
}

interface PartProps {
  readonly state: TermAddress;
  readonly change: ChangeTerms;
}

function SortOrder({ state, change }: PartProps) {
  const { t } = useTranslation('vocabularies');
  const nameOf = (sort: string) => t(`sort.${sort === '' ? 'best' : sort.replace('-', 'descending-')}`);
  const known = SORTS.find((sort) => sort === state.sort) ?? '';
  return (
    <Menu
      label={t('sort.title')}
      align="right"
      entries={SORTS.map((sort) => ({
        ...{ key: sort === '' ? 'best' : sort, label: nameOf(sort), checked: sort === known },
        onSelect: () => change({ sort }),
      }))}
      trigger={(props) => (
        <Button kind="quiet" small icon={ArrowDownUp} aria-label={t('sort.is', { order: nameOf(known) })} {...props}>
          {nameOf(known)}
        </Button>
      )}
    />
  );
}

/** Simple or advanced query, inverted or not, and the order (W-003). */
function SearchSettings({ state, change }: PartProps) {
  const { t } = useTranslation('vocabularies');
  if (!useCan('useSearch')) return null;
  return (
    <>
      <SwitchRow
        label={t('search:simple')}
        checked={state.isSimpleQueryMode}
        onChange={(isSimpleQueryMode) => change({ isSimpleQueryMode })}
      />
      <QueryHelp simple={state.isSimpleQueryMode} />
      <SwitchRow label={t('invert')} checked={state.invertSearch} onChange={(invertSearch) => change({ invertSearch })} />
      <SortOrder {...{ state, change }} />
    </>
  );
}

function TermsBar({ state, change, lexicons, total }: PartProps & { readonly lexicons: readonly Lexicon[]; readonly total: ReactNode }) {
  const { t } = useTranslation('vocabularies');
  const tree = state.view === 'tree';
  return (
    <div className={styles['bar']}>
      <SegmentedControl
        label={t('view.label')}
        value={tree ? 'tree' : 'list'}
        options={[
          { value: 'list', label: <ViewName icon={<List size={14} aria-hidden />} name={t('view.list')} /> },
          { value: 'tree', label: <ViewName icon={<ListTree size={14} aria-hidden />} name={t('view.tree')} /> },
        ]}
        onChange={(view) => change({ view })}
      />
      {tree ? (
        <SelectInput
          hideLabel
          label={t('column.lexicon')}
          value={state.treeLexicon || (lexicons[0]?.name ?? '')}
          options={lexicons.map(({ name, label }) => ({ value: name, label }))}
          onChange={(treeLexicon) => change({ treeLexicon })}
        />
      ) : (
        <SearchSettings {...{ state, change }} />
      )}
      <span className={styles['total']} role="status">
        {!tree && total}
      </span>
    </div>
  );
}

function ViewName({ icon, name }: { readonly icon: ReactNode; readonly name: string }) {
  return (
    <>
      {icon}
      <span>{name}</span>
    </>
  );
}

/** One chip for each chosen value; the operator toggles include and exclude (W-016). */
function TermChips({ state, change, texts }: PartProps & { readonly texts: FacetTexts }) {
  const { selectedFacets } = state;
  if (selectedFacets.length === 0) return null;
  const select = (name: string, value: string, selector: '' | '+' | '-') =>
    change({ selectedFacets: withFacet(selectedFacets, name, value, selector) });
  return (
    <div className={styles['chips']}>
      {selectedFacets.map(({ facetName, facetValue, facetSelector }) => (
        <FilterChip
          key={`${facetName}:${facetValue}`}
          exclude={facetSelector === '-'}
          text={`${texts.title(facetName)}: ${texts.value(facetName, facetValue)}`}
          onToggle={() => select(facetName, facetValue, facetSelector === '-' ? '+' : '-')}
          onRemove={() => select(facetName, facetValue, '')}
        />
      ))}
    </div>
  );
}

function NothingFound({ state, change }: PartProps) {
  const { t } = useTranslation('vocabularies');
  const narrowed = state.selectedFacets.length > 0;
  return (
    <EmptyState
      title={t('noMatch')}
      actions={
        <>
          {narrowed && <Button onClick={() => change({ selectedFacets: [] })}>{t('search:clearFilters')}</Button>}
          {state.query !== '' && <Button onClick={() => change({ query: '' })}>{t('search:clearQuery')}</Button>}
        </>
      }
    >
      {t('search:noMatchText')}
    </EmptyState>
  );
}

const isNarrowed = ({ query, selectedFacets, invertSearch }: TermAddress) => query !== '' || selectedFacets.length > 0 || invertSearch;

type OpenDialog = { readonly what: 'create' } | { readonly what: 'edit' | 'delete'; readonly term: LexiconTerm } | null;

interface DialogsProps extends PartProps {
  readonly project: string;
  readonly opened: OpenDialog;
  /** Lexicons that are edited by hand. */
  readonly lexicons: readonly Lexicon[];
  readonly onClose: () => void;
}

function TermDialogs({ project, opened, lexicons, state, change, onClose }: DialogsProps) {
  const { t } = useTranslation('vocabularies');
  const refresh = useRefreshVocabularies();
  const removal = useSettledMutation(
    ({ lexicon, identifier }: LexiconTerm) => deleteTerm(project, lexicon, identifier),
    refresh,
    'deleteTerm',
  );
  if (opened === null) return null;
  const show = ({ lexicon, identifier }: LexiconTerm) => change({ termLexicon: lexicon, termIdentifier: identifier });
  if (opened.what !== 'delete') {
    const chosen = state.selectedFacets.find(({ facetName, facetSelector }) => facetName === 'lexicon' && facetSelector === '+')?.facetValue;
    const lexicon = lexicons.find(({ name }) => name === chosen) ?? lexicons[0];
    const term = opened.what === 'edit' ? opened.term : undefined;
    return <TermDialog {...{ project, lexicons, term, onClose }} lexicon={lexicon?.name ?? ''} onSaved={show} />;
  }
  const { term } = opened;
  return (
    <DeleteDialog
      title={t('term.deleteTitle', { name: term.preferredForm ?? term.identifier })}
      keepLabel={t('term.keep')}
      deleteLabel={t('term.delete')}
      onClose={onClose}
      onDelete={async () => {
        await removal.mutateAsync(term);
        if (state.termIdentifier === term.identifier) change({ termLexicon: '', termIdentifier: '' }, { replace: true });
      }}
    >
      {t('term.deleteText')}
    </DeleteDialog>
  );
}

interface TermsProps {
  readonly project: string;
  readonly lexicons: readonly Lexicon[];
}

/** Mark of a lexicon that changes with its terms. */
const versionOf = ({ modifiedAt = '', terms = 0 }: Lexicon): string => `${modifiedAt} ${terms}`;

function TermHierarchy({ project, lexicons, state, change }: TermsProps & PartProps) {
  const lexicon = lexicons.find(({ name }) => name === state.treeLexicon) ?? lexicons[0];
  if (lexicon === undefined) return null;
  return (
    <TermTree
      key={lexicon.name}
      project={project}
      lexicon={lexicon.name}
      label={lexicon.label}
      version={versionOf(lexicon)}
      current={state.termLexicon === lexicon.name ? state.termIdentifier : ''}
      onOpen={(termIdentifier) => change({ termLexicon: lexicon.name, termIdentifier })}
    />
  );
}

/** The card of the chosen term, in the right drawer. */
function cardOf(project: string, { termLexicon, termIdentifier }: TermAddress, title: string, close: () => void) {
  if (termIdentifier === '') return {};
  return {
    drawer: <TermCard project={project} lexicon={termLexicon} identifier={termIdentifier} onDeleted={close} />,
    drawerTitle: title,
    drawerSubject: `${termLexicon} ${termIdentifier}`,
    onCloseDrawer: close,
  };
}

/** What stands below the bar: the tree, the found terms, or why there is none. */
function TermResults(props: TermsProps & PartProps & { readonly search: ReturnType<typeof useTermSearch>; readonly onOpen: OpenTerm }) {
  const { t } = useTranslation('vocabularies');
  const { project, lexicons, state, change, search, onOpen } = props;
  const editable = useMayImportTerms();
  const { hits, stale, error } = search;
  const manual = new Set(lexicons.filter(({ manualEditionAllowed }) => manualEditionAllowed !== false).map(({ name }) => name));
  if (state.view === 'tree') return <TermHierarchy {...{ project, lexicons, state, change }} />;
  if (hits === undefined)
    return error === null ? (
      <Skeleton rows={8} rowHeight={54} />
    ) : (
      <ErrorState title={t('errors:error.searchTerms')} error={error} onRetry={() => void search.refetch()} />
    );
  if (hits.hits.length === 0 && isNarrowed(state)) return <NothingFound {...{ state, change }} />;
  if (hits.hits.length === 0) return <VocabularySteps project={project} what="terms" actions={null} />;
  return (
    <TermList
      {...{ lexicons, hits, stale }}
      from={state.from}
      size={hits.size ?? state.size}
      current={state.termIdentifier === '' ? undefined : termKey({ lexicon: state.termLexicon, identifier: state.termIdentifier })}
      mayChange={({ lexicon }) => editable && manual.has(lexicon)}
      onOpen={({ lexicon, identifier }) => change({ termLexicon: lexicon, termIdentifier: identifier })}
      onEdit={(term) => onOpen({ what: 'edit', term })}
      onDelete={(term) => onOpen({ what: 'delete', term })}
      onPage={(from) => change({ from })}
    />
  );
}

type OpenTerm = (dialog: OpenDialog) => void;

/** S-048: the terms of all lexicons, found by text and facets, or as the hierarchy of one lexicon. */
export function TermsTab({ project }: { readonly project: string }) {
  const { t } = useTranslation(['vocabularies', 'search']);
  const format = useFormat();
  const editable = useMayImportTerms();
  const { data: lexicons = [] } = useQuery(lexiconsQuery(project));
  const texts = useTermFacetTexts(lexicons);
  const [state, change] = useTermAddress();
  const search = useTermSearch(project, state, change);
  const [opened, open] = useState<OpenDialog>(null);
  const manual = lexicons.filter(({ manualEditionAllowed }) => manualEditionAllowed !== false);
  const mayCreate = editable && manual.length > 0;
  useKey('c', () => open({ what: 'create' }), mayCreate && opened === null);
  const close = () => change({ termLexicon: '', termIdentifier: '' });
  const { selectedFacets } = state;
  const { hits } = search;
  const facets = facetsFromAggregations(hits?.aggregations, selectedFacets, texts);
  const filters = facets.length > 0 && {
    filters: <FacetList screen="terms" facets={facets} selected={selectedFacets} onChange={(next) => change({ selectedFacets: next })} />,
    activeFilters: selectedFacets.length,
    onClearFilters: () => change({ selectedFacets: [] }),
  };
  const drawers = state.view === 'tree' ? { onShowFilters: () => change({ view: 'list' }) } : filters;
  const { value = 0, relation = 'eq' } = hits?.total ?? {};
  const total = hits !== undefined && t('total', { count: value, number: `${format.number(value)}${relation === 'eq' ? '' : '+'}` });
  return (
    <VocabularyFrame
      tab="terms"
      page={{ ...drawers, ...cardOf(project, state, t('term.card'), close) }}
      actions={
        mayCreate && (
          <Button icon={Plus} keyCap="C" onClick={() => open({ what: 'create' })}>
            {t('term.new')}
          </Button>
        )
      }
    >
      <TermsBar {...{ state, change, lexicons, total }} />
      <TermChips {...{ state, change, texts }} />
      <TermResults {...{ project, lexicons, state, change, search }} onOpen={open} />
      <TermDialogs {...{ project, opened, state, change }} lexicons={manual} onClose={() => open(null)} />
    </VocabularyFrame>
  );
}
