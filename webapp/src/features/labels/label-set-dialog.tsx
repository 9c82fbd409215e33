/** Form of a label set: name, nature, exclusive classes (V-003), guideline, tags. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '@/api/errors';
import { createLabelSet, labelKeys, updateLabelSet, type LabelSet } from '@/api/resources/labels';
import { SegmentedControl, SwitchRow } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { useCan } from '@/state/session-store';
import { useVersionedDraft, type ConcurrentChange } from './versioned-draft';
import { LabelFormDialog } from './label-form-dialog';
import { NameInput } from './name-input';

const NATURES = ['sequence_labelling', 'classification'] as const;
type Nature = (typeof NATURES)[number];

export interface LabelSetDialogProps {
  readonly project: string;
  /** Nature of a new set. */
  readonly nature: string | undefined;
  /** Absent: a new set. */
  readonly set?: LabelSet;
  readonly onClose: () => void;
  readonly onSaved?: (name: string) => void;
}

const knownNature = (nature: string | undefined): Nature => NATURES.find((known) => known === nature) ?? 'sequence_labelling';

const toLabelSetDraft = (set: LabelSet | undefined, nature: string | undefined) => ({
  label: set?.label ?? '',
  nature: knownNature(set?.nature ?? nature),
  exclusiveClasses: set?.exclusiveClasses ?? false,
  guideline: set?.guideline ?? '',
  tags: (set?.tags ?? []).join(', '),
});

const FIELDS: Readonly<Record<string, string>> = {
  label: 'set.label',
  nature: 'set.nature',
  exclusiveClasses: 'set.exclusive',
  guideline: 'set.guideline',
  tags: 'set.tags',
};

const pickFields = <T extends object>(given: T, fields: object): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name in fields)) as Partial<T>;

type SetDraft = ReturnType<typeof toLabelSetDraft>;

interface SetFieldsProps {
  readonly draft: SetDraft;
  readonly change: (part: Partial<SetDraft>) => void;
  /** Saving was attempted: missing values are shown. */
  readonly tried: boolean;
  readonly mayExclude: boolean;
}

function LabelSetFields({ draft, change, tried, mayExclude }: SetFieldsProps) {
  const { t } = useTranslation('labels');
  return (
    <>
      <NameInput
        label={t('set.label')}
        value={draft.label}
        onChange={(text) => change({ label: text })}
        error={tried && draft.label.trim() === '' ? t('set.labelMissing') : undefined}
      />
      <SegmentedControl
        label={t('set.nature')}
        value={draft.nature}
        options={NATURES.map((value) => ({ value, label: t(`set.nature_${value}`) }))}
        onChange={(value) => change({ nature: value })}
      />
      <SwitchRow
        label={t('set.exclusive')}
        help={t(mayExclude ? 'set.exclusiveHelp' : 'set.exclusiveDenied')}
        checked={draft.exclusiveClasses}
        disabled={!mayExclude}
        onChange={(exclusiveClasses) => change({ exclusiveClasses })}
      />
      <TextInput label={t('set.guideline')} rows={4} value={draft.guideline} onChange={(guideline) => change({ guideline })} />
      <TextInput label={t('set.tags')} help={t('set.tagsHelp')} value={draft.tags} onChange={(text) => change({ tags: text })} />
    </>
  );
}

export function LabelSetDialog({ project, nature, set, onClose, onSaved }: LabelSetDialogProps) {
  const { t } = useTranslation('labels');
  const queryClient = useQueryClient();
  const mayExclude = useCan('changeProjectConfig');
  const { draft, change, changed, version, theirs, takeOver } = useVersionedDraft(set, (row?: LabelSet) => toLabelSetDraft(row, nature));
  const [tried, setTried] = useState(false);
  const label = draft.label.trim();
  const tags = draft.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const save = useMutation<{ readonly name?: string }, Error>({
    mutationFn: async () => {
      const given = { ...draft, label, tags };
      const { exclusiveClasses, ...rest } = set === undefined ? given : pickFields(given, changed);
      const body = mayExclude ? { ...rest, ...(exclusiveClasses !== undefined && { exclusiveClasses }) } : rest;
      return set === undefined ? createLabelSet(project, body) : updateLabelSet(project, set.name ?? '', body, version);
    },
    onError: (error) => {
      if (!takeOver(error)) notifyFailure(error, 'saveLabelSet');
    },
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: labelKeys.all });
      onSaved?.(saved.name ?? '');
      onClose();
    },
    meta: { silent: true },
  });
  const changeText = ({ field, value }: ConcurrentChange) => ({ name: t(FIELDS[field] ?? 'set.label'), value: valueText(field, value) });
  const valueText = (field: string, value: unknown): string => {
    if (field === 'nature') return t(`set.nature_${knownNature(String(value))}`);
    return typeof value === 'boolean' ? t(value ? 'set.on' : 'set.off') : String(value) || '–';
  };
  return (
    <LabelFormDialog
      width="small"
      title={t(set === undefined ? 'set.addTitle' : 'set.editTitle')}
      onClose={onClose}
      valid={label !== ''}
      onTry={() => setTried(true)}
      submitLabel={t(set === undefined ? 'set.add' : 'set.save')}
      save={save}
      concurrent={{ theirs, texts: changeText }}
    >
      <LabelSetFields {...{ draft, change, tried, mayExclude }} />
    </LabelFormDialog>
  );
}
