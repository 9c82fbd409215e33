import { useMutation, useQueryClient } from '@tanstack/react-query';
import { gazetteerKeys } from '@/api/resources/gazetteers';
import {
  clearLexicon,
  deleteLexicon,
  exportFileName,
  exportLexicon,
  lexiconKeys,
  restoreLexicon,
  type ExportFormat,
  type Lexicon,
} from '@/api/resources/lexicons';
import { jobKeys } from '@/api/resources/jobs';
import { termKeys } from '@/api/resources/terms';
import { useUndoableDeletion } from '@/api/use-undoable-deletion';
import { useCan, useProjectWritable } from '@/state/session-store';
import { saveBlob } from '@/ui/save-file';

/** P-014: changes of lexicons and terms. */
export function useMayImportTerms(): boolean {
  const may = useCan('importTerms');
  return useProjectWritable() && may;
}

/** A changed term also makes annotators outdated. */
export function useRefreshVocabularies() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [lexiconKeys.all, termKeys.all, gazetteerKeys.all, jobKeys.all].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    );
}

interface ExportRequest {
  readonly lexicon: Lexicon;
  readonly format: ExportFormat;
}

export function useLexiconMutations(project: string) {
  const refresh = useRefreshVocabularies();
  const remove = useUndoableDeletion({
    remove: ({ name }: Lexicon) => deleteLexicon(project, name),
    restore: ({ name }) => restoreLexicon(project, name),
    refresh,
    removeTitle: 'lexicon',
    restoreTitle: 'restoreLexicon',
  });
  const clear = useMutation({
    mutationFn: (lexicon: Lexicon) => clearLexicon(project, lexicon.name),
    onSettled: refresh,
    meta: { errorTitle: 'lexicon' },
  });
  const save = useMutation({
    mutationFn: async ({ lexicon, format }: ExportRequest) =>
      saveBlob(exportFileName(lexicon.name, format), await exportLexicon(project, lexicon.name, format)),
    meta: { errorTitle: 'exportTerms' },
  });
  return { remove, clear, save };
}
