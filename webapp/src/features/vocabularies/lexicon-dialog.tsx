import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { createLexicon, updateLexicon, type Lexicon, type LexiconValues } from '@/api/resources/lexicons';
import { isHex } from '@/theme/colour';
import { leastUsedColour } from '@/theme/palette';
import { SwitchRow } from '@/ui/choice-inputs';
import { ColourInput } from '@/ui/colour-input';
import { TextInput } from '@/ui/field';
import { FormDialog } from '@/ui/form-dialog';
import { useRefreshVocabularies } from './use-lexicons';
import styles from './vocabularies.module.css';

interface LexiconDialogProps {
  readonly project: string;
  /** Absent: a new one. */
  readonly lexicon?: Lexicon | undefined;
  /** Those of the project, whose colours are avoided. */
  readonly lexicons: readonly Lexicon[];
  readonly onClose: () => void;
}

/** The values that differ from those of the lexicon. */
export function changedValues(lexicon: Lexicon, values: LexiconValues): Partial<LexiconValues> {
  return {
    ...(values.label !== lexicon.label && { label: values.label }),
    ...(values.color !== lexicon.color && { color: values.color }),
    ...(values.manualEditionAllowed !== (lexicon.manualEditionAllowed !== false) && { manualEditionAllowed: values.manualEditionAllowed }),
  };
}

function problemAt(error: unknown, field: string): string | undefined {
  return error instanceof ApiError ? error.fields.find((one) => one.field === field)?.message : undefined;
}

/** Creates a lexicon (V-026: it needs a name), or changes its name, colour and whether it is edited by hand. */
export function LexiconDialog({ project, lexicon, lexicons, onClose }: LexiconDialogProps) {
  const { t } = useTranslation('vocabularies');
  const refresh = useRefreshVocabularies();
  const [tried, setTried] = useState(false);
  const [values, setValues] = useState<LexiconValues>(() => ({
    label: lexicon?.label ?? '',
    color: lexicon?.color ?? leastUsedColour(lexicons.map(({ color }) => color)),
    manualEditionAllowed: lexicon?.manualEditionAllowed !== false,
  }));
  const change = (part: Partial<LexiconValues>) => setValues({ ...values, ...part });
  const label = values.label.trim();
  const save = useMutation({
    mutationFn: (): Promise<unknown> => {
      const given = { ...values, label };
      return lexicon === undefined ? createLexicon(project, given) : updateLexicon(project, lexicon, changedValues(lexicon, given));
    },
    onSuccess: async () => {
      await refresh();
      onClose();
    },
    meta: { errorTitle: 'lexicon' },
  });
  const submit = () => {
    setTried(true);
    if (label !== '' && isHex(values.color)) save.mutate();
  };
  return (
    <FormDialog
      width="small"
      title={t(lexicon === undefined ? 'lexicon.new' : 'lexicon.editTitle', { label: lexicon?.label ?? '' })}
      submitLabel={t(lexicon === undefined ? 'lexicon.create' : 'save')}
      busy={save.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <div className={styles['fields']}>
        <TextInput
          label={t('lexicon.name')}
          value={values.label}
          onChange={(text) => change({ label: text })}
          maxLength={255}
          autoFocus
          error={tried && label === '' ? t('lexicon.nameMissing') : problemAt(save.error, 'label')}
          {...(lexicon !== undefined && { help: t('lexicon.nameHelp', { name: lexicon.name }) })}
        />
        <ColourInput
          label={t('lexicon.colour')}
          value={values.color}
          onChange={(color) => change({ color })}
          error={tried && !isHex(values.color) ? t('lexicon.colourWrong') : problemAt(save.error, 'color')}
        />
        <SwitchRow
          label={t('lexicon.manual')}
          help={t('lexicon.manualHelp')}
          checked={values.manualEditionAllowed}
          onChange={(manualEditionAllowed) => change({ manualEditionAllowed })}
        />
      </div>
    </FormDialog>
  );
}
