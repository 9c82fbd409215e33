/** A few choices that each need a sentence: radio buttons drawn as cards. */
import { useId, type ReactNode } from 'react';
import styles from './choice-cards.module.css';

export interface ChoiceCard<T extends string> {
  readonly value: T;
  readonly label: string;
  /** What the choice will do, in a sentence. */
  readonly text: string;
  /** What cannot be done with it yet. */
  readonly note?: string | undefined;
  readonly icon?: ReactNode;
}

export interface ChoiceCardsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly ChoiceCard<T>[];
  readonly onChange: (value: T) => void;
  readonly disabled?: boolean;
}

export function ChoiceCards<T extends string>({ label, value, options, onChange, disabled = false }: ChoiceCardsProps<T>) {
  const id = useId();
  return (
    <fieldset className={styles['group']} disabled={disabled}>
      <legend>{label}</legend>
      <div className={styles['cards']}>
        {options.map((option) => (
          <label key={option.value} className={styles['card']} data-chosen={option.value === value || undefined}>
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              aria-labelledby={`${id}-${option.value}`}
              aria-describedby={`${id}-${option.value}-text`}
              onChange={() => onChange(option.value)}
            />
            {option.icon !== undefined && (
              <span className={styles['icon']} aria-hidden>
                {option.icon}
              </span>
            )}
            <span id={`${id}-${option.value}`} className={styles['title']}>
              {option.label}
            </span>
            <span id={`${id}-${option.value}-text`} className={styles['text']}>
              {option.text}
              {option.note !== undefined && <em>{option.note}</em>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
