import { CircleAlert, Eye, EyeOff } from 'lucide-react';
import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ChangeEventHandler,
  type ComponentProps,
  type KeyboardEventHandler,
  type MouseEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './icon-button';
import styles from './ui.module.css';

export interface FieldTexts {
  readonly label: ReactNode;
  /** Below the field, always visible. */
  readonly help?: ReactNode;
  /** One sentence about what to do; shown below the field, in addition to the help. */
  readonly error?: ReactNode;
  /** Shown as text next to the label. */
  readonly required?: boolean;
  /** Right of the label: unit, reset. */
  readonly aside?: ReactNode;
  readonly hideLabel?: boolean;
}

export interface FieldProps extends FieldTexts {
  readonly id: string;
  readonly children: ReactNode;
}

/** Ids of the `Field` texts for `aria-describedby` of the control. */
export function describedBy(id: string, texts: Pick<FieldTexts, 'help' | 'error'>): string | undefined {
  const ids = [texts.error ? `${id}-error` : '', texts.help ? `${id}-help` : ''].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

/** Label above, control, help, error. */
export function Field({ id, label, help, error, required = false, aside, hideLabel = false, children }: FieldProps) {
  const { t } = useTranslation('common');
  return (
    <div className={styles['field']}>
      <div className={hideLabel ? 'visually-hidden' : styles['field-label']}>
        <label htmlFor={id} id={`${id}-label`}>
          {label}
        </label>
        {required && <span className={styles['field-required']}>{t('required')}</span>}
        {aside !== undefined && <span className={styles['field-aside']}>{aside}</span>}
      </div>
      {children}
      {error !== undefined && error !== null && error !== '' && (
        <p className={styles['field-error']} id={`${id}-error`}>
          <CircleAlert size={14} aria-hidden />
          <span>{error}</span>
        </p>
      )}
      {help !== undefined && help !== null && help !== '' && (
        <p className={styles['field-help']} id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

export interface TextInputProps extends FieldTexts {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly onKeyDown?: KeyboardEventHandler<HTMLInputElement | HTMLTextAreaElement>;
  readonly type?: 'text' | 'password' | 'email' | 'number' | 'url' | 'search';
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly maxLength?: number;
  readonly rows?: number;
  /** Inside the field, at its end: unit, button. */
  readonly end?: ReactNode;
  readonly start?: ReactNode;
  readonly name?: string;
  readonly id?: string;
  readonly large?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
}

const LINE_HEIGHT = 20;
const PADDING = 10;

/** Grows with its text, up to three times its rows. */
function GrowingTextArea({ rows, value, ...rest }: ComponentProps<'textarea'> & { readonly rows: number; readonly value: string }) {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = 'auto';
    const most = rows * 3 * LINE_HEIGHT + PADDING;
    element.style.height = `${String(Math.min(most, element.scrollHeight))}px`;
    element.style.overflowY = element.scrollHeight > most ? 'auto' : 'hidden';
  }, [rows, value]);
  return <textarea ref={area} rows={rows} value={value} {...rest} />;
}

/** A click beside the text, on an icon or a unit, is meant for the field. */
function focusField(event: MouseEvent<HTMLDivElement>): void {
  if (event.target instanceof Element && event.target.closest('button, input, textarea, a') !== null) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>('input, textarea')?.focus();
}

type InputEndProps = Pick<TextInputProps, 'type' | 'end'> & { readonly shown: boolean; readonly onShown: (shown: boolean) => void };

/** At the end of a field: the eye of a password, or what the caller gives. */
function InputEnd({ type, end, shown, onShown }: InputEndProps) {
  const { t } = useTranslation('common');
  if (type !== 'password') return end !== undefined && <span className={styles['control-end']}>{end}</span>;
  return (
    <IconButton small label={t(shown ? 'hidePassword' : 'showPassword')} icon={shown ? EyeOff : Eye} onClick={() => onShown(!shown)} />
  );
}

export function TextInput(props: TextInputProps) {
  const made = useId();
  const [shown, setShown] = useState(false);
  const {
    label,
    help,
    error,
    required,
    aside,
    hideLabel,
    value,
    onChange,
    type = 'text',
    rows,
    end,
    start,
    large,
    id = made,
    maxLength,
    inputRef,
    ...rest
  } = props;
  const change: ChangeEventHandler<HTMLInputElement | HTMLTextAreaElement> = (event) => onChange(event.target.value);
  const wrong = error !== undefined && error !== null && error !== '';
  const control = {
    id,
    value,
    onChange: change,
    maxLength,
    'aria-invalid': wrong,
    'aria-describedby': describedBy(id, { help, error }),
    'aria-required': required,
    ...rest,
  };
  return (
    <Field id={id} {...{ label, help, error, required, aside, hideLabel }}>
      <div
        className={styles['control']}
        data-error={wrong || undefined}
        data-disabled={rest.disabled === true || undefined}
        data-large={large === true || undefined}
        onMouseDown={focusField}
      >
        {start !== undefined && <span className={styles['control-start']}>{start}</span>}
        {rows === undefined ? (
          <input ref={inputRef} type={type === 'password' && shown ? 'text' : type} {...control} />
        ) : (
          <GrowingTextArea rows={rows} {...control} />
        )}
        <InputEnd {...{ type, end, shown }} onShown={setShown} />
      </div>
    </Field>
  );
}
