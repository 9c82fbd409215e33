/** Controls of the schema forms without labels, which the field template renders. */
import Autocomplete from '@mui/material/Autocomplete';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import FormControlLabel from '@mui/material/FormControlLabel';
import Select from '@mui/material/Select';
import Slider from '@mui/material/Slider';
import type { RegistryWidgetsType, WidgetProps } from '@rjsf/utils';
import { ChevronsUpDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useQuery } from '@tanstack/react-query';
import { labelsQuery } from '@/api/resources/labels';
import { gazetteerNamesQuery } from '@/api/resources/gazetteers';
import { lexiconsQuery } from '@/api/resources/lexicons';
import { planComponentsQuery } from '@/api/resources/plans';
import { Chip } from '@/ui/chip';
import { ColourInput } from '@/ui/colour-input';
import { CheckBox, SegmentedControl, SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { useProjectName } from '@/state/session-store';
import styles from './forms.module.css';

type Schema = Readonly<Record<string, unknown>>;

const hasShownError = (props: WidgetProps) => (props.rawErrors?.length ?? 0) > 0 && props.hideError !== true;
const isLocked = (props: WidgetProps) => props.disabled === true || props.readonly === true;
const describedByIds = (props: WidgetProps) => `${props.id}-error ${props.id}-help`;
const widgetOptions = (props: WidgetProps) => props.options.enumOptions ?? [];

interface InputExtras {
  readonly type?: string;
  readonly rows?: number;
  readonly mono?: boolean;
}

function WidgetInput({ props, extras = {} }: { readonly props: WidgetProps; readonly extras?: InputExtras }) {
  const schema = props.schema as Schema;
  const unit = schema['x-unit'];
  return (
    <OutlinedInput
      id={props.id}
      name={props.htmlName ?? props.id}
      fullWidth
      value={props.value ?? ''}
      type={extras.type ?? 'text'}
      error={hasShownError(props)}
      disabled={isLocked(props)}
      autoFocus={props.autofocus === true}
      placeholder={props.placeholder ?? ''}
      multiline={extras.rows !== undefined}
      {...(extras.rows === undefined ? {} : { minRows: extras.rows, maxRows: 16 })}
      {...(extras.mono === true ? { className: styles['mono'] } : {})}
      onChange={(event) => props.onChange(event.target.value === '' ? undefined : event.target.value)}
      onBlur={() => props.onBlur(props.id, props.value)}
      onFocus={() => props.onFocus(props.id, props.value)}
      endAdornment={typeof unit === 'string' ? <span className={styles['unit']}>{unit}</span> : undefined}
      slotProps={{
        input: {
          'aria-describedby': describedByIds(props),
          'aria-required': props.required,
          spellCheck: extras.mono === true ? false : undefined,
        },
      }}
    />
  );
}

const parseNumber = (text: string): number | string | undefined => {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) && !/[.eE]$/.test(trimmed) ? value : text;
};

/** Numbers are entered as text: the browser's number field hides invalid input, and changes values on scrolling. */
function TextWidget(props: WidgetProps) {
  const type = props.schema.type;
  const numeric = type === 'number' || type === 'integer';
  if (!numeric) return <WidgetInput props={props} />;
  return (
    <WidgetInput
      props={{ ...props, onChange: (value: unknown) => props.onChange(typeof value === 'string' ? parseNumber(value) : value) }}
    />
  );
}

const TextareaWidget = (props: WidgetProps) => <WidgetInput props={props} extras={{ rows: 3 }} />;
const CodeWidget = (props: WidgetProps) => <WidgetInput props={props} extras={{ rows: 5, mono: true }} />;

function PasswordWidget(props: WidgetProps) {
  return (
    <TextInput
      id={props.id}
      hideLabel
      label={props.label}
      type="password"
      autoComplete="off"
      disabled={isLocked(props)}
      value={props.value ?? ''}
      onChange={(value) => props.onChange(value === '' ? undefined : value)}
      onBlur={() => props.onBlur(props.id, props.value)}
    />
  );
}

function CheckboxWidget(props: WidgetProps) {
  const help = props.options['help'] ?? props.schema.description;
  return (
    <SwitchRow
      id={props.id}
      label={props.label}
      checked={props.value === true}
      disabled={isLocked(props)}
      onChange={props.onChange}
      {...(typeof help === 'string' && { help })}
    />
  );
}

