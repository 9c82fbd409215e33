import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '@/api/errors';
import { createLabel, labelKeys, updateLabel, type Label, type LabelSet } from '@/api/resources/labels';
import { isHex } from '@/theme/colour';
import { leastUsedColour } from '@/theme/palette';
import { SelectInput } from '@/ui/choice-inputs';
import { ColourInput } from '@/ui/colour-input';
import { TextInput } from '@/ui/field';
import { labelTags, LONGEST_SHORT_NAME } from '@/text/short-name';
import { LabelKeyField, useLabelKey } from './label-key-field';
import { useVersionedDraft, type ConcurrentChange } from './versioned-draft';
import { LabelFormDialog } from './label-form-dialog';
import { NameInput } from './name-input';
import { LabelPreview } from './label-preview';

const FIELDS: Readonly<Record<string, string>> = {
  label: 'field.label',
  color: 'field.colour',
  labelSetName: 'field.set',
  shortName: 'field.shortName',
  identifier: 'field.identifier',
  guideline: 'field.guideline',
};

export interface LabelDialogProps {
  readonly project: string;
  readonly set: string;
  /** Absent: a new label. */
  readonly label?: Label;
  readonly sets: readonly LabelSet[];
  readonly onClose: () => void;
}

/** Stands for a label that has no name yet; names of labels have no spaces. */
const NEW = ' new';

/** The tags of all labels with the draft among them, and the label that has the short name of the draft already. */
function draftTags(labels: readonly Label[], label: Label | undefined, draft: LabelDraft, untitled: string) {
  const name = label?.name ?? NEW;
  const others = labels.filter((one) => one.name !== name);
  const own = { name, label: draft.label.trim() === '' ? untitled : draft.label.trim(), shortName: draft.shortName.trim() };
  const place = label === undefined ? labels.length : labels.findIndex((one) => one.name === name);
  const wanted = own.shortName.toLowerCase();
  return {
    proposed: labelTags([...others.slice(0, place), { ...own, shortName: '' }, ...others.slice(place)]).get(name) ?? '',
    takenBy: wanted === '' ? undefined : others.find((one) => one.shortName?.toLowerCase() === wanted)?.label,
  };
}

function shortNameProblem(shortName: string, takenBy: string | undefined): { readonly key: string; readonly label?: string } | undefined {
  const trimmed = shortName.trim();
  if (Array.from(trimmed).length > LONGEST_SHORT_NAME || /\s/u.test(trimmed)) return { key: 'shortNameWrong' };
  return takenBy === undefined ? undefined : { key: 'shortNameTaken', label: takenBy };
}

type LabelDraft = Readonly<Record<'label' | 'color' | 'labelSetName' | 'shortName' | 'identifier' | 'guideline', string>>;

interface LabelFieldsProps extends Pick<LabelDialogProps, 'sets'> {
  readonly label: Label | undefined;
  readonly draft: LabelDraft;
  readonly hotkey: ReturnType<typeof useLabelKey>;
  readonly change: (part: Partial<LabelDraft>) => void;
  /** Saving was attempted: missing values are shown. */
  readonly tried: boolean;
}

