import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/blocks/labelling/project-labels';
import type { UndoRedo } from '@/labelling-sync/use-undo-redo';
import type { DocumentSerializer } from '@/annotation/document-serializer';
import { LabellingCache } from '@/api/labelling-cache';
import type { Category } from '@/api/resources/categories';
import type { AnnotatedDocument } from '@/api/resources/documents';
import { historyKeys } from '@/api/resources/history';
import { propagateCategory, type CategoryPropagation } from '@/api/resources/propagation';
import { Button } from '@/ui/button';
import { CheckRow, SegmentedControl, SelectInput } from '@/ui/choice-inputs';
import { Dialog } from '@/ui/dialog';
import { useFormat } from '@/ui/format';
import { notify } from '@/state/notifications-store';
import { useCan } from '@/state/session-store';
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

function useCategoryPropagationCount(project: string, category: string, settings: SimilarOptions, unit: 'sentence' | 'document') {
  const { t } = useTranslation('edits');
  const format = useFormat();
  const { data, error } = useQuery({
    queryKey: ['propagation', project, category, settings],
    queryFn: () => propagateCategory(project, category, { ...settings, dryRun: true }),
    staleTime: 0,
    gcTime: 0,
    meta: { silent: true },
  });
  if (error !== null) return { created: 0, lines: [t('similar.failed')] };
  if (data === undefined) return { created: 0, lines: [t('similar.counting')] };
  const { created = 0, existing = 0, documents, atLeast = false } = data;
  const countText = (key: string, count: number) =>
    t(`similar.${key}`, { count, number: format.number(count), documents: format.number(documents) });
  const lines = [created === 0 ? t('similar.none') : countText(`${unit}${atLeast ? 'AtLeast' : 'Count'}`, created)];
  return { created, lines: existing > 1 ? [...lines, countText('existing', existing - 1)] : lines };
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
  const format = useFormat();
  const client = useQueryClient();
  const { nameOf } = useProjectLabels();
  const scope = ofSentence ? 'document' : 'corpus';
  const [settings, ask] = useState<SimilarOptions>({ scope, caseSensitive: false, similar: false, minShare: 0.8 });
  const mayAll = useCan('annotateCorpus');
  const { created, lines } = useCategoryPropagationCount(project, category.identifier, settings, ofSentence ? 'sentence' : 'document');
  const run = useMutation({
    mutationFn: () => propagateCategory(project, category.identifier, { ...settings, dryRun: false }),
    onSuccess: ({ categories = [], created: made = 0, job }) => {
      const cache = new LabellingCache(client, project);
      for (const one of categories) cache.storeCategory(document, one);
      if (job !== undefined) notify({ type: 'info', message: t('similar.started') });
      else
        onDone(
          t('similar.done', { count: made, number: format.number(made) }),
          categories.map(({ identifier }) => identifier),
        );
      void client.invalidateQueries({ queryKey: historyKeys.of(project, document) });
      onClose();
    },
    meta: { errorTitle: 'createCategory' },
  });
  return (
    <Dialog
      open
      width="small"
      title={t(ofSentence ? 'similar.sentences' : 'similar.documents', { label: nameOf(category.labelName) })}
      onClose={onClose}
      onSubmit={() => run.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button kind="solid" type="submit" busy={run.isPending} disabled={created === 0}>
            {t('similar.give', { count: created })}
          </Button>
        </>
      }
    >
      <p dir="auto" className={styles['said']}>
        <mark>{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</mark>
      </p>
      <PropagateCategoryFields {...{ settings, mayAll, ofSentence }} change={(part) => ask((before) => ({ ...before, ...part }))} />
      <div role="status">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </Dialog>
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
