/** What stands below the bar of the terms: the found ones, the hierarchy of a lexicon, or candidates from the corpus. */
import { useTranslation } from 'react-i18next';
import type { Lexicon } from '@/api/resources/lexicons';
import { ErrorState } from '@/blocks/error-state';
import { TermCandidates } from '@/blocks/terms/term-candidates';
import { Button } from '@/ui/button';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { viewOf, type TermAddress } from './term-address';
import type { OpenTermDialog } from './term-dialogs';
import { termKey, TermList } from './term-list';
import { TermTree } from './term-tree';
import { useMayImportTerms } from './use-lexicons';
import type { TermsPartProps, useTermSearch } from './use-terms';
import { VocabularySteps } from './vocabulary-steps';

function NothingFound({ state, change }: TermsPartProps) {
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

interface TermsProps {
  readonly project: string;
  readonly lexicons: readonly Lexicon[];
}

/** Mark of a lexicon that changes with its terms. */
const versionOf = ({ termsVersion = 0, terms = 0 }: Lexicon): string => `${termsVersion} ${terms}`;

function TermHierarchy({ project, lexicons, state, change }: TermsProps & TermsPartProps) {
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

interface ResultsProps extends TermsProps, TermsPartProps {
  readonly search: ReturnType<typeof useTermSearch>;
  readonly onOpen: (dialog: OpenTermDialog) => void;
}

/** What stands below the bar: the tree, the found terms, or why there is none. */
export function TermResults(props: ResultsProps) {
  const { t } = useTranslation('vocabularies');
  const { project, lexicons, state, change, search, onOpen } = props;
  const editable = useMayImportTerms();
  const { hits, stale, error } = search;
  const manual = new Set(lexicons.filter(({ manualEditionAllowed }) => manualEditionAllowed !== false).map(({ name }) => name));
  const view = viewOf(state);
  if (view === 'candidates') return <TermCandidates project={project} />;
  if (view === 'tree') return <TermHierarchy {...{ project, lexicons, state, change }} />;
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
