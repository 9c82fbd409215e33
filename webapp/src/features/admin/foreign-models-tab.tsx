import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { acceptModel, foreignModelKeys, foreignModelsQuery, rejectModel, type ForeignModel } from '@/api/resources/foreign-models';
import { Badge, type Tone } from '@/ui/badge';
import { Button } from '@/ui/button';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { DeleteDialog } from '@/ui/delete-dialog';
import { Dialog } from '@/ui/dialog';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { notify } from '@/state/notifications-store';
import styles from './admin.module.css';

const TONES: Record<ForeignModel['state'], Tone> = { waiting: 'warning', crashed: 'error', accepted: 'success' };

interface DecisionProps {
  readonly model: ForeignModel;
  readonly onClose: () => void;
}

const modelTextValues = (model: ForeignModel) => ({ name: model.label, project: model.projectLabel });

/** Sends a decision, reads the models anew and tells what was done. */
function useModelDecision(decide: () => Promise<unknown>, told: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: foreignModelKeys.all });
      notify({ type: 'success', message: told });
    },
    meta: { errorTitle: 'foreignModel' },
  });
}

function AcceptModelDialog({ model, onClose }: DecisionProps) {
  const { t } = useTranslation('admin');
  const accept = useModelDecision(() => acceptModel(model), t('model.accepted', modelTextValues(model)));
  return (
    <Dialog
      open
      width="small"
      title={t('model.acceptTitle', modelTextValues(model))}
      onClose={onClose}
      onSubmit={() => accept.mutate(undefined, { onSuccess: onClose })}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button kind="solid" type="submit" icon={Check} busy={accept.isPending}>
            {t('model.accept')}
          </Button>
        </>
      }
    >
      <p>{t('model.acceptText')}</p>
      {model.state === 'crashed' && <p className={styles['apart']}>{t('model.acceptCrashed', { reason: model.reason ?? '' })}</p>}
    </Dialog>
  );
}

function RejectModelDialog({ model, onClose }: DecisionProps) {
  const { t } = useTranslation('admin');
  const reject = useModelDecision(() => rejectModel(model), t('model.rejected', modelTextValues(model)));
  return (
    <DeleteDialog
      title={t('model.rejectTitle', modelTextValues(model))}
      keepLabel={t('model.keep')}
      deleteLabel={t('model.reject')}
      onClose={onClose}
      onDelete={() => reject.mutateAsync()}
    >
      <p>{t('model.rejectText')}</p>
    </DeleteDialog>
  );
}

function useForeignModelColumns(): Column<ForeignModel>[] {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return [
    { key: 'name', header: t('model.name'), cell: (model) => <TwoLineCell first={model.label} second={t(`model.kind.${model.kind}`)} /> },
    { key: 'project', header: t('model.project'), cell: (model) => <TwoLineCell first={model.projectLabel} second={model.projectName} /> },
    { key: 'engine', header: t('model.engine'), cell: (model) => model.engine, priority: 2 },
    { key: 'size', header: t('model.size'), align: 'right', cell: (model) => format.bytes(model.size), priority: 1 },
    {
      key: 'state',
      header: t('model.state'),
      cell: (model) => <Badge tone={TONES[model.state]}>{t(`model.states.${model.state}`)}</Badge>,
    },
  ];
}

/** Models trained by other installations only run after a platform administrator has accepted them. */
export function ForeignModelsTab() {
  const { t } = useTranslation('admin');
  const columns = useForeignModelColumns();
  const [accepting, setAccepting] = useState<ForeignModel | null>(null);
  const [rejecting, setRejecting] = useState<ForeignModel | null>(null);
  const { data: models, error, refetch } = useQuery(foreignModelsQuery());
  if (error !== null && models === undefined)
    return <ErrorState title={t('errors:error.foreignModel')} error={error} onRetry={() => void refetch()} />;
  if (models === undefined) return <Skeleton rows={4} rowHeight={54} />;
  return (
    <>
      <div className={styles['bar']}>
        <p>{t('model.about')}</p>
        <Badge>{models.length}</Badge>
      </div>
      {models.length === 0 ? (
        <EmptyState title={t('model.none')}>{t('model.noneText')}</EmptyState>
      ) : (
        <DataTable
          label={t('tab.models')}
          columns={columns}
          rows={models}
          rowKey={(model) => `${model.projectName}/${model.kind}/${model.name}`}
          twoLines
          actionsAlways
          rowActions={(model) => (
            <>
              {model.state !== 'accepted' && (
                <IconButton small label={t('model.acceptOne', modelTextValues(model))} icon={Check} onClick={() => setAccepting(model)} />
              )}
              <IconButton small label={t('model.rejectOne', modelTextValues(model))} icon={Trash2} onClick={() => setRejecting(model)} />
            </>
          )}
        />
      )}
      {accepting !== null && <AcceptModelDialog model={accepting} onClose={() => setAccepting(null)} />}
      {rejecting !== null && <RejectModelDialog model={rejecting} onClose={() => setRejecting(null)} />}
    </>
  );
}
