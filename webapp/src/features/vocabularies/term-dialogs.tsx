/** The dialogs of the terms: a new one, an edited one, the question before one is deleted. */
import { useTranslation } from 'react-i18next';
import type { Lexicon } from '@/api/resources/lexicons';
import type { LexiconTerm } from '@/api/resources/terms';
import { useTermDeletion } from '@/blocks/terms/use-term-deletion';
import { DeleteDialog } from '@/ui/delete-dialog';
import { TermDialog } from './term-dialog';
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
  const removal = useTermDeletion(project);
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
  const label = term.preferredForm ?? term.identifier;
  return (
    <DeleteDialog
      title={t('term.deleteTitle', { name: label })}
      keepLabel={t('term.keep')}
      deleteLabel={t('term.delete')}
      onClose={onClose}
      onDelete={async () => {
        await removal.mutateAsync({ lexicon: term.lexicon, identifier: term.identifier, label });
        if (state.termIdentifier === term.identifier) change({ termLexicon: '', termIdentifier: '' }, { replace: true });
      }}
    >
      {t('term.deleteText')}
    </DeleteDialog>
  );
}
