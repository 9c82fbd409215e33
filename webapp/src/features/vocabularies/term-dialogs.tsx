/** The dialogs of the terms: a new one, an edited one, the question before one is deleted. */
import { useTranslation } from 'react-i18next';
import type { Lexicon } from '@/api/resources/lexicons';
import { deleteTerm, type LexiconTerm } from '@/api/resources/terms';
import { useSettledMutation } from '@/api/use-settled-mutation';
import { DeleteDialog } from '@/ui/delete-dialog';
import { TermDialog } from './term-dialog';
import { useRefreshVocabularies } from './use-lexicons';
import type { TermsPartProps } from './use-terms';

export type OpenTermDialog = { readonly what: 'create' } | { readonly what: 'edit' | 'delete'; readonly term: LexiconTerm } | null;

interface DialogsProps extends TermsPartProps {
  readonly project: string;
  readonly opened: OpenTermDialog;
  /** Lexicons that are edited by hand. */
  readonly lexicons: readonly Lexicon[];
  readonly onClose: () => void;
}

export function TermDialogs({ project, opened, lexicons, state, change, onClose }: DialogsProps) {
  const { t } = useTranslation('vocabularies');
  const refresh = useRefreshVocabularies();
  const removal = useSettledMutation((term: LexiconTerm) => deleteTerm(project, term), refresh, 'deleteTerm');
  if (opened === null) return null;
  const show = ({ lexicon, identifier }: LexiconTerm) => change({ termLexicon: lexicon, termIdentifier: identifier });
  if (opened.what !== 'delete') {
    const chosen = state.selectedFacets.find(
      ({ facetName, facetSelector }) => facetName === 'lexicon' && facetSelector === '+',
    )?.facetValue;
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