/** Up to 3 choices next to each other, up to 6 as radio buttons, more as a searchable list. */
function SelectWidget(props: WidgetProps) {
  if (props.multiple === true) return <CheckboxesWidget {...props} />;
  const options = widgetOptions(props);
  const at = options.findIndex((option) => JSON.stringify(option.value) === JSON.stringify(props.value));
  const choose = (index: string) => {
    props.onChange(index === '' ? undefined : options[Number(index)]?.value);
    props.onBlur(props.id, props.value);
  };
  const short = options.length <= 3 && options.every((option) => String(option.label).length < 22);
  if (short && at >= 0) {
    return (
      <SegmentedControl
        label={props.label}
        value={String(at)}
        disabled={isLocked(props)}
        options={options.map((option, index) => ({ value: String(index), label: option.label }))}
        onChange={choose}
      />
    );
  }
  if (options.length > 12) {
    return (
      <SelectInput
        id={props.id}
        hideLabel
        label={props.label}
        value={at < 0 ? '' : String(at)}
        disabled={isLocked(props)}
        options={options.map((option, index) => ({ value: String(index), label: option.label }))}
        onChange={choose}
      />
    );
  }
  return (
    <Select<string>
      id={props.id}
      fullWidth
      displayEmpty
      value={at < 0 ? '' : String(at)}
      disabled={isLocked(props)}
      error={hasShownError(props)}
      IconComponent={ChevronsUpDown}
      onChange={(event) => choose(event.target.value)}
      labelId={`${props.id}-label`}
      SelectDisplayProps={{ 'aria-describedby': describedByIds(props) }}
    >
      {props.required !== true && <MenuItem value="">&nbsp;</MenuItem>}
      {options.map((option, index) => (
        <MenuItem key={String(index)} value={String(index)}>
          {option.label}
        </MenuItem>
      ))}
    </Select>
  );
}

function RadioWidget(props: WidgetProps) {
  const options = widgetOptions(props);
  const at = options.findIndex((option) => option.value === props.value);
  return (
    <RadioGroup row value={String(at)} aria-label={props.label} onChange={(_event, index) => props.onChange(options[Number(index)]?.value)}>
      {options.map((option, index) => (
        <FormControlLabel key={String(index)} value={String(index)} control={<Radio />} label={option.label} disabled={isLocked(props)} />
      ))}
    </RadioGroup>
  );
}

function CheckboxesWidget(props: WidgetProps) {
  const chosen = (props.value ?? []) as unknown[];
  return (
    <div role="group" aria-label={props.label} className={styles['checks']}>
      {widgetOptions(props).map((option, index) => {
        const id = `${props.id}-${index}`;
        const on = chosen.includes(option.value);
        return (
          <span key={id}>
            <CheckBox
              id={id}
              checked={on}
              disabled={isLocked(props)}
              onChange={() => props.onChange(on ? chosen.filter((value) => value !== option.value) : [...chosen, option.value])}
            />
            <label htmlFor={id}>{option.label}</label>
          </span>
        );
      })}
    </div>
  );
}

function SliderWidget(props: WidgetProps) {
  const { minimum = 0, maximum = 1, multipleOf, type } = props.schema;
  const step = multipleOf ?? (type === 'integer' ? 1 : (maximum - minimum) / 100);
  return (
    <div className={styles['slider']}>
      <Slider
        id={props.id}
        aria-label={props.label}
        min={minimum}
        max={maximum}
        step={step}
        disabled={isLocked(props)}
        value={Number(props.value ?? minimum)}
        onChange={(_event, value) => props.onChange(value)}
      />
      <output htmlFor={props.id}>{props.value ?? minimum}</output>
    </div>
  );
}

function ColorWidget(props: WidgetProps) {
  return (
    <ColourInput
      id={props.id}
      hideLabel
      label={props.label}
      disabled={isLocked(props)}
      value={props.value ?? ''}
      onChange={(value) => props.onChange(value === '' ? undefined : value)}
    />
  );
}

function useLabelOptions() {
  const { data = [] } = useQuery(labelsQuery(useProjectName()));
  return data.map((label) => ({ value: label.name, label: label.label, color: label.color }));
}

/** One label of the open project. */
function LabelWidget(props: WidgetProps) {
  const options = useLabelOptions();
  const missing = typeof props.value === 'string' && !options.some((option) => option.value === props.value);
  const all = missing ? [...options, { value: String(props.value), label: String(props.value), color: '' }] : options;
  return (
    <SelectInput
      id={props.id}
      hideLabel
      label={props.label}
      value={props.value ?? ''}
      disabled={isLocked(props)}
      options={all}
      onChange={props.onChange}
    />
  );
}

