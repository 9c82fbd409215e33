/** What the dialogs share that copy an annotation or a category to everything that says the same: the count before, the copying, the frame. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LabellingCache } from '@/api/labelling-cache';
import { historyKeys } from '@/api/resources/history';
import type { Job } from '@/api/resources/jobs';
import type { OccurrenceExample, OccurrencesLabelled, Propagated } from '@/api/resources/propagation';
import type { UndoRedo } from '@/labelling-sync/use-undo-redo';
import { followAndNotify } from '@/blocks/bulk/bulk-job';
import { notify } from '@/state/notifications-store';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { useFormat } from '@/ui/format';
import styles from './history.module.css';

export type PropagationCount = Omit<OccurrencesLabelled, 'annotations'>;
/** A text of the dialog, by the last part of its key. */
export type PropagationText = (key: string, values?: Readonly<Record<string, unknown>>) => string;

interface CountRequest {
  readonly project: string;
  /** Identifier of what is copied. */
  readonly source: string;
  readonly settings: object;
  readonly dryRun: () => Promise<PropagationCount>;
  readonly text: PropagationText;
  /** Key of the text for what was found; `atLeast`: there is more. */
  readonly foundKey: (atLeast: boolean) => string;
  /** Among what has the label already: what is copied. */
  readonly own?: 0 | 1;
  /** Lines that say more about what was counted. */
  readonly moreLines?: (count: PropagationCount) => readonly string[];
}

interface CountedPropagation {
  readonly created: number;
  readonly lines: readonly string[];
  readonly examples: readonly OccurrenceExample[];
}

const NO_EXAMPLES: readonly OccurrenceExample[] = [];

/** How many copies there would be, and lines that say so; none while counting and after a failure. */
export function usePropagationCount({
  project,
  source,
  settings,
  dryRun,
  text,
  foundKey,
  own = 1,
  moreLines,
}: CountRequest): CountedPropagation {
  const format = useFormat();
  const { data, error } = useQuery({
    queryKey: ['propagation', project, source, settings],
    queryFn: dryRun,
    staleTime: 0,
    gcTime: 0,
    meta: { silent: true },
  });
  const waiting = { created: 0, examples: NO_EXAMPLES };
  if (error !== null) return { ...waiting, lines: [text('failed')] };
  if (data === undefined) return { ...waiting, lines: [text('counting')] };
  const { created = 0, existing = 0, documents, atLeast = false, examples = NO_EXAMPLES } = data;
  const countText = (key: string, count: number) => text(key, { count, number: format.number(count), documents: format.number(documents) });
  const lines = [created === 0 ? text('none') : countText(foundKey(atLeast), created), ...(moreLines?.(data) ?? [])];
  return { created, examples, lines: existing > own ? [...lines, countText('existing', existing - own)] : lines };
}

interface PropagationRequest<Answer> {
  readonly project: string;
  /** Identifier of the document. */
  readonly document: string;
  readonly propagate: () => Promise<Answer>;
  /** Writes what was made in the document into the cache; their identifiers. */
  readonly store: (cache: LabellingCache, answer: Answer) => readonly string[];
  readonly text: PropagationText;
  readonly errorTitle: string;
  /** Says what was done, with its undo. */
  readonly onDone: UndoRedo['notifyDone'];
  readonly onClose: () => void;
}

/** Makes the copies, tells so and closes the dialog. */
export function usePropagation<Answer extends Pick<Propagated, 'created' | 'job'>>({
  project,
  document,
  propagate,
  store,
  text,
  errorTitle,
  onDone,
  onClose,
}: PropagationRequest<Answer>) {
  const format = useFormat();
  const client = useQueryClient();
  return useMutation({
    mutationFn: propagate,
    onSuccess: (answer) => {
      const { created = 0, job } = answer;
      const made = store(new LabellingCache(client, project), answer);
      if (job !== undefined) {
        notify({ type: 'info', message: text('started') });
        void followAndNotify(job as Job);
      } else onDone(text('done', { count: created, number: format.number(created) }), made);
      void client.invalidateQueries({ queryKey: historyKeys.of(project, document) });
      onClose();
    },
    meta: { errorTitle },
  });
}

interface PropagationDialogProps {
  readonly title: string;
  /** What is copied says this, cut after `longest` characters. */
  readonly said: string;
  readonly longest: number;
  readonly count: ReturnType<typeof usePropagationCount>;
  readonly submitLabel: string;
  readonly run: { readonly isPending: boolean; readonly mutate: () => void };
  readonly onClose: () => void;
  /** Where and how to look. */
  readonly children: ReactNode;
  /** What would be labelled. */
  readonly examples?: ReactNode;
}

export function PropagationDialog(props: PropagationDialogProps): ReactNode {
  const { title, said, longest, count, submitLabel, run, onClose, children, examples } = props;
  const { t } = useTranslation('common');
  return (
    <Dialog
      open
      width="small"
      title={title}
      onClose={onClose}
      onSubmit={() => run.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="solid" type="submit" busy={run.isPending} disabled={count.created === 0}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <p dir="auto" className={styles['said']}>
        <mark>{said.length > longest ? `${said.slice(0, longest)}…` : said}</mark>
      </p>
      <div className={styles['options']}>{children}</div>
      <div role="status">
        {count.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      {examples}
    </Dialog>
  );
}
