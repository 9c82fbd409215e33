import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import type { UndoRedo } from '@/labelling-sync/use-undo-redo';
import type { Span } from '@/annotation/model';
import { propagateAnnotation, type Propagation } from '@/api/resources/propagation';
import { CheckRow, SegmentedControl } from '@/ui/choice-inputs';
import { useCan } from '@/state/session-store';
import { PropagationDialog, usePropagation, usePropagationCount, type PropagationText } from './propagation';

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

/** Copies an annotation to all places that say the same; says how many there are before. */
export function PropagateAnnotationDialog({ project, document, span, text, onDone, onClose }: PropagateDialogProps): ReactNode {
  const { t } = useTranslation('documents');
  const { nameOf } = useProjectLabels();
  const [settings, ask] = useState<PropagationOptions>({ scope: 'document', wholeWords: true, caseSensitive: true });
  const mayAll = useCan('annotateCorpus');
  const send = (dryRun: boolean) => propagateAnnotation(project, span.id, { ...settings, dryRun });
  const propagationText: PropagationText = (key, values) => t(`propagate.${key}`, values);
  const count = usePropagationCount({
    project,
    source: span.id,
    settings,
    dryRun: () => send(true),
    text: propagationText,
    foundKey: (atLeast) => (atLeast ? 'atLeast' : 'found'),
  });
  const run = usePropagation({
    ...{ project, document, onDone, onClose },
    propagate: () => send(false),
    store: (cache, { annotations = [] }) => {
      for (const annotation of annotations) cache.storeAnnotation(document, annotation);
      return annotations.map(({ identifier }) => identifier);
    },
    text: propagationText,
    errorTitle: 'propagate',
  });
  const change = (part: Partial<PropagationOptions>) => ask((before) => ({ ...before, ...part }));
  return (
    <PropagationDialog
      title={t('propagate.title', { label: nameOf(span.label) })}
      said={text}
      longest={LONGEST}
      submitLabel={t('propagate.copy', { count: count.created })}
      {...{ count, run, onClose }}
    >
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
    </PropagationDialog>
  );
}
