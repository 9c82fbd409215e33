/** Label operations: small changes are immediate, large ones are jobs that can be undone. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@/api/errors';
import { currentStateFromConflict } from '@/api/resources/annotations';
import type { Job } from '@/api/resources/jobs';
import { labelKeys, updateLabel, type Label } from '@/api/resources/labels';
import { followAndNotify } from '@/blocks/bulk/bulk-job';
import { useCan, useProjectWritable } from '@/state/session-store';

export function useMayWriteLabels(): boolean {
  const may = useCan('writeLabel');
  const writable = useProjectWritable();
  return may && writable;
}

/** An operation that returns a job: follows it and notifies at its end, with an undo action. */
export function useLabelOperation<T>(errorTitle: string, act: (given: T) => Promise<Job | undefined>, onDone?: () => void) {
  const queryClient = useQueryClient();
  return useMutation<Job | undefined, Error, T>({
    mutationFn: act,
    onSuccess: (job) => {
      onDone?.();
      void queryClient.invalidateQueries({ queryKey: labelKeys.all });
      if (job !== undefined) void followAndNotify(job);
    },
    meta: { errorTitle },
  });
}

/** E-054: a label that somebody else deleted already counts as deleted; returns no job and logs a warning. */
export async function ignoreNotFound(deletion: Promise<Job>): Promise<Job | undefined> {
  try {
    return await deletion;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    console.warn('The label was deleted already', error);
    return undefined;
  }
}

/** Changes the text of a label in place; its name stays. */
export function useRenameLabel(project: string) {
  const queryClient = useQueryClient();
  return useMutation<unknown, Error, { readonly label: Label; readonly words: string }>({
    mutationFn: async ({ label, words }) => {
      const rename = (version: number | undefined) => updateLabel(project, label.name, { label: words }, version);
      try {
        return await rename(label.version);
      } catch (error) {
        const now = currentStateFromConflict<Label>(error);
        // Somebody changed another field: retry on the new version, so that both changes are saved.
        if (now?.label !== label.label) throw error;
        return rename(now.version);
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: labelKeys.all }),
    meta: { errorTitle: 'saveLabel' },
  });
}
