import Autocomplete from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import { ChevronsUpDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MuiRoot } from './mui-root';
import type { Option } from './segmented-control';

export interface SearchSelectProps<T extends string> {
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

/** A list that is searched by typing. */
export function SearchSelect<T extends string>({
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
    <MuiRoot>
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
    </MuiRoot>
  );
}
