/** Merges labels, or label sets: selects them, and the one that remains. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mergeLabels, mergeLabelSets, type Label, type LabelSet } from '@/api/resources/labels';
import { CheckRow, SelectInput } from '@/ui/choice-inputs';
import { labelDisplayName } from '@/text/short-name';
import { LabelOperationDialog } from './label-operation-dialog';
import { LabelConsequencesText, useLabelConsequences } from './label-consequences';
import styles from './labels.module.css';
import { useLabelOperation } from './use-label-operations';

interface Named {
  readonly name: string;
  readonly label: string;
}

interface MergeProps {
  readonly project: string;
  /** Initially ticked labels. */
  readonly selected: readonly string[];
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

/** The ticked ones in order, the remaining one first. Which one remains is always chosen: nobody loses a label by the order of ticks. */
function useMergeSelection(all: readonly Named[], chosen: readonly string[]) {
  const [ticked, setTicked] = useState<readonly string[]>(chosen);
  const [wanted, setWanted] = useState('');
  const keep = ticked.includes(wanted) ? wanted : '';
  const merged = all.filter(({ name }) => ticked.includes(name));
  const toggle = (name: string, on: boolean) => setTicked((known) => (on ? [...known, name] : known.filter((other) => other !== name)));
  const others = merged.map(({ name }) => name).filter((name) => name !== keep);
  const keptLabel = merged.find(({ name }) => name === keep)?.label;
  return { ticked, merged, keep, keptLabel, setKeep: setWanted, toggle, names: [keep, ...others], valid: keep !== '' && others.length > 0 };
}

function MergePicker({ all, merge }: { readonly all: readonly Named[]; readonly merge: ReturnType<typeof useMergeSelection> }) {
  const { t } = useTranslation('labels');
  return (
    <>
      <fieldset className={styles['choices']}>
        <legend>{t('merge.which')}</legend>
        <div className={styles['choices-list']}>
          {all.map(({ name, label }) => (
            <CheckRow
              key={name}
              label={labelDisplayName(label)}
              checked={merge.ticked.includes(name)}
              onChange={(on) => merge.toggle(name, on)}
            />
          ))}
        </div>
        {merge.merged.length < 2 && <p className={styles['note']}>{t('merge.two')}</p>}
      </fieldset>
      {merge.merged.length > 1 && (
        <SelectInput
          label={t('merge.keep')}
          placeholder={t('merge.choose')}
          required
          value={merge.keep}
          options={merge.merged.map(({ name, label }) => ({ value: name, label: labelDisplayName(label) }))}
          onChange={merge.setKeep}
        />
      )}
    </>
  );
}

const mergeVerb = (t: (key: string, values?: Readonly<Record<string, string>>) => string, kept: string | undefined) =>
  kept === undefined ? t('merge.verb') : t('merge.verbInto', { label: kept });

export function MergeLabelsDialog({ project, labels, selected, onClose, onDone }: MergeProps & { readonly labels: readonly Label[] }) {
  const { t } = useTranslation('labels');
  const merge = useMergeSelection(labels, selected);
  const { valid } = merge;
  const told = useLabelConsequences(project, valid ? merge.names.slice(1) : []);
  const act = useLabelOperation<void>(
    'mergeLabels',
    () => mergeLabels(project, merge.names),
    () => {
      onDone?.();
      onClose();
    },
  );
  return (
    <LabelOperationDialog title={t('merge.title')} verb={mergeVerb(t, merge.keptLabel)} valid={valid} mutation={act} onClose={onClose}>
      <MergePicker all={labels} merge={merge} />
      {valid && <LabelConsequencesText consequences={told} effect="merged" />}
      <p className={styles['note']}>{t('merge.text')}</p>
    </LabelOperationDialog>
  );
}

export function MergeSetsDialog({ project, sets, selected, onClose, onDone }: MergeProps & { readonly sets: readonly LabelSet[] }) {
  const { t } = useTranslation('labels');
  const all = sets.map(({ name = '', label = name }) => ({ name, label }));
  const merge = useMergeSelection(all, selected);
  const act = useLabelOperation<void>(
    'mergeLabels',
    () => mergeLabelSets(project, merge.names),
    () => {
      onDone?.();
      onClose();
    },
  );
  return (
    <LabelOperationDialog
      title={t('merge.setTitle')}
      verb={mergeVerb(t, merge.keptLabel)}
      valid={merge.valid}
      mutation={act}
      onClose={onClose}
    >
      <MergePicker all={all} merge={merge} />
      <p className={styles['note']}>{t('merge.setText')}</p>
    </LabelOperationDialog>
  );
}
