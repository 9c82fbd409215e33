import { useQueryClient } from '@tanstack/react-query';
import { gazetteerKeys } from '@/api/resources/gazetteers';
import { lexiconKeys } from '@/api/resources/lexicons';
import { deleteTerm, restoreDeletedTerm, termKeys } from '@/api/resources/terms';
import { useUndoableDeletion } from '@/api/use-undoable-deletion';
import type { TermReference } from '@/state/term-facet';

/** `label`: the name of the term, for the notice that offers to undo its deletion. */
export type DeletedTerm = TermReference & { readonly label: string };

/** Deletes a term from its lexicon; annotators made from the lexicon become outdated. */
export function useTermDeletion(project: string) {
  const queryClient = useQueryClient();
  return useUndoableDeletion({
    remove: (term: DeletedTerm) => deleteTerm(project, term),
    restore: (term) => restoreDeletedTerm(project, term),
    refresh: () =>
      Promise.all([lexiconKeys.all, termKeys.all, gazetteerKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
    removeTitle: 'deleteTerm',
    restoreTitle: 'restoreTerm',
  });
}
