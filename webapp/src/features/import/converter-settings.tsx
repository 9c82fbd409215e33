import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { converterFormQuery, convertersQuery, type Converter } from '@/api/resources/components';
import type { ImportOptions } from '@/api/resources/document-imports';
import { activePlan, plansQuery } from '@/api/resources/plans';
import { SelectInput } from '@/ui/choice-inputs';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { SchemaForm, type FormValues } from '@/forms/schema-form';
import { changedValues, converterFieldErrors, convertersForFiles, withConverterParameters } from './import-rules';
import styles from './import.module.css';

type FieldErrors = readonly { readonly field: string; readonly message: string }[];

export interface ConverterSettingsProps {
  readonly project: string;
  readonly options: ImportOptions;
  readonly onChange: (options: ImportOptions) => void;
  /** Names of the listed files: converters for their types come first. */
  readonly fileNames: readonly string[];
  /** Server errors of the parameters, by field such as `csv.text_columns`. */
  readonly errors: FieldErrors;
  readonly disabled: boolean;
}

interface ReaderProps extends ConverterSettingsProps {
  readonly converters: readonly Converter[];
  readonly onWanted: (converter: string) => void;
}

/** The form of one converter, generated from its schema; the input is kept while another one is shown. */
function ConverterForm({
  project,
  converter,
  options,
  onChange,
  errors,
  disabled,
}: Omit<ConverterSettingsProps, 'fileNames'> & {
  readonly converter: string;
}) {
  const { t, i18n } = useTranslation('import');
  const id = useId();
  const form = useQuery(converterFormQuery(project, converter, i18n.language));
  if (form.error !== null)
    return <ErrorState title={t('errors:error.getEngineParams')} error={form.error} onRetry={() => void form.refetch()} />;
  if (form.data === undefined) return <Skeleton rows={2} rowHeight={56} />;
  const { schema, defaults } = form.data;
  const fields = Object.keys((schema as { properties?: Record<string, unknown> }).properties ?? {});
  if (fields.length === 0) return <p role="status">{t('converter.nothing')}</p>;
  const value: FormValues = { ...defaults, ...options.converterParameters[converter] };
  return (
    <SchemaForm
      id={id}
      schema={schema}
      value={value}
      onChange={(next) => onChange(withConverterParameters(options, converter, changedValues(next, defaults)))}
      onSubmit={() => undefined}
      serverErrors={converterFieldErrors(errors, converter)}
      disabled={disabled}
    />
  );
}

/** The converter to configure: the user's choice while it reads the files, else the one with errors, else the only one. */
function shownConverter(wanted: string, reading: readonly Converter[], errors: FieldErrors): string {
  const wrong = reading.find(({ name }) => converterFieldErrors(errors, name).length > 0);
  if (reading.some(({ name }) => name === wanted)) return wanted;
  return wrong?.name ?? (reading.length === 1 ? (reading[0]?.name ?? '') : '');
}

/** Option for the converters by file type, where a plan would read the files otherwise. */
const BY_TYPE = '*';

/** Which converter reads the files: the active plan, the converters by file type, or one for all. */
function ConverterSelect({ project, options, onChange, disabled, converters, onWanted }: ReaderProps) {
  const { t } = useTranslation('import');
  const { data: plans } = useQuery({ ...plansQuery(project), meta: { silent: true } });
  const plan = activePlan(plans, 'conversion');
  const automatic = { value: plan === undefined ? '' : BY_TYPE, label: t('converter.automatic') };
  const own = plan === undefined ? [] : [{ value: '', label: t('plan.choice', { label: plan.label }) }];
  const value = options.converter === '' && !options.usePlan && plan !== undefined ? BY_TYPE : options.converter;
  const about = converters.find((one) => one.name === options.converter)?.description ?? '';
  const help = value === '' && plan !== undefined ? t('plan.help') : t('converter.automaticHelp');
  return (
    <SelectInput
      label={t('converter.reads')}
      help={options.converter === '' ? help : about}
      value={value}
      disabled={disabled}
      onChange={(chosen) => {
        const converter = chosen === BY_TYPE ? '' : chosen;
        onChange({ ...options, converter, usePlan: chosen !== BY_TYPE });
        onWanted(converter);
      }}
      options={[...own, automatic, ...converters.map(({ name, title }) => ({ value: name, label: title }))]}
    />
  );
}

/** How files are read: the converter and its parameters. */
export function ConverterSettings(props: ConverterSettingsProps) {
  const { project, options, onChange, fileNames, errors, disabled } = props;
  const { t, i18n } = useTranslation('import');
  const [wanted, setWanted] = useState('');
  const { data: converters = [] } = useQuery(convertersQuery(project, i18n.language));
  if (converters.length === 0) return null;
  const reading = convertersForFiles(converters, fileNames, options.converter);
  const shown = shownConverter(wanted, reading, errors);
  const about = (name: string) => converters.find((one) => one.name === name)?.description ?? '';
  const entry = ({ name, title }: Converter) => ({ value: name, label: title });
  return (
    <div className={styles['converters']} role="group" aria-label={t('converter.group')}>
      <div className={styles['converters-choice']}>
        <ConverterSelect {...props} converters={converters} onWanted={setWanted} />
        <SelectInput
          label={t('converter.parametersOf')}
          help={shown === '' ? t('converter.parametersHelp') : about(shown)}
          value={shown}
          disabled={disabled}
          onChange={setWanted}
          options={[{ value: '', label: t('converter.none') }, ...reading.map(entry)]}
        />
      </div>
      {shown !== '' && (
        <ConverterForm
          key={shown}
          project={project}
          converter={shown}
          options={options}
          onChange={onChange}
          errors={errors}
          disabled={disabled}
        />
      )}
    </div>
  );
}
