import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createLabel, labelKeys, updateLabel, type Label } from '@/api/resources/labels';
import { Button } from '@/components/button';
import { ColourInput } from '@/components/colour-input';
import { Dialog } from '@/components/dialog';
import { TextInput } from '@/components/field';
import { leastUsedColour } from '@/app/theme/palette';
import { isHex } from '@/app/theme/colour';

export interface LabelDialogProps {
  readonly project: string;
  readonly set: string;
  /** Absent: a new label. */
  readonly label?: Label;
  /** Those there are: decides the proposed colour (S-034). */
  readonly labels: readonly Label[];
  readonly onClose: () => void;
}

/** V-008: the text is required; Enter submits. Closes only when saved. */
export function LabelDialog({ project, set, label, labels, onClose }: LabelDialogProps) {
  const { t } = useTranslation('labels');
  const queryClient = useQueryClient();
  const [text, setText] = useState(label?.label ?? '');
  const [colour, setColour] = useState(label?.color ?? leastUsedColour(labels.map((item) => item.color)));
  const [guideline, setGuideline] = useState(label?.guideline ?? '');
  const [tried, setTried] = useState(false);
  const save = useMutation<unknown, Error>({
    mutationFn: () => {
      const body = { label: text.trim(), color: colour, guideline };
      return label === undefined ? createLabel(project, { ...body, labelSetName: set }) : updateLabel(project, label.name, body);
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: labelKeys.all });
      onClose();
    },
    meta: { errorTitle: 'saveLabel' },
  });
  const valid = text.trim() !== '' && isHex(colour);
  return (
    <Dialog
      open
      width="small"
      title={t(label === undefined ? 'addTitle' : 'editTitle')}
      locked={save.isPending}
      onClose={onClose}
      onSubmit={() => {
        setTried(true);
        if (valid) save.mutate();
      }}
      actions={
        <>
          <Button onClick={onClose} disabled={save.isPending}>
            {t('common:cancel')}
          </Button>
          <Button kind="solid" type="submit" busy={save.isPending}>
            {t(label === undefined ? 'add' : 'save')}
          </Button>
        </>
      }
    >
      <div style={{ display: 'grid', gap: 16 }}>
        <TextInput
          autoFocus
          required
          label={t('field.label')}
          value={text}
          onChange={setText}
          error={tried && text.trim() === '' ? t('labelMissing') : undefined}
        />
        <ColourInput
          label={t('field.colour')}
          value={colour}
          onChange={setColour}
          error={tried && !isHex(colour) ? t('colourWrong') : undefined}
        />
        <TextInput label={t('field.guideline')} help={t('field.guidelineHelp')} rows={3} value={guideline} onChange={setGuideline} />
      </div>
    </Dialog>
  );
}