function LabelFields({ draft, hotkey, change, tried, label, sets }: LabelFieldsProps) {
  const { t } = useTranslation('labels');
  const { proposed, takenBy } = draftTags(
    sets.flatMap((one) => one.labels ?? []),
    label,
    draft,
    t('field.label'),
  );
  const problem = shortNameProblem(draft.shortName, takenBy);
  return (
    <>
      <NameInput
        label={t('field.label')}
        value={draft.label}
        onChange={(text) => change({ label: text })}
        error={tried && draft.label.trim() === '' ? t('labelMissing') : undefined}
        {...(label !== undefined && { help: t('field.nameHelp', { name: label.name }) })}
      />
      <SelectInput
        label={t('field.set')}
        value={draft.labelSetName}
        options={sets.map((one) => ({ value: one.name ?? '', label: one.label ?? one.name ?? '' }))}
        onChange={(labelSetName) => change({ labelSetName })}
      />
      <ColourInput
        label={t('field.colour')}
        value={draft.color}
        onChange={(color) => change({ color })}
        help={t('field.colourHelp')}
        error={tried && !isHex(draft.color) ? t('colourWrong') : undefined}
      />
      <TextInput
        label={t('field.shortName')}
        help={t('field.shortNameHelp', { max: LONGEST_SHORT_NAME })}
        value={draft.shortName}
        placeholder={proposed}
        autoComplete="off"
        error={problem === undefined ? undefined : t(problem.key, { label: problem.label, max: LONGEST_SHORT_NAME })}
        onChange={(shortName) => change({ shortName })}
      />
      <LabelPreview title={draft.label} colour={draft.color} tag={draft.shortName.trim() || proposed} />
      <LabelKeyField hotkey={hotkey} text={draft.label} />
      <TextInput
        label={t('field.identifier')}
        help={t('field.identifierHelp')}
        value={draft.identifier}
        maxLength={255}
        onChange={(identifier) => change({ identifier })}
      />
      <TextInput
        label={t('field.guideline')}
        help={t('field.guidelineHelp')}
        rows={4}
        value={draft.guideline}
        onChange={(guideline) => change({ guideline })}
      />
    </>
  );
}

/** V-008: the text is required; Enter submits. Closes only when saved. */
export function LabelDialog({ project, set, label, sets, onClose }: LabelDialogProps) {
  const { t } = useTranslation('labels');
  const queryClient = useQueryClient();
  const labels = sets.flatMap((one) => one.labels ?? []);
  const { draft, change, changed, version, theirs, takeOver } = useVersionedDraft(label, (row?: Label): LabelDraft => ({
    label: row?.label ?? '',
    color: row?.color ?? leastUsedColour(labels.map((item) => item.color)),
    labelSetName: row?.labelSetName ?? set,
    shortName: row?.shortName ?? '',
    identifier: row?.identifier ?? '',
    guideline: row?.guideline ?? '',
  }));
  const [tried, setTried] = useState(false);
  const hotkey = useLabelKey(project, sets, label?.name);
  const words = draft.label.trim();
  const { takenBy } = draftTags(labels, label, draft, words);
  const valid =
    words !== '' && isHex(draft.color) && hotkey.problem === undefined && shortNameProblem(draft.shortName, takenBy) === undefined;
  const save = useMutation({
    mutationFn: (): Promise<Label> => {
      if (label === undefined) return createLabel(project, { ...draft, label: words });
      // Only the key was changed, which is not part of the label.
      if (Object.keys(changed).length === 0) return Promise.resolve(label);
      return updateLabel(project, label.name, { ...changed, ...('label' in changed && { label: words }) }, version);
    },
    onError: (error) => {
      if (!takeOver(error)) notifyFailure(error, 'saveLabel');
    },
    onSuccess: async ({ name }) => {
      hotkey.save(name);
      await queryClient.invalidateQueries({ queryKey: labelKeys.all });
      onClose();
    },
    meta: { silent: true },
  });
  const changeText = ({ field, value }: ConcurrentChange) => ({
    name: t(FIELDS[field] ?? 'field.label'),
    value: (field === 'labelSetName' ? setNamed(value) : undefined) ?? (String(value) || '–'),
  });
  const setNamed = (name: unknown) => sets.find((one) => one.name === name)?.label;
  return (
    <LabelFormDialog
      title={t(label === undefined ? 'addTitle' : 'editTitle')}
      onClose={onClose}
      valid={valid}
      onTry={() => setTried(true)}
      submitLabel={t(label === undefined ? 'add' : 'save')}
      save={save}
      concurrent={{ theirs, texts: changeText }}
    >
      <LabelFields {...{ draft, hotkey, change, tried, label, sets }} />
    </LabelFormDialog>
  );
}
