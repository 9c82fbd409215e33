import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextInput } from '@/ui/field';

export interface JsonFieldProps {
  readonly label: string;
  readonly help: string;
  /** Shown first; while it is edited, the text of the field counts. */
  readonly text: string;
  /** False: the text is not understood. */
  readonly onText: (text: string) => boolean;
  readonly rows: number;
  readonly disabled: boolean;
}

/** JSON to edit by hand. A text that is not understood stays in the field and changes nothing. */
export function JsonField({ label, help, text, onText, rows, disabled }: JsonFieldProps) {
  const { t } = useTranslation('plans');
  const [edited, setEdited] = useState<{ readonly text: string; readonly valid: boolean } | null>(null);
  return (
    <TextInput
      label={label}
      help={help}
      rows={rows}
      value={edited?.text ?? text}
      error={edited?.valid === false ? t('page.badJson') : undefined}
      disabled={disabled}
      onChange={(next) => setEdited({ text: next, valid: onText(next) })}
    />
  );
}
