/** The frame of every bulk dialog: scope, fields, effect, submit button. */
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { bulkSearchParams, type BulkCount, type BulkScope, type BulkSearch, type BulkTarget } from '@/api/resources/bulk-actions';
import type { Job } from '@/api/resources/jobs';
import { Button } from '@/ui/button';
import { CheckRow } from '@/ui/choice-inputs';
import { Dialog } from '@/ui/dialog';
import { followAndNotify } from './bulk-job';
import { BulkScopePicker, defaultScope, useScopeCounts, type BulkItemType } from './bulk-scope';
import styles from './bulk.module.css';

export interface BulkDialogProps {
  readonly project: string;
  readonly target: BulkTarget;
  readonly onClose: () => void;
  /** Called when the work has started or is done, so that a selection can be cleared. */
  readonly onStarted?: (() => void) | undefined;
}

/** State shared by all dialogs of this folder. */
export interface BulkState {
  readonly scope: BulkScope;
  readonly setScope: (scope: BulkScope) => void;
  readonly search: BulkSearch;
  readonly count: BulkCount | undefined;
  readonly counts: ReturnType<typeof useScopeCounts>;
}

export function useBulkState({ project, target }: BulkDialogProps, kind: BulkItemType = 'documents'): BulkState {
  const [scope, setScope] = useState<BulkScope>(() => defaultScope(target));
  const counts = useScopeCounts(project, kind, target);
  return { scope, setScope, search: bulkSearchParams(target, scope), count: counts.of(scope), counts };
}

interface FrameProps extends BulkDialogProps {
  readonly title: string;
  readonly state: BulkState;
  readonly kind?: BulkItemType;
  /** Fields between the scope and the effect. */
  readonly children?: ReactNode;
  /** Describes the effect before it happens. */
  readonly effect: ReactNode;
  readonly verb: string;
  readonly danger?: boolean;
  /** V-002: label of the checkbox that must be ticked first. */
  readonly strong?: string;
  readonly valid: boolean;
  /** Key of `errors:error.*`. */
  readonly errorTitle: string;
  /** Starts the job; null: the work was done without a job. */
  readonly run: (search: BulkSearch) => Promise<Job | null>;
}

export function BulkDialog(props: FrameProps) {
  const { target, onClose, title, state, kind = 'documents', children, effect, verb, danger = false, strong, valid, errorTitle } = props;
  const { t } = useTranslation('common');
  const [confirmed, setConfirmed] = useState(false);
  const start = useMutation({
    mutationFn: () => props.run(state.search),
    onSuccess: (job) => {
      if (job !== null) void followAndNotify(job);
      props.onStarted?.();
      onClose();
    },
    meta: { errorTitle },
  });
  const touched = kind === 'segments' ? state.count?.segments : state.count?.documents;
  const ready = valid && (touched ?? 0) > 0 && (strong === undefined || confirmed);
  return (
    <Dialog
      open
      title={title}
      locked={start.isPending}
      onClose={onClose}
      onSubmit={() => {
        if (ready && !start.isPending) start.mutate();
      }}
      actions={
        <>
          <Button onClick={onClose} disabled={start.isPending}>
            {t('cancel')}
          </Button>
          <Button kind={danger ? 'danger' : 'solid'} type="submit" busy={start.isPending} disabled={!ready}>
            {verb}
          </Button>
        </>
      }
    >
      <div className={styles['body']}>
        <BulkScopePicker
          target={target}
          kind={kind}
          counts={state.counts}
          value={state.scope}
          onChange={(scope) => {
            // A confirmation is not valid for another scope.
            setConfirmed(false);
            state.setScope(scope);
          }}
        />
        {children}
        <p className={styles['effect']} data-tone={danger ? 'danger' : undefined} aria-live="polite">
          {effect}
        </p>
        {strong !== undefined && <CheckRow label={strong} checked={confirmed} onChange={setConfirmed} />}
      </div>
    </Dialog>
  );
}
