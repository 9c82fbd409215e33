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
import { proposeTag } from '@/text/short-name';
import { LabelKeyField, useLabelKey } from './label-key-field';
import { useVersionedDraft, type ConcurrentChange } from './versioned-draft';
import { LabelFormDialog } from './label-form-dialog';
import { NameInput } from './name-input';
import { LabelPreview } from './label-preview';

const FIELDS: Readonly<Record<string, string>> = {
  label: 'field.label',
  color: 'field.colour',
  labelSetName: 'field.set',
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

/** Tags of the labels before this one, which the tag proposed for it must avoid. */
function tagsOfEarlierLabels(labels: readonly Label[], until: Label | undefined): ReadonlySet<string> {
  const taken = new Set<string>();
  for (const label of labels) {
    if (label.name === until?.name) break;
    taken.add(proposeTag(label.label, taken));
  }
  return taken;
}

type LabelDraft = Readonly<Record<'label' | 'color' | 'labelSetName' | 'identifier' | 'guideline', string>>;

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
  const labels = sets.flatMap((one) => one.labels ?? []);
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
      <LabelPreview title={draft.label} colour={draft.color} taken={tagsOfEarlierLabels(labels, label)} />
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
    identifier: row?.identifier ?? '',
    guideline: row?.guideline ?? '',
  }));
  const [tried, setTried] = useState(false);
  const hotkey = useLabelKey(project, sets, label?.name);
  const words = draft.label.trim();
  const valid = words !== '' && isHex(draft.color) && hotkey.problem === undefined;
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
