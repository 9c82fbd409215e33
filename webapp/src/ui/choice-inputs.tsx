import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { ChevronsUpDown } from 'lucide-react';
import { lazy, Suspense, useId, type ReactNode } from 'react';
import { CheckBox } from './check-box';
import { describedBy, Field, type FieldTexts } from './field';
import { MuiRoot } from './mui-root';
import type { SearchSelectProps } from './search-select';
import type { Option } from './segmented-control';
import styles from './ui.module.css';

export { CheckBox, type CheckBoxProps } from './check-box';
export { SegmentedControl, type Option, type SegmentedControlProps } from './segmented-control';

/** Most lists are short; the search is loaded with the first long one. */
const LazySearchSelect = lazy(async () => ({ default: (await import('./search-select')).SearchSelect }));

function SearchSelect<T extends string>({ onChange, ...props }: SearchSelectProps<T>) {
  return (
    <Suspense fallback={<span className={styles['select-loading']} aria-hidden />}>
      <LazySearchSelect {...props} onChange={(value) => onChange(value as T)} />
    </Suspense>
  );
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
      <MuiRoot>
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
          renderValue={(chosen) => {
            const shown = options.find((option) => option.value === chosen);
            return (
              <span className={styles['chosen']} data-placeholder={shown === undefined || undefined}>
                {shown?.label ?? placeholder ?? ''}
              </span>
            );
          }}
        >
          {options.map((option) => (
            <MenuItem key={option.value} value={option.value} disabled={option.disabled === true}>
              {option.label}
            </MenuItem>
          ))}
        </Select>
      </MuiRoot>
    </Field>
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
      <span className={styles['switch']}>
        <input
          type="checkbox"
          role="switch"
          id={id}
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby={help === undefined ? undefined : `${id}-help`}
        />
      </span>
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
