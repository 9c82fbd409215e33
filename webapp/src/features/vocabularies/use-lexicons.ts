import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
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
  const { t } = useTranslation('vocabularies');
  const refresh = useRefreshVocabularies();
  const remove = useUndoableDeletion({
    remove: ({ name }: Lexicon) => deleteLexicon(project, name),
    restore: ({ name }) => restoreLexicon(project, name),
    refresh,
    removeTitle: 'lexicon',
    restoreTitle: 'restoreLexicon',
  });
  const clear = useUndoableDeletion({
    remove: ({ name }: Lexicon) => clearLexicon(project, name),
    restore: ({ name }) => restoreLexicon(project, name),
    refresh,
    removeTitle: 'lexicon',
    restoreTitle: 'restoreLexicon',
    message: ({ label }) => t('lexicon.cleared', { label }),
  });
  const save = useMutation({
    mutationFn: async ({ lexicon, format }: ExportRequest) =>
      saveBlob(exportFileName(lexicon.name, format), await exportLexicon(project, lexicon.name, format)),
    meta: { errorTitle: 'exportTerms' },
  });
  return { remove, clear, save };
}
