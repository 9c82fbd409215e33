import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/annotation/connected/project-labels';
import type { Turns } from '@/annotation/connected/use-turns';
import { LabellingCache } from '@/api/labelling-cache';
import type { Span } from '@/annotation/model';
import { historyKeys } from '@/api/resources/history';
import { propagateAnnotation, type Propagation } from '@/api/resources/propagation';
import { Button } from '@/components/button';
import { CheckRow, Segmented } from '@/components/choices';
import { Dialog } from '@/components/dialog';
import { useFormat } from '@/components/format';
import { notify } from '@/state/notifications-store';
import { useCan } from '@/state/session-store';
import styles from './history.module.css';

interface PropagateDialogProps {
  readonly project: string;
  /** Identifier of the document. */
  readonly document: string;
  readonly span: Span;
  /** What the span says. */
  readonly text: string;
  /** Says what was done, with its undo. */
  readonly onDone: Turns['tellDone'];
  readonly onClose: () => void;
}

type Asked = Omit<Propagation, 'dryRun'>;
const LONGEST = 80;

function useCounted(project: string, annotation: string, asked: Asked) {
  const { t } = useTranslation('documents');
  const format = useFormat();
  const { data, error } = useQuery({
    queryKey: ['propagation', project, annotation, asked],
    queryFn: () => propagateAnnotation(project, annotation, { ...asked, dryRun: true }),
    staleTime: 0,
    gcTime: 0,
    meta: { silent: true },
  });
  if (error !== null) return { created: 0, lines: [t('propagate.failed')] };
  if (data === undefined) return { created: 0, lines: [t('propagate.counting')] };
  const { created = 0, existing = 0, documents, atLeast = false } = data;
  const told = (key: string, count: number) =>
    t(`propagate.${key}`, { count, number: format.number(count), documents: format.number(documents) });
  const lines = [created === 0 ? t('propagate.none') : told(atLeast ? 'atLeast' : 'found', created)];
  return { created, lines: existing > 1 ? [...lines, told('existing', existing - 1)] : lines };
}

/** Copies an annotation to all places that say the same; says how many there are before. */
export function PropagateDialog({ project, document, span, text, onDone, onClose }: PropagateDialogProps): ReactNode {
  const { t } = useTranslation('documents');
  const format = useFormat();
  const client = useQueryClient();
  const { nameOf } = useProjectLabels();
  const [asked, ask] = useState<Asked>({ scope: 'document', wholeWords: true, caseSensitive: true });
  const mayAll = useCan('annotateCorpus');
  const { created, lines } = useCounted(project, span.id, asked);
  const run = useMutation({
    mutationFn: () => propagateAnnotation(project, span.id, { ...asked, dryRun: false }),
    onSuccess: ({ annotations = [], created: made = 0, job }) => {
      const cache = new LabellingCache(client, project);
      for (const annotation of annotations) cache.storeAnnotation(document, annotation);
      if (job !== undefined) notify({ type: 'info', message: t('propagate.started') });
      else
        onDone(
          t('propagate.done', { count: made, number: format.number(made) }),
          annotations.map(({ identifier }) => identifier),
        );
      void client.invalidateQueries({ queryKey: historyKeys.of(project, document) });
      onClose();
    },
    meta: { errorTitle: 'propagate' },
  });
  const change = (part: Partial<Asked>) => ask((before) => ({ ...before, ...part }));
  return (
    <Dialog
      open
      width="small"
      title={t('propagate.title', { label: nameOf(span.label) })}
      onClose={onClose}
      onSubmit={() => run.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button kind="solid" type="submit" busy={run.isPending} disabled={created === 0}>
            {t('propagate.copy', { count: created })}
          </Button>
        </>
      }
    >
      <p dir="auto" className={styles['said']}>
        <mark>{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</mark>
      </p>
      {mayAll && (
        <Segmented
          label={t('propagate.where')}
          value={asked.scope}
          options={[
            { value: 'document', label: t('propagate.document') },
            { value: 'corpus', label: t('propagate.corpus') },
          ]}
          onChange={(scope) => change({ scope })}
        />
      )}
      <CheckRow label={t('propagate.wholeWords')} checked={asked.wholeWords} onChange={(wholeWords) => change({ wholeWords })} />
      <CheckRow
        label={t('propagate.caseSensitive')}
        checked={asked.caseSensitive}
        onChange={(caseSensitive) => change({ caseSensitive })}
      />
      <div role="status">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </Dialog>
  );
}
