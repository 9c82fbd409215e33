import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { LABEL_PALETTE } from '@/theme/palette';
import { useMode } from '@/theme/mode';
import { labelColours } from '@/theme/label-colours';
import { TextInput, type FieldTexts } from './field';
import styles from './colour-input.module.css';

export interface ColourInputProps extends FieldTexts {
  readonly value: string;
  readonly onChange: (colour: string) => void;
  readonly disabled?: boolean;
  readonly id?: string;
}

/** A stored colour: the palette of 38, or any hex value. */
export function ColourInput({ value, onChange, disabled = false, id, ...texts }: ColourInputProps) {
  const made = useId();
  const mode = useMode();
  const { t } = useTranslation('common');
  return (
    <div>
      <TextInput
        {...texts}
        id={id ?? made}
        value={value}
        onChange={onChange}
        disabled={disabled}
        maxLength={9}
        start={<span className={styles['now']} style={{ backgroundColor: labelColours(value, mode).bar }} />}
      />
      <div className={styles['palette']} role="group" aria-label={t('colour.palette')}>
        {LABEL_PALETTE.map((colour, index) => (
          <button
            key={colour}
            type="button"
            disabled={disabled}
            aria-label={t('colour.number', { number: index + 1, colour })}
            aria-pressed={colour === value.toUpperCase()}
            style={{ backgroundColor: labelColours(colour, mode).bar }}
            onClick={() => onChange(colour)}
          />
        ))}
      </div>
    </div>
  );
}
