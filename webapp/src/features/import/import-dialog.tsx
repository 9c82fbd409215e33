import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { jobStatus } from '@/api/resources/jobs';
import { useNavigate } from 'react-router';
import { useQueryClient } from '@tanstack/react-query';
import { projectKeys } from '@/api/resources/projects';
import { UNDO_FADE_MS, undoAndNotify } from '@/blocks/bulk/bulk-job';
import { Dialog } from '@/ui/dialog';
import { notify } from '@/state/notifications-store';
import { useImportStore } from '@/state/import-dialog-store';
import { useProjectName } from '@/state/session-store';
import { ImportActions, ImportBody, ImportTools } from './import-body';
import { useImport, type ImportState } from './use-import';

/** Once everything was imported: notifies the user and invalidates the queries of the corpus. */
export function useFinishImport(state: ImportState, onDone: () => void): void {
  const { t } = useTranslation('import');
  const queryClient = useQueryClient();
  const { job } = state;
  const result = (job as { result?: Record<string, number> } | null)?.result ?? {};
  const ended = job !== null && !state.running && !state.isCheck;
  const clean = ended && job.status === 'COMPLETED' && (result['refused'] ?? 0) === 0;
  useEffect(() => {
    if (!ended) return;
    for (const key of [projectKeys.all, ['documents'], ['segments'], ['labels'], ['metrics']])
      void queryClient.invalidateQueries({ queryKey: key });
  }, [ended, queryClient]);
  useEffect(() => {
    if (!clean) return;
    const undo = job.undoable === true ? { fade: UNDO_FADE_MS, action: { label: t('undo'), run: () => void undoAndNotify(job) } } : {};
    notify({ type: 'success', message: t('done'), cause: jobStatus(job) ?? '', ...undo });
    onDone();
    // Once, when the job turns out clean.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [clean]);
}

/** D-004, D-005: closes when everything was imported, or by the user; a failure or a refused item keeps it open. */
function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('import');
  const navigate = useNavigate();
  const state = useImport(useProjectName());
  const done = () => {
    onClose();
    void navigate('/documents');
  };
  useFinishImport(state, done);
  const work = state.uploads.entries.length > 0 && (state.job === null || state.isCheck);
  return (
    <Dialog
      open
      title={t('title')}
      titleAside={state.job === null && <ImportTools state={state} />}
      // Escape or a click outside would lose the files.
      locked={work || state.launch.isPending}
      onClose={onClose}
      actions={<ImportActions state={state} onCancel={onClose} onClose={state.job?.status === 'COMPLETED' ? done : onClose} />}
    >
      <ImportBody state={state} onFollow={onClose} />
    </Dialog>
  );
}

/** Rendered by the shell over any screen; each opening starts empty. */
export function ImportDialogHost() {
  const open = useImportStore((state) => state.open);
  const setOpen = useImportStore((state) => state.setOpen);
  return open ? <ImportDialog onClose={() => setOpen(false)} /> : null;
}
