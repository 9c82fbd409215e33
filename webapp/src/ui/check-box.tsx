import { Check, Minus } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import styles from './ui.module.css';

export interface CheckBoxProps {
  readonly checked: boolean;
  readonly mixed?: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Accessible name when there is no visible label. */
  readonly name?: string;
  readonly id?: string;
  readonly disabled?: boolean;
  readonly tabIndex?: number;
}

export function CheckBox({ checked, mixed = false, onChange, name, id, disabled = false, tabIndex }: CheckBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current !== null) input.current.indeterminate = mixed;
  }, [mixed]);
  const Sign = mixed ? Minus : Check;
  return (
    <span className={styles['check']} onClick={(event) => event.stopPropagation()}>
      <input
        ref={input}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-label={name}
        id={id}
        tabIndex={tabIndex}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={styles['box']} data-state={checked || mixed ? 'on' : undefined}>
        {(checked || mixed) && <Sign size={12} strokeWidth={3} aria-hidden />}
      </span>
    </span>
  );
}