/** A reranker that is installed, or none. */
function RerankerWidget(props: WidgetProps) {
  const { t, i18n } = useTranslation('forms');
  const { data = [] } = useQuery(planComponentsQuery(useProjectName(), 'reranker', i18n.language));
  const value = typeof props.value === 'string' ? props.value : '';
  const installed = data.map(({ name, title }) => ({ value: name, label: title }));
  const missing = value !== '' && !installed.some((one) => one.value === value) ? [{ value, label: value }] : [];
  return (
    <SelectInput
      id={props.id}
      hideLabel
      label={props.label}
      value={value}
      disabled={isLocked(props)}
      options={[{ value: '', label: t('noReranker') }, ...installed, ...missing]}
      onChange={props.onChange}
    />
  );
}

/** Several entered words, or chosen labels of the open project, as chips. */
function TextListInput({
  props,
  options,
  free,
}: {
  readonly props: WidgetProps;
  readonly options: readonly { value: string; label: string; color?: string }[];
  readonly free: boolean;
}) {
  const { t } = useTranslation('forms');
  const value = ((props.value ?? []) as unknown[]).map(String);
  const change = (next: readonly string[]) => props.onChange(next.map((item) => item.trim()).filter((item) => item !== ''));
  const named = (item: string) => options.find((option) => option.value === item);
  return (
    <Autocomplete<string, true, false, true>
      multiple
      freeSolo={free as true}
      filterSelectedOptions
      popupIcon={<ChevronsUpDown size={16} />}
      id={props.id}
      options={options.map((option) => option.value)}
      getOptionLabel={(item) => named(item)?.label ?? item}
      value={value}
      disabled={isLocked(props)}
      onChange={(_event, next) => change(next)}
      onBlur={() => props.onBlur(props.id, props.value)}
      renderValue={(items) =>
        items.map((item) => {
          const label = named(item);
          return (
            <Chip
              key={item}
              text={label?.label ?? item}
              onRemove={() => change(value.filter((other) => other !== item))}
              {...(label?.color ? { colour: label.color } : {})}
            />
          );
        })
      }
      renderInput={({ id, slotProps }) => (
        <OutlinedInput
          id={id}
          fullWidth
          error={hasShownError(props)}
          placeholder={value.length === 0 && free ? t('typeWords') : ''}
          {...slotProps.input}
          className={styles['words']}
          slotProps={{ input: { ...slotProps.htmlInput, 'aria-describedby': describedByIds(props) } }}
        />
      )}
    />
  );
}

/** Gazetteers of the open project. */
function useGazetteerOptions() {
  const { data = [] } = useQuery(gazetteerNamesQuery(useProjectName()));
  return data.map(({ name, label }) => ({ value: name, label: label || name }));
}

const GazetteersWidget = (props: WidgetProps) => <TextListInput props={props} options={useGazetteerOptions()} free={false} />;
const LabelsWidget = (props: WidgetProps) => <TextListInput props={props} options={useLabelOptions()} free={false} />;

function useLexiconOptions() {
  const { data = [] } = useQuery({ ...lexiconsQuery(useProjectName()), meta: { silent: true } });
  return data.map((lexicon) => ({ value: lexicon.name, label: lexicon.label, color: lexicon.color }));
}

/** Lexicons of the open project. */
const LexiconsWidget = (props: WidgetProps) => <TextListInput props={props} options={useLexiconOptions()} free={false} />;
const TextListWidget = (props: WidgetProps) => <TextListInput props={props} options={[]} free />;

export const WIDGETS: RegistryWidgetsType = {
  TextWidget,
  TextareaWidget,
  PasswordWidget,
  CheckboxWidget,
  CheckboxesWidget,
  SelectWidget,
  RadioWidget,
  RangeWidget: SliderWidget,
  UpDownWidget: TextWidget,
  EmailWidget: TextWidget,
  URLWidget: TextWidget,
  ColorWidget,
  // The supported hints.
  label: LabelWidget,
  labels: LabelsWidget,
  gazetteers: GazetteersWidget,
  lexicons: LexiconsWidget,
  reranker: RerankerWidget,
  words: TextListWidget,
  color: ColorWidget,
  code: CodeWidget,
  password: PasswordWidget,
  textarea: TextareaWidget,
  slider: SliderWidget,
};
