/** What stands above the terms: their view, the search settings, the chosen facet values. */
import { ArrowDownUp, List, ListTree, Sparkles, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Lexicon } from '@/api/resources/lexicons';
import type { FacetTexts } from '@/blocks/search/facet-texts';
import { QueryHelp } from '@/blocks/search/query-help';
import { withFacet } from '@/state/facet-selection';
import { useCan } from '@/state/session-store';
import { Button } from '@/ui/button';
import { SegmentedControl, SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { FilterChip } from '@/ui/chip';
import { Menu } from '@/ui/menu';
import { viewOf, VIEWS, type TermView } from './term-address';
import { useMayImportTerms } from './use-lexicons';
import type { TermsPartProps } from './use-terms';
import styles from './vocabularies.module.css';

/** Orders of terms as the server names them; empty: by relevance. */
const SORTS = ['', 'title', '-title', '-modifiedDate'] as const;

const SORT_KEYS: Readonly<Record<string, string>> = {
  title: 'title-rising',
  '-title': 'descending-title',
  '-modifiedDate': 'descending-modifiedDate',
};

const ICONS: Readonly<Record<TermView, LucideIcon>> = { list: List, tree: ListTree, candidates: Sparkles };

function SortOrder({ state, change }: TermsPartProps) {
  const { t } = useTranslation('vocabularies');
  const nameOf = (sort: string) => t(`sort.${SORT_KEYS[sort] ?? 'best'}`);
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
function SearchSettings({ state, change }: TermsPartProps) {
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

export function TermsBar({
  state,
  change,
  lexicons,
  total,
}: TermsPartProps & { readonly lexicons: readonly Lexicon[]; readonly total: ReactNode }) {
  const { t } = useTranslation('vocabularies');
  const mayImport = useMayImportTerms();
  const view = viewOf(state);
  const views = mayImport ? VIEWS : VIEWS.filter((one) => one !== 'candidates');
  return (
    <div className={styles['bar']}>
      <SegmentedControl
        label={t('view.label')}
        value={view}
        options={views.map((value) => ({ value, label: <ViewName icon={ICONS[value]} name={t(`view.${value}`)} /> }))}
        onChange={(next) => change({ view: next })}
      />
      {view === 'tree' && (
        <SelectInput
          hideLabel
          label={t('column.lexicon')}
          value={state.treeLexicon || (lexicons[0]?.name ?? '')}
          options={lexicons.map(({ name, label }) => ({ value: name, label }))}
          onChange={(treeLexicon) => change({ treeLexicon })}
        />
      )}
      {view === 'list' && <SearchSettings {...{ state, change }} />}
      <span className={styles['total']} role="status">
        {view === 'list' && total}
        {view === 'tree' && t('tree.searchInList')}
      </span>
    </div>
  );
}

function ViewName({ icon: Icon, name }: { readonly icon: LucideIcon; readonly name: string }) {
  return (
    <>
      <Icon size={14} aria-hidden />
      <span>{name}</span>
    </>
  );
}

/** One chip for each chosen value; the operator toggles include and exclude (W-016). */
export function TermChips({ state, change, texts }: TermsPartProps & { readonly texts: FacetTexts }) {
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
