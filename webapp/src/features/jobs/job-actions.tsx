/** Actions on a finished job. */
import { useMutation } from '@tanstack/react-query';
import { Download, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadLinkOfJob } from '@/api/resources/bulk-actions';
import { jobName, type Job } from '@/api/resources/jobs';
import { Button } from '@/ui/button';
import { undoAndNotify } from '@/blocks/bulk/bulk-job';
import { DeleteDialog } from '@/ui/delete-dialog';
import { saveFromLink } from '@/ui/save-file';
import { useSessionStore } from '@/state/session-store';
import { projectWritable } from '@/state/permissions';

/** Undoes a bulk action after a confirmation, as it changes as much as the action did. */
export function UndoJobButton({ job }: { readonly job: Job }) {
  const { t } = useTranslation(['jobs', 'common']);
  const writable = useSessionStore(({ permissions }) => projectWritable(permissions, job.project));
  const [asking, setAsking] = useState(false);
  const undo = useMutation({ mutationFn: () => undoAndNotify(job) });
  if (job.undoneBy !== undefined) return <small>{t('undone')}</small>;
  if (job.undoable !== true || !writable) return null;
  return (
    <>
      <Button small icon={Undo2} busy={undo.isPending} onClick={() => setAsking(true)}>
        {t('undo')}
      </Button>
      <DeleteDialog
        open={asking}
        title={t('undoTitle')}
        keepLabel={t('common:cancel')}
        deleteLabel={t('undo')}
        onClose={() => setAsking(false)}
        onDelete={() => {
          undo.mutate();
          return Promise.resolve();
        }}
      >
        <p>{jobName(job)}</p>
        <p>{t('undoText')}</p>
      </DeleteDialog>
    </>
  );
}

/** Downloads the file of an export, for its user. */
export function DownloadExportButton({ job }: { readonly job: Job }) {
  const { t } = useTranslation('jobs');
  const mine = useSessionStore(({ principal }) => principal?.username === job.createdBy);
  const link = downloadLinkOfJob(job);
  if (link === undefined || !mine) return null;
  return (
    <Button small icon={Download} onClick={() => saveFromLink(link)}>
      {t('download')}
    </Button>
  );
}
