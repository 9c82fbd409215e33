import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lexiconsQuery } from '@/api/resources/lexicons';
import { facetsFromAggregations } from '@/blocks/search/facet-texts';
import { TermCard } from '@/blocks/terms/term-card';
import { Button } from '@/ui/button';
import { FacetList } from '@/ui/facet-list';
import { useFormat } from '@/ui/format';
import { useKey } from '@/ui/use-key';
import { viewOf, type TermAddress } from './term-address';
import { TermDialogs, type OpenTermDialog } from './term-dialogs';
import { TermResults } from './term-results';
import { useTermFacetTexts } from './term-texts';
import { TermChips, TermsBar } from './terms-bar';
import { useMayImportTerms } from './use-lexicons';
import { useTermAddress, useTermSearch } from './use-terms';
import { VocabularyFrame } from './vocabulary-frame';

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

/** S-048: the terms of all lexicons, found by text and facets, or as the hierarchy of one lexicon. */
export function TermsTab({ project }: { readonly project: string }) {
  const { t } = useTranslation(['vocabularies', 'search']);
  const format = useFormat();
  const editable = useMayImportTerms();
  const { data: lexicons = [] } = useQuery(lexiconsQuery(project));
  const texts = useTermFacetTexts(lexicons);
  const [state, change] = useTermAddress();
  const search = useTermSearch(project, state, change);
  const [opened, open] = useState<OpenTermDialog>(null);
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
  const drawers = viewOf(state) !== 'list' ? { onShowFilters: () => change({ view: 'list' }) } : filters;
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
