import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useProjectLabels } from '@/annotation/connected/project-labels';
import type { Turns } from '@/annotation/connected/use-turns';
import type { DocumentWire } from '@/annotation/wire';
import { LabellingCache } from '@/api/labelling-cache';
import type { Category } from '@/api/resources/categories';
import type { AnnotatedDocument } from '@/api/resources/documents';
import { historyKeys } from '@/api/resources/history';
import { propagateCategory, type CategoryPropagation } from '@/api/resources/propagation';
import { Button } from '@/components/button';
import { CheckRow, Segmented, SelectInput } from '@/components/choices';
import { Dialog } from '@/components/dialog';
import { useFormat } from '@/components/format';
import { notify } from '@/state/notifications-store';
import { useCan } from '@/state/session-store';
import styles from './history.module.css';

type Asked = Omit<CategoryPropagation, 'dryRun'>;
const SHARES = [50, 60, 70, 80, 90, 100];
const LONGEST = 120;

interface AlikeDialogProps {
  readonly project: string;
  readonly document: string;
  readonly category: Category;
  readonly ofSentence: boolean;
  /** What the sentence or document says. */
  readonly text: string;
  /** Says what was done, with its undo. */
  readonly onDone: Turns['tellDone'];
  readonly onClose: () => void;
}

function useCounted(project: string, category: string, asked: Asked, unit: 'sentence' | 'document') {
  const { t } = useTranslation('acts');
  const format = useFormat();
  const { data, error } = useQuery({
    queryKey: ['propagation', project, category, asked],
    queryFn: () => propagateCategory(project, category, { ...asked, dryRun: true }),
    staleTime: 0,
    gcTime: 0,
    meta: { silent: true },
  });
  if (error !== null) return { created: 0, lines: [t('alike.failed')] };
  if (data === undefined) return { created: 0, lines: [t('alike.counting')] };
  const { created = 0, existing = 0, documents, atLeast = false } = data;
  const told = (key: string, count: number) =>
    t(`alike.${key}`, { count, number: format.number(count), documents: format.number(documents) });
  const lines = [created === 0 ? t('alike.none') : told(`${unit}${atLeast ? 'AtLeast' : 'Count'}`, created)];
  return { created, lines: existing > 1 ? [...lines, told('existing', existing - 1)] : lines };
}

function Choices({
  asked,
  change,
  mayAll,
  ofSentence,
}: {
  readonly asked: Asked;
  readonly change: (part: Partial<Asked>) => void;
  readonly mayAll: boolean;
  readonly ofSentence: boolean;
}): ReactNode {
  const { t } = useTranslation('acts');
  return (
    <div className={styles['choices']}>
      {ofSentence && mayAll && (
        <Segmented
          label={t('alike.where')}
          value={asked.scope}
          options={[
            { value: 'document', label: t('alike.document') },
            { value: 'corpus', label: t('alike.corpus') },
          ]}
          onChange={(scope) => change({ scope })}
        />
      )}
      <Segmented
        label={t('alike.which')}
        value={asked.similar ? 'similar' : 'equal'}
        options={[
          { value: 'equal', label: t('alike.equal') },
          { value: 'similar', label: t('alike.similar') },
        ]}
        onChange={(which) => change({ similar: which === 'similar' })}
      />
      {asked.similar ? (
        <SelectInput
          label={t('alike.minShare')}
          help={t('alike.help')}
          value={String(Math.round(asked.minShare * 100))}
          options={SHARES.map((share) => ({ value: String(share), label: t('alike.percent', { count: share }) }))}
          onChange={(share) => change({ minShare: Number(share) / 100 })}
        />
      ) : (
        <CheckRow label={t('alike.caseSensitive')} checked={asked.caseSensitive} onChange={(caseSensitive) => change({ caseSensitive })} />
      )}
    </div>
  );
}

/** Gives a category to everything that says the same or nearly the same; says how much that is before. */
export function AlikeDialog({ project, document, category, ofSentence, text, onDone, onClose }: AlikeDialogProps): ReactNode {
  const { t } = useTranslation('acts');
  const format = useFormat();
  const client = useQueryClient();
  const { nameOf } = useProjectLabels();
  const scope = ofSentence ? 'document' : 'corpus';
  const [asked, ask] = useState<Asked>({ scope, caseSensitive: false, similar: false, minShare: 0.8 });
  const mayAll = useCan('annotateCorpus');
  const { created, lines } = useCounted(project, category.identifier, asked, ofSentence ? 'sentence' : 'document');
  const run = useMutation({
    mutationFn: () => propagateCategory(project, category.identifier, { ...asked, dryRun: false }),
    onSuccess: ({ categories = [], created: made = 0, job }) => {
      const cache = new LabellingCache(client, project);
      for (const one of categories) cache.storeCategory(document, one);
      if (job !== undefined) notify({ type: 'info', message: t('alike.started') });
      else
        onDone(
          t('alike.done', { count: made, number: format.number(made) }),
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
      title={t(ofSentence ? 'alike.sentences' : 'alike.documents', { label: nameOf(category.labelName) })}
      onClose={onClose}
      onSubmit={() => run.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button kind="solid" type="submit" busy={run.isPending} disabled={created === 0}>
            {t('alike.give', { count: created })}
          </Button>
        </>
      }
    >
      <p dir="auto" className={styles['said']}>
        <mark>{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</mark>
      </p>
      <Choices {...{ asked, mayAll, ofSentence }} change={(part) => ask((before) => ({ ...before, ...part }))} />
      <div role="status">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </Dialog>
  );
}

export interface Alike {
  /** Opens the dialog; undefined: this person may not. `sentence`: the category is one of it. */
  readonly start: ((category: Category, sentence?: { readonly start: number; readonly end: number }) => void) | undefined;
  readonly dialog: ReactNode;
}

interface Chosen {
  readonly category: Category;
  /** What it says. */
  readonly text: string;
  readonly ofSentence: boolean;
}

/** Giving a category to what is like a sentence or the document: what its chips start, and the dialog while it is open. */
export function useAlike(
  project: string,
  document: AnnotatedDocument,
  wire: DocumentWire,
  onDone: Turns['tellDone'],
  writable: boolean,
): Alike {
  const [chosen, choose] = useState<Chosen | undefined>(undefined);
  const start: Alike['start'] = (category, sentence) => {
    const range = sentence && wire.range(sentence.start, sentence.end);
    const text = range === undefined ? document.text : document.text.slice(range.start, range.end);
    choose({ category, text, ofSentence: sentence !== undefined });
  };
  const dialog = chosen && (
    <AlikeDialog {...{ project, onDone, ...chosen }} document={document.identifier} onClose={() => choose(undefined)} />
  );
  return { start: writable ? start : undefined, dialog };
}
