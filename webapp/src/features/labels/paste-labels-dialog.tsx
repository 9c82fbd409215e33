/** Adds a pasted list of labels; says before what each line becomes. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '@/api/errors';
import { createLabels, deleteLabels, labelKeys, type Label, type LabelSet } from '@/api/resources/labels';
import { useLabelHotkeys } from '@/blocks/labelling/use-label-hotkeys';
import { notify } from '@/state/notifications-store';
import { foldCaseAndAccents } from '@/text/fold-accents';
import { leastUsedColour } from '@/theme/palette';
import { KeyCap } from '@/ui/badge';
import { SelectInput } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { FormDialog } from '@/ui/form-dialog';
import { MOST_LISTED_LABELS, parseLabelList, previewColours, type ListedLabel } from './label-list';
import styles from './labels.module.css';

interface PasteLabelsDialogProps {
  readonly project: string;
  readonly set: string;
  readonly sets: readonly LabelSet[];
  readonly onClose: () => void;
}

function ListedRow({ listed, colour }: { readonly listed: ListedLabel; readonly colour: string }) {
  const { t } = useTranslation('labels');
  const { label, key, guideline, known, problem, line } = listed;
  return (
    <li data-wrong={problem !== undefined || undefined}>
      <span className={styles['listed-swatch']} style={colour === '' ? undefined : { backgroundColor: colour }} aria-hidden />
      <span className={styles['listed-name']} dir="auto" title={guideline === '' ? label : `${label}: ${guideline}`}>
        {label === '' ? t('paste.line', { line }) : label}
      </span>
      {key !== '' && <KeyCap>{key.toUpperCase()}</KeyCap>}
      {problem !== undefined ? (
        <span className={styles['listed-problem']}>
          <CircleAlert size={14} aria-hidden />
          {t(`paste.problem.${problem}`)}
        </span>
      ) : (
        known && <small>{t('paste.known')}</small>
      )}
    </li>
  );
}

/** The keys of the list, by the names that the labels got. */
function keysOfNames(listed: readonly ListedLabel[], labels: readonly Label[]): Record<string, string> {
  const nameOf = new Map(labels.map(({ label, name }) => [foldCaseAndAccents(label), name]));
  return Object.fromEntries(
    listed.flatMap(({ label, key }) => {
      const name = nameOf.get(foldCaseAndAccents(label));
      return key === '' || name === undefined ? [] : [[name, key]];
    }),
  );
}

function useSaveList(project: string, set: string, listed: readonly ListedLabel[], onClose: () => void) {
  const { t } = useTranslation(['labels', 'labelling']);
  const queryClient = useQueryClient();
  const [hotkeys, saveHotkeys] = useLabelHotkeys(project);
  const undo = (names: readonly string[]) =>
    void deleteLabels(project, names).then(
      () => queryClient.invalidateQueries({ queryKey: labelKeys.all }),
      (error: unknown) => notifyFailure(error, 'deleteLabel'),
    );
  return useMutation({
    mutationFn: () =>
      createLabels(
        project,
        listed.map(({ label, color, guideline }) => ({ label, ...(color !== '' && { color }), ...(guideline !== '' && { guideline }) })),
        set,
      ),
    onSuccess: async ({ created, known }) => {
      const keys = keysOfNames(listed, [...created, ...known]);
      if (Object.keys(keys).length > 0) saveHotkeys({ ...hotkeys, ...keys });
      await queryClient.invalidateQueries({ queryKey: labelKeys.all });
      const names = created.map(({ name }) => name);
      notify({
        type: 'success',
        message: t('paste.done', { count: names.length }),
        ...(names.length > 0 && { action: { label: t('labelling:undo'), run: () => undo(names) } }),
      });
      onClose();
    },
    meta: { errorTitle: 'saveLabel' },
  });
}

export function PasteLabelsDialog({ project, set: firstSet, sets, onClose }: PasteLabelsDialogProps) {
  const { t } = useTranslation('labels');
  const [text, setText] = useState('');
  const [set, setSet] = useState(firstSet);
  const [tried, setTried] = useState(false);
  const [hotkeys] = useLabelHotkeys(project);
  const labels = sets.flatMap((one) => one.labels ?? []);
  const listed = parseLabelList(
    text,
    labels.map(({ label }) => label),
    Object.values(hotkeys),
  );
  const colours = previewColours(
    listed,
    labels.map(({ color }) => color),
    leastUsedColour,
  );
  const save = useSaveList(project, set, listed, onClose);
  const wrong = listed.filter(({ problem }) => problem !== undefined).length;
  const fresh = listed.filter(({ known }) => !known).length;
  const tooMany = listed.length > MOST_LISTED_LABELS;
  const errorText = () => {
    if (tooMany) return t('paste.tooMany', { max: MOST_LISTED_LABELS });
    if (!tried) return undefined;
    if (listed.length === 0) return t('paste.empty');
    return wrong > 0 ? t('paste.wrong', { count: wrong }) : undefined;
  };
  return (
    <FormDialog
      title={t('paste.title')}
      onClose={onClose}
      busy={save.isPending}
      submitLabel={fresh === 0 ? t('add') : t('paste.add', { count: fresh })}
      onSubmit={() => {
        setTried(true);
        if (listed.length > 0 && wrong === 0 && !tooMany) save.mutate();
      }}
    >
      <div className={styles['paste']}>
        <TextInput
          autoFocus
          required
          rows={8}
          label={t('paste.list')}
          help={t('paste.help')}
          placeholder={t('paste.placeholder')}
          value={text}
          onChange={setText}
          error={errorText()}
        />
        {sets.length > 1 && (
          <SelectInput
            label={t('field.set')}
            value={set}
            options={sets.map((one) => ({ value: one.name ?? '', label: one.label ?? one.name ?? '' }))}
            onChange={setSet}
          />
        )}
        {listed.length > 0 && (
          <ul className={styles['listed']} aria-label={t('paste.preview')}>
            {listed.map((one, index) => (
              <ListedRow key={one.line} listed={one} colour={colours[index] ?? ''} />
            ))}
          </ul>
        )}
      </div>
    </FormDialog>
  );
}
