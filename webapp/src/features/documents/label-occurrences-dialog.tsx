import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabelAppearance } from '@/annotation/drawing/label-style';
import type { BulkSearch } from '@/api/resources/bulk-actions';
import { documentKeys } from '@/api/resources/documents';
import { labelOccurrences, type OccurrenceExample, type OccurrenceLabelling } from '@/api/resources/propagation';
import type { UndoRedo } from '@/labelling-sync/use-undo-redo';
import { useStoredChoice } from '@/state/layout-store';
import { useCan } from '@/state/session-store';
import type { FindOptions } from '@/text/find-in-text';
import { CheckRow, SegmentedControl, SelectInput } from '@/ui/choice-inputs';
import { useFormat } from '@/ui/format';
import styles from './label-occurrences.module.css';
import { PropagationDialog, usePropagation, usePropagationCount, type PropagationCount, type PropagationText } from './propagation';

/** Whole words are labelled unless the dialog is told otherwise: parts of words are easily found, and rarely meant. */
export interface TextToLabel extends Pick<FindOptions, 'exact'> {
  readonly words: string;
}

interface LabelOccurrencesDialogProps {
  readonly project: string;
  /** Identifier of the document. */
  readonly document: string;
  readonly wanted: TextToLabel;
  /** Labels of spans. */
  readonly labels: readonly LabelAppearance[];
  /** The search that found the document; absent: all documents. */
  readonly search: BulkSearch | undefined;
  /** Reports the result, with an undo action. */
  readonly onDone: UndoRedo['notifyDone'];
  readonly onClose: () => void;
}

type Scope = OccurrenceLabelling['scope'];
const LONGEST = 80;
/** With more annotations the document is fetched again instead of adding them one by one. */
const STORED_ONE_BY_ONE = 100;
/** Texts that differ from those of copying an annotation. */
const OWN_TEXTS: ReadonlySet<string> = new Set(['none', 'existing', 'started', 'done']);

/** Some of the places, as they read. */
function Examples({ examples, several }: { readonly examples: readonly OccurrenceExample[]; readonly several: boolean }): ReactNode {
  const { t } = useTranslation('documents');
  if (examples.length === 0) return null;
  return (
    <ul className={styles['examples']} aria-label={t('labelAll.examples')}>
      {examples.map(({ documentIdentifier, before, text, after }, index) => (
        <li key={index} dir="auto">
          {several && <small title={documentIdentifier}>{documentIdentifier}</small>}
          <span>
            …{before}
            <mark>{text}</mark>
            {after}…
          </span>
        </li>
      ))}
    </ul>
  );
}

/** "12 whole words, 3 inside other words." */
function usePartsLine(wholeWords: boolean): (count: PropagationCount) => readonly string[] {
  const { t } = useTranslation('documents');
  const format = useFormat();
  return ({ created, atLeast = false, insideWords = 0, insideWordsAtLeast = false }) => {
    if (insideWords === 0 && !insideWordsAtLeast) return [];
    const inside = t(insideWordsAtLeast ? 'labelAll.insideAtLeast' : 'labelAll.inside', {
      count: insideWords,
      number: format.number(insideWords),
    });
    const whole = wholeWords ? created : created - insideWords;
    if (atLeast || (insideWordsAtLeast && !wholeWords)) return [`${inside}.`];
    return [`${t('labelAll.whole', { count: whole, number: format.number(whole) })}, ${inside}.`];
  };
}

/** Labels all places of chosen words: in this document, in what is found, in the corpus; says how many there are before. */
export function LabelOccurrencesDialog(props: LabelOccurrencesDialogProps): ReactNode {
  const { project, document, wanted, labels, search, onDone, onClose } = props;
  const { t } = useTranslation('documents');
  const client = useQueryClient();
  const mayAll = useCan('annotateCorpus');
  const [stored, chooseLabel] = useStoredChoice<string>(`labelAll/${project}`, labels[0]?.name ?? '');
  const label = labels.some(({ name }) => name === stored) ? stored : (labels[0]?.name ?? '');
  const [scope, setScope] = useState<Scope>('document');
  const [{ exact, wholeWords }, setOptions] = useState<FindOptions>({ exact: wanted.exact, wholeWords: true });
  const request = { text: wanted.words, labelName: label, scope, documentIdentifier: document, wholeWords };
  const settings = { ...request, caseSensitive: exact, foldAccents: !exact, ...(scope === 'found' && { search }) };
  const text: PropagationText = (key, values) => t(`${OWN_TEXTS.has(key) ? 'labelAll' : 'propagate'}.${key}`, values);
  const count = usePropagationCount({
    project,
    source: document,
    settings,
    dryRun: () => labelOccurrences(project, { ...settings, dryRun: true }),
    text,
    foundKey: (atLeast) => (atLeast ? 'atLeast' : 'found'),
    own: 0,
    moreLines: usePartsLine(wholeWords),
  });
  const run = usePropagation({
    ...{ project, document, onDone, onClose, text },
    propagate: () => labelOccurrences(project, { ...settings, dryRun: false }),
    store: (cache, { annotations = [] }) => {
      if (annotations.length > STORED_ONE_BY_ONE) void client.invalidateQueries({ queryKey: documentKeys.one(project, document) });
      else for (const annotation of annotations) cache.storeAnnotation(document, annotation);
      return annotations.map(({ identifier }) => identifier);
    },
    errorTitle: 'labelOccurrences',
  });
  const scopes: readonly Scope[] = search === undefined ? ['document', 'corpus'] : ['document', 'found', 'corpus'];
  return (
    <PropagationDialog
      title={t('labelAll.title')}
      said={wanted.words}
      longest={LONGEST}
      submitLabel={t('labelAll.submit', { count: count.created })}
      examples={<Examples examples={count.examples} several={scope !== 'document'} />}
      {...{ count, run, onClose }}
    >
      <SelectInput
        label={t('labelAll.label')}
        value={label}
        options={labels.map(({ name, label: title }) => ({ value: name, label: title }))}
        onChange={chooseLabel}
      />
      {mayAll && (
        <SegmentedControl
          label={t('propagate.where')}
          value={scope}
          options={scopes.map((value) => ({ value, label: t(`labelAll.scope.${value}`) }))}
          onChange={setScope}
        />
      )}
      <CheckRow label={t('propagate.wholeWords')} checked={wholeWords} onChange={(checked) => setOptions({ exact, wholeWords: checked })} />
      <CheckRow label={t('find.exact')} checked={exact} onChange={(checked) => setOptions({ exact: checked, wholeWords })} />
    </PropagationDialog>
  );
}
