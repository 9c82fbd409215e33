import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ShortenedText } from './shortened-text';
import { Tooltip } from './tooltip';
import styles from './ui.module.css';

export interface FilterChipProps {
  /** `Label: Person`; cut at 150 px (C-009) with a tooltip. */
  readonly text: string;
  readonly exclude?: boolean;
  /** Text instead of `+`, such as `any of` on the home screen. */
  readonly operator?: string;
  /** W-016: switches between must and must_not. */
  readonly onToggle?: () => void;
  readonly onRemove: () => void;
}

/** Operator | text | remove. The operator is shown as text or sign, never only by colour. */
export function FilterChip({ text, exclude = false, operator, onToggle, onRemove }: FilterChipProps) {
  const { t } = useTranslation('common');
  const sign = exclude ? t('chip.not') : (operator ?? '+');
  const says = exclude ? t('chip.excluded') : t('chip.included');
  return (
    <span className={styles['chip']} data-exclude={exclude || undefined}>
      {onToggle === undefined ? (
        <span className={styles['chip-operator']}>{sign}</span>
      ) : (
        <button type="button" className={styles['chip-operator']} onClick={onToggle} aria-label={t('chip.toggle', { text, state: says })}>
          {sign}
        </button>
      )}
      <Tooltip title={text} delay="slow">
        <span className={styles['chip-text']}>
          <ShortenedText text={text} />
        </span>
      </Tooltip>
      <button type="button" className={styles['chip-remove']} onClick={onRemove} aria-label={t('chip.remove', { text })}>
        <X size={12} aria-hidden />
      </button>
    </span>
  );
}

/** A word in a box: members of a list, document categories. */
export function Chip({
  text,
  colour,
  onRemove,
  dashed = false,
}: {
  readonly text: string;
  readonly colour?: string;
  readonly onRemove?: () => void;
  readonly dashed?: boolean;
}) {
  const { t } = useTranslation('common');
  return (
    <span className={styles['chip']} data-plain data-dashed={dashed || undefined}>
      {colour !== undefined && <span className={styles['swatch']} style={{ backgroundColor: colour }} aria-hidden />}
      <span className={styles['chip-text']} title={text}>
        <ShortenedText text={text} />
      </span>
      {onRemove !== undefined && (
        <button type="button" className={styles['chip-remove']} onClick={onRemove} aria-label={t('chip.remove', { text })}>
          <X size={12} aria-hidden />
        </button>
      )}
    </span>
  );
}
