import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import type { UndoRedo } from '@/labelling-sync/use-undo-redo';
import { LabellingCache } from '@/api/labelling-cache';
import type { Span } from '@/annotation/model';
import { historyKeys } from '@/api/resources/history';
import { propagateAnnotation, type Propagation } from '@/api/resources/propagation';
import { Button } from '@/ui/button';
import { CheckRow, SegmentedControl } from '@/ui/choice-inputs';
import { Dialog } from '@/ui/dialog';
import { useFormat } from '@/ui/format';
import { notify } from '@/state/notifications-store';
import { useCan } from '@/state/session-store';
import styles from './history.module.css';

interface PropagateDialogProps {
  readonly project: string;
  /** Identifier of the document. */
  readonly document: string;
  readonly span: Span;
  /** Text of the span. */
  readonly text: string;
  /** Reports the result, with an undo action. */
  readonly onDone: UndoRedo['notifyDone'];
  readonly onClose: () => void;
}

type PropagationOptions = Omit<Propagation, 'dryRun'>;
const LONGEST = 80;

function useAnnotationPropagationCount(project: string, annotation: string, settings: PropagationOptions) {
  const { t } = useTranslation('documents');
  const format = useFormat();
  const { data, error } = useQuery({
    queryKey: ['propagation', project, annotation, settings],
    queryFn: () => propagateAnnotation(project, annotation, { ...settings, dryRun: true }),
    staleTime: 0,
    gcTime: 0,
    meta: { silent: true },
  });
  if (error !== null) return { created: 0, lines: [t('propagate.failed')] };
  if (data === undefined) return { created: 0, lines: [t('propagate.counting')] };
  const { created = 0, existing = 0, documents, atLeast = false } = data;
  const countText = (key: string, count: number) =>
    t(`propagate.${key}`, { count, number: format.number(count), documents: format.number(documents) });
  const lines = [created === 0 ? t('propagate.none') : countText(atLeast ? 'atLeast' : 'found', created)];
  return { created, lines: existing > 1 ? [...lines, countText('existing', existing - 1)] : lines };
}

/** Copies an annotation to all other occurrences of its text; shows their number first. */
export function PropagateAnnotationDialog({ project, document, span, text, onDone, onClose }: PropagateDialogProps): ReactNode {
  const { t } = useTranslation('documents');
  const format = useFormat();
  const client = useQueryClient();
  const { nameOf } = useProjectLabels();
  const [settings, ask] = useState<PropagationOptions>({ scope: 'document', wholeWords: true, caseSensitive: true });
  const mayAll = useCan('annotateCorpus');
  const { created, lines } = useAnnotationPropagationCount(project, span.id, settings);
  const run = useMutation({
    mutationFn: () => propagateAnnotation(project, span.id, { ...settings, dryRun: false }),
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
  const change = (part: Partial<PropagationOptions>) => ask((before) => ({ ...before, ...part }));
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
        <SegmentedControl
          label={t('propagate.where')}
          value={settings.scope}
          options={[
            { value: 'document', label: t('propagate.document') },
            { value: 'corpus', label: t('propagate.corpus') },
          ]}
          onChange={(scope) => change({ scope })}
        />
      )}
      <CheckRow label={t('propagate.wholeWords')} checked={settings.wholeWords} onChange={(wholeWords) => change({ wholeWords })} />
      <CheckRow
        label={t('propagate.caseSensitive')}
        checked={settings.caseSensitive}
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
