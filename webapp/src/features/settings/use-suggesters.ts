import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { unavailableEnginesQuery, type EngineForm, type UnavailableEngine } from '@/api/resources/components';
import { jobKeys } from '@/api/resources/jobs';
import {
  deleteSuggester,
  restoreSuggester,
  startSuggester,
  stopSuggester,
  suggesterDecisionsQuery,
  suggesterKeys,
  type Suggester,
  type SuggesterDecisions,
} from '@/api/resources/suggesters';
import { useUndoableDeletion } from '@/api/use-undoable-deletion';
import { useSettledMutation } from '@/api/use-settled-mutation';
import { useEngineForms } from '@/blocks/engines/use-engine-forms';

export function useSuggesterMutations(project: string) {
  const queryClient = useQueryClient();
  const refresh = () =>
    Promise.all([queryClient.invalidateQueries({ queryKey: suggesterKeys.all }), queryClient.invalidateQueries({ queryKey: jobKeys.all })]);
  const start = useSettledMutation((row: Suggester) => startSuggester(project, row.name), refresh, 'startSuggester');
  const stop = useSettledMutation((row: Suggester) => stopSuggester(project, row.name), refresh, 'stopSuggester');
  const remove = useUndoableDeletion({
    remove: (row: Suggester) => deleteSuggester(project, row.name),
    restore: ({ name }) => restoreSuggester(project, name),
    refresh,
    removeTitle: 'deleteSuggester',
    restoreTitle: 'restoreSuggester',
  });
  return { start, stop, remove };
}

/** What is known about a suggester beside its row. */
export interface SuggesterFacts {
  readonly title: string;
  readonly form: EngineForm | undefined;
  /** False: it proposes without being trained. */
  readonly trained: boolean;
  /** Its engine, when this server is not set up for it. */
  readonly unavailable: UnavailableEngine | undefined;
  readonly decisions: SuggesterDecisions | undefined;
}

export function useSuggesterFacts(project: string): {
  readonly of: (row: Suggester) => SuggesterFacts;
  readonly missing: UnavailableEngine[];
} {
  const { i18n } = useTranslation();
  const forms = useEngineForms(project, 'suggester');
  const { data: missing = [] } = useQuery(unavailableEnginesQuery(project, 'suggester', i18n.language));
  const { data: decisions } = useQuery(suggesterDecisionsQuery(project));
  return {
    missing,
    of: ({ name, engine }) => {
      const form = forms.get(engine);
      const unavailable = missing.find((one) => one.name === engine);
      return {
        title: form?.title ?? unavailable?.title ?? engine,
        form,
        trained: form?.needsLabels !== false && unavailable === undefined,
        unavailable,
        decisions: decisions?.find((one) => one.name === name),
      };
    },
  };
}

export type SuggesterMutations = ReturnType<typeof useSuggesterMutations>;
