import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import type { UndoRedo } from '@/labelling-sync/use-undo-redo';
import type { DocumentSerializer } from '@/annotation/document-serializer';
import type { Category } from '@/api/resources/categories';
import type { AnnotatedDocument } from '@/api/resources/documents';
import { propagateCategory, type CategoryPropagation } from '@/api/resources/propagation';
import { CheckRow, SegmentedControl, SelectInput } from '@/ui/choice-inputs';
import { useCan } from '@/state/session-store';
import { PropagationDialog, usePropagation, usePropagationCount, type PropagationText } from './propagation';
import styles from './history.module.css';

type SimilarOptions = Omit<CategoryPropagation, 'dryRun'>;
const SHARES = [50, 60, 70, 80, 90, 100];
const LONGEST = 120;

interface SimilarDialogProps {
  readonly project: string;
  readonly document: string;
  readonly category: Category;
  readonly ofSentence: boolean;
  /** Text of the sentence or document. */
  readonly text: string;
  /** Reports the result, with an undo action. */
  readonly onDone: UndoRedo['notifyDone'];
  readonly onClose: () => void;
}

function PropagateCategoryFields({
  settings,
  change,
  mayAll,
  ofSentence,
}: {
  readonly settings: SimilarOptions;
  readonly change: (part: Partial<SimilarOptions>) => void;
  readonly mayAll: boolean;
  readonly ofSentence: boolean;
}): ReactNode {
  const { t } = useTranslation('edits');
  return (
    <div className={styles['choices']}>
      {ofSentence && mayAll && (
        <SegmentedControl
          label={t('similar.where')}
          value={settings.scope}
          options={[
            { value: 'document', label: t('similar.document') },
            { value: 'corpus', label: t('similar.corpus') },
          ]}
          onChange={(scope) => change({ scope })}
        />
      )}
      <SegmentedControl
        label={t('similar.which')}
        value={settings.similar ? 'similar' : 'equal'}
        options={[
          { value: 'equal', label: t('similar.equal') },
          { value: 'similar', label: t('similar.similar') },
        ]}
        onChange={(which) => change({ similar: which === 'similar' })}
      />
      {settings.similar ? (
        <SelectInput
          label={t('similar.minShare')}
          help={t('similar.help')}
          value={String(Math.round(settings.minShare * 100))}
          options={SHARES.map((share) => ({ value: String(share), label: t('similar.percent', { count: share }) }))}
          onChange={(share) => change({ minShare: Number(share) / 100 })}
        />
      ) : (
        <CheckRow
          label={t('similar.caseSensitive')}
          checked={settings.caseSensitive}
          onChange={(caseSensitive) => change({ caseSensitive })}
        />
      )}
    </div>
  );
}

/** Copies a category to equal or similar texts; shows their number first. */
export function PropagateCategoryDialog({ project, document, category, ofSentence, text, onDone, onClose }: SimilarDialogProps): ReactNode {
  const { t } = useTranslation('edits');
  const { nameOf } = useProjectLabels();
  const scope = ofSentence ? 'document' : 'corpus';
  const [settings, ask] = useState<SimilarOptions>({ scope, caseSensitive: false, similar: false, minShare: 0.8 });
  const mayAll = useCan('annotateCorpus');
  const send = (dryRun: boolean) => propagateCategory(project, category.identifier, { ...settings, dryRun });
  const similarText: PropagationText = (key, values) => t(`similar.${key}`, values);
  const count = usePropagationCount({
    project,
    source: category.identifier,
    settings,
    dryRun: () => send(true),
    text: similarText,
    foundKey: (atLeast) => `${ofSentence ? 'sentence' : 'document'}${atLeast ? 'AtLeast' : 'Count'}`,
  });
  const run = usePropagation({
    ...{ project, document, onDone, onClose },
    propagate: () => send(false),
    store: (cache, { categories = [] }) => {
      for (const one of categories) cache.storeCategory(document, one);
      return categories.map(({ identifier }) => identifier);
    },
    text: similarText,
    errorTitle: 'createCategory',
  });
  return (
    <PropagationDialog
      title={t(ofSentence ? 'similar.sentences' : 'similar.documents', { label: nameOf(category.labelName) })}
      said={text}
      longest={LONGEST}
      submitLabel={t('similar.give', { count: count.created })}
      {...{ count, run, onClose }}
    >
      <PropagateCategoryFields {...{ settings, mayAll, ofSentence }} change={(part) => ask((before) => ({ ...before, ...part }))} />
    </PropagationDialog>
  );
}

export interface PropagateCategoryControl {
  /** Opens the dialog; undefined: not permitted. `sentence`: set for a category of a sentence. */
  readonly start: ((category: Category, sentence?: { readonly start: number; readonly end: number }) => void) | undefined;
  readonly dialog: ReactNode;
}

interface SimilarTarget {
  readonly category: Category;
  /** Text of the document. */
  readonly text: string;
  readonly ofSentence: boolean;
}

/** The dialog that copies a category of the document or a sentence to similar ones, and the function that opens it. */
export function usePropagateCategoryDialog(
  project: string,
  document: AnnotatedDocument,
  wire: DocumentSerializer,
  onDone: UndoRedo['notifyDone'],
  writable: boolean,
): PropagateCategoryControl {
  const [selected, choose] = useState<SimilarTarget | undefined>(undefined);
  const start: PropagateCategoryControl['start'] = (category, sentence) => {
    const range = sentence && wire.range(sentence.start, sentence.end);
    const text = range === undefined ? document.text : document.text.slice(range.start, range.end);
    choose({ category, text, ofSentence: sentence !== undefined });
  };
  const dialog = selected && (
    <PropagateCategoryDialog {...{ project, onDone, ...selected }} document={document.identifier} onClose={() => choose(undefined)} />
  );
  return { start: writable ? start : undefined, dialog };
}
