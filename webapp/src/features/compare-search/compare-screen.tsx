import { ArrowLeftRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { ProjectLabelsProvider, useProjectLabels } from '@/blocks/labelling/project-labels';
import { useHasQuestions, useQuestionsDrawer } from '@/blocks/questions/use-questions-drawer';
import { useJudgingKeys } from '@/blocks/questions/use-judging-keys';
import { useFacetTexts } from '@/blocks/search/facet-texts';
import { countFacetsAndFilters, NO_FACETS_OR_FILTERS } from '@/blocks/search/search-filters';
import { hasVectors } from '@/blocks/search/search-mode';
import { COMPARE_DEFAULTS, encodeSearch, type CompareAddress } from '@/state/compare-address';
import { HYBRID_DEFAULTS, SEARCH_DEFAULTS, withPageReset, type SearchAddress } from '@/state/search-address';
import { useCan, useProjectName } from '@/state/session-store';
import { usePathState } from '@/state/use-path-state';
import { Button } from '@/ui/button';
import { SegmentedControl } from '@/ui/choice-inputs';
import { useCommands } from '@/ui/command-registry';
import { CopyButton } from '@/ui/copy-button';
import { useNarrow } from '@/ui/media-query';
import { Page } from '@/ui/page';
import { Toolbar, ToolbarMore } from '@/ui/toolbar';
import { CommonPanel, CompareSummary } from './common-panel';
import { CompareFilters } from './compare-filters';
import { CompareSide } from './compare-side';
import { FiguresPanel } from './figures-panel';
import styles from './compare.module.css';
import { FIRST_QUERY } from './query-box';
import { useComparedSearch, type ComparedSearch } from './use-compared-search';
import { useComparison } from './use-comparison';

/** As on the other screens, `/` goes to the query: here, to that of the first search. */
function useFirstQueryKey(): void {
  const { t } = useTranslation('keys');
  const maySearch = useCan('useSearch');
  useCommands(() => {
    const run = () => document.getElementById(FIRST_QUERY)?.focus();
    return maySearch ? [{ id: 'compare.query', section: 'screen', title: t('search'), keys: ['/'], run }] : [];
  });
}

/** Both searches with a saved question as their query. */
function withQuery([one, two]: readonly [ComparedSearch, ComparedSearch], query: string): Partial<CompareAddress> {
  const search = ({ state }: ComparedSearch) => encodeSearch({ ...state, ...withPageReset({ query }), explicitSubmit: true });
  return { explore1: search(one), explore2: search(two), figures: false };
}

/** One query, or all saved questions. */
function ViewChoice({ measured, onChange }: { readonly measured: boolean; readonly onChange: (measured: boolean) => void }): ReactNode {
  const { t } = useTranslation('compare');
  return (
    <SegmentedControl<'query' | 'figures'>
      label={t('view')}
      value={measured ? 'figures' : 'query'}
      options={[
        { value: 'query', label: t('oneQuery') },
        { value: 'figures', label: t('allQuestions') },
      ]}
      onChange={(value) => onChange(value === 'figures')}
    />
  );
}

function Compare({ defaults }: { readonly defaults: SearchAddress }): ReactNode {
  const { t } = useTranslation(['compare', 'search', 'explore']);
  const texts = useFacetTexts(useProjectLabels());
  const { pathname } = useLocation();
  const [address, changeAddress] = usePathState('/compare-search', COMPARE_DEFAULTS);
  const one = useComparedSearch({ side: 'explore1', address, changeAddress, defaults });
  const two = useComparedSearch({ side: 'explore2', address, changeAddress, defaults });
  const { explore1, explore2, all } = address;
  const hasQuestions = useHasQuestions();
  const measured = hasQuestions && address.figures;
  useJudgingKeys(hasQuestions && !measured);
  const drawer = useQuestionsDrawer({
    screen: 'compare-search',
    filters: <CompareFilters {...{ one, two, texts }} />,
    activeFilters: countFacetsAndFilters(one.state) + countFacetsAndFilters(two.state),
    asked: one.state.query === two.state.query ? one.state.query : '',
    onAsk: (query) => changeAddress(withQuery([one, two], query), { push: true }),
  });
  const comparison = useComparison(one, two, all);
  useFirstQueryKey();
  const narrow = useNarrow();
  const summary = <CompareSummary {...{ one, two, comparison }} />;
  return (
    <Page
      screen="compare-search"
      {...drawer}
      filtersOpen={false}
      onClearFilters={() => {
        const without = ({ state }: ComparedSearch) => encodeSearch({ ...state, ...withPageReset(NO_FACETS_OR_FILTERS) });
        changeAddress({ explore1: without(one), explore2: without(two) }, { push: true });
      }}
      plain
      flush
      toolbar={
        <Toolbar
          end={
            <ToolbarMore>
              {hasQuestions && <ViewChoice measured={measured} onChange={(figures) => changeAddress({ figures }, { push: true })} />}
              {!measured && (
                <SegmentedControl<'both' | 'all'>
                  label={t('listed')}
                  value={all ? 'all' : 'both'}
                  options={[
                    { value: 'both', label: t('both') },
                    { value: 'all', label: t('all') },
                  ]}
                  onChange={(value) => changeAddress({ all: value === 'all' })}
                />
              )}
              <Button icon={ArrowLeftRight} small onClick={() => changeAddress({ explore1: explore2, explore2: explore1 }, { push: true })}>
                {t('swap')}
              </Button>
              <CopyButton small text={`${window.location.origin}${pathname}`} label={t('copyLink')} />
            </ToolbarMore>
          }
        >
          <h1 className={styles['title']}>{t('title')}</h1>
          {!narrow && !measured && summary}
        </Toolbar>
      }
    >
      <div className={styles['screen']}>
        {narrow && !measured && summary}
        <div className={styles['sides']} data-measured={measured || undefined}>
          <CompareSide search={one} other={two} {...{ comparison, texts, measured }} />
          <CompareSide search={two} other={one} {...{ comparison, texts, measured }} />
        </div>
        {measured ? <FiguresPanel {...{ one, two }} /> : <CommonPanel {...{ one, two, comparison, all }} />}
      </div>
    </Page>
  );
}

/** C-061: as in the explorer, the defaults of a search depend on the project. */
function CompareWithDefaults(): ReactNode {
  const { project } = useProjectLabels();
  const hybrid = useCan('useHybridSearch') && hasVectors(project);
  return <Compare key={String(hybrid)} defaults={hybrid ? HYBRID_DEFAULTS : SEARCH_DEFAULTS} />;
}

/** R-026, S-031: two searches of segments side by side, and what they have in common. */
export function CompareScreen(): ReactNode {
  const project = useProjectName();
  return (
    <ProjectLabelsProvider key={project} project={project}>
      <CompareWithDefaults />
    </ProjectLabelsProvider>
  );
}
