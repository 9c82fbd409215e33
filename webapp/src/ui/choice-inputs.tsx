import Autocomplete from '@mui/material/Autocomplete';
import Checkbox from '@mui/material/Checkbox';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import Switch from '@mui/material/Switch';
import { Check, ChevronsUpDown, Minus } from 'lucide-react';
import { useId, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, Field, type FieldTexts } from './field';
import styles from './ui.module.css';

export interface Option<T extends string = string> {
  readonly value: T;
  readonly label: ReactNode;
  /** Text for searching when `label` is not a string. */
  readonly text?: string;
  readonly disabled?: boolean;
}

export interface SelectInputProps<T extends string> extends FieldTexts {
  readonly value: T | '';
  readonly options: readonly Option<T>[];
  readonly onChange: (value: T) => void;
  readonly onBlur?: () => void;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly id?: string;
}

/** Single choice from a list. Searchable above 12 options. */
export function SelectInput<T extends string>(props: SelectInputProps<T>) {
  const made = useId();
  const { label, help, error, required, aside, hideLabel, value, options, onChange, onBlur, disabled, placeholder, id = made } = props;
  const wrong = error !== undefined && error !== null && error !== '';
  const shared = { id, disabled: disabled === true, onBlur } as const;
  if (options.length > 12) {
    return (
      <Field id={id} {...{ label, help, error, required, aside, hideLabel }}>
        <SearchSelect {...{ value, options, onChange, placeholder, wrong }} {...shared} describedBy={describedBy(id, { help, error })} />
      </Field>
    );
  }
  return (
    <Field id={id} {...{ label, help, error, required, aside, hideLabel }}>
      <Select<T | ''>
        {...shared}
        labelId={`${id}-label`}
        fullWidth
        displayEmpty
        value={value}
        error={wrong}
        IconComponent={ChevronsUpDown}
        onChange={(event) => onChange(event.target.value as T)}
        SelectDisplayProps={{ 'aria-describedby': describedBy(id, { help, error }) }}
        renderValue={(chosen) =>
          options.find((option) => option.value === chosen)?.label ?? <span className={styles['placeholder']}>{placeholder ?? ''}</span>
        }
      >
        {options.map((option) => (
          <MenuItem key={option.value} value={option.value} disabled={option.disabled === true}>
            {option.label}
          </MenuItem>
        ))}
      </Select>
    </Field>
  );
}

interface SearchSelectProps<T extends string> {
  readonly id: string;
  readonly value: T | '';
  readonly options: readonly Option<T>[];
  readonly onChange: (value: T) => void;
  readonly onBlur: (() => void) | undefined;
  readonly disabled: boolean;
  readonly placeholder: string | undefined;
  readonly wrong: boolean;
  readonly describedBy: string | undefined;
}

const optionText = (option: Option) => option.text ?? (typeof option.label === 'string' ? option.label : option.value);

function SearchSelect<T extends string>({
  id,
  value,
  options,
  onChange,
  onBlur,
  disabled,
  placeholder,
  wrong,
  describedBy: description,
}: SearchSelectProps<T>) {
  const { t } = useTranslation('common');
  return (
    <Autocomplete<Option<T>, false, true>
      id={id}
      disableClearable
      options={[...options]}
      value={(options.find((option) => option.value === value) ?? null) as Option<T>}
      getOptionLabel={optionText}
      getOptionDisabled={(option) => option.disabled === true}
      isOptionEqualToValue={(a, b) => a.value === b.value}
      renderOption={({ key, ...item }, option) => (
        <li key={key} {...item}>
          {option.label}
        </li>
      )}
      onChange={(_event, option) => onChange(option.value)}
      disabled={disabled}
      popupIcon={<ChevronsUpDown size={16} />}
      noOptionsText={t('nothingMatches')}
      renderInput={({ id: inputId, slotProps }) => (
        <OutlinedInput
          id={inputId}
          fullWidth
          error={wrong}
          {...(placeholder === undefined ? {} : { placeholder })}
          {...(onBlur === undefined ? {} : { onBlur })}
          {...slotProps.input}
          slotProps={{ input: { ...slotProps.htmlInput, 'aria-describedby': description } }}
        />
      )}
    />
  );
}

export interface ToggleProps {
  readonly label: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly help?: ReactNode;
  readonly disabled?: boolean;
  readonly aside?: ReactNode;
  readonly id?: string;
}

/** A switch with its label next to it. */
export function SwitchRow({ label, checked, onChange, help, disabled = false, aside, id: given }: ToggleProps) {
  const made = useId();
  const id = given ?? made;
  return (
    <div className={styles['toggle-row']}>
      <Switch
        id={id}
        checked={checked}
        disabled={disabled}
        onChange={(_event, next) => onChange(next)}
        slotProps={{ input: { 'aria-describedby': help === undefined ? undefined : `${id}-help` } }}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {help !== undefined && (
          <p className={styles['field-help']} id={`${id}-help`}>
            {help}
          </p>
        )}
      </div>
      {aside !== undefined && <span className={styles['field-aside']}>{aside}</span>}
    </div>
  );
}

const BOX_ICON = <span className={styles['box']} />;
const TICKED_ICON = (
  <span className={styles['box']} data-state="on">
    <Check size={12} strokeWidth={3} />
  </span>
);
const MIXED_ICON = (
  <span className={styles['box']} data-state="on">
    <Minus size={12} strokeWidth={3} />
  </span>
);

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
  return (
    <Checkbox
      checked={checked}
      indeterminate={mixed}
      disabled={disabled}
      icon={BOX_ICON}
      checkedIcon={TICKED_ICON}
      indeterminateIcon={MIXED_ICON}
      onChange={(_event, next) => onChange(next)}
      onClick={(event) => event.stopPropagation()}
      slotProps={{ input: { 'aria-label': name, id, tabIndex } }}
    />
  );
}

export function CheckRow({ label, checked, onChange, help, disabled = false }: ToggleProps) {
  const id = useId();
  return (
    <div className={styles['toggle-row']}>
      <CheckBox id={id} checked={checked} disabled={disabled} onChange={onChange} />
      <div>
        <label htmlFor={id}>{label}</label>
        {help !== undefined && <p className={styles['field-help']}>{help}</p>}
      </div>
    </div>
  );
}

export interface SegmentedControlProps<T extends string> {
  /** Accessible name of the group. */
  readonly label: string;
  readonly value: T;
  readonly options: readonly Option<T>[];
  readonly onChange: (value: T) => void;
  readonly disabled?: boolean;
}

/** Up to three options next to each other; arrow keys move, as in a radio group. */
export function SegmentedControl<T extends string>({ label, value, options, onChange, disabled = false }: SegmentedControlProps<T>) {
  const move = (event: KeyboardEvent, index: number) => {
    const step =
      event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = (index + step + options.length) % options.length;
    const option = options[next];
    if (option === undefined) return;
    onChange(option.value);
    const group = event.currentTarget.parentElement;
    (group?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div className={styles['segmented']} role="radiogroup" aria-label={label}>
      {options.map((option, index) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          disabled={disabled || option.disabled === true}
          onClick={() => onChange(option.value)}
          onKeyDown={(event) => move(event, index)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
