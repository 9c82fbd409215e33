/** S-012: exports the found documents to a file; a large export is a job. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  DIRECT_EXPORT_MAX,
  exportFound,
  formatterFormQuery,
  formattersQuery,
  startExport,
  type ExportFormat,
} from '@/api/resources/bulk-actions';
import type { EngineForm } from '@/api/resources/components';
import { SelectInput } from '@/ui/choice-inputs';
import { useFormat } from '@/ui/format';
import { saveBlob } from '@/ui/save-file';
import { SchemaForm, type FormValues } from '@/forms/schema-form';
import { BulkDialog, useBulkState, type BulkDialogProps } from './bulk-dialog';

/** The JSON format of documents, complete and importable. */
const AS_IS = 'documents';

const hasFields = ({ schema }: EngineForm) => Object.keys((schema['properties'] ?? {}) as object).length > 0;

/** The chosen format with its parameters, and the form for them if it has any. */
function useExportFormat(language: string) {
  const [name, setName] = useState<string>(AS_IS);
  const [given, setGiven] = useState<{ readonly of: string; readonly values: FormValues; readonly valid: boolean } | null>(null);
  const { data: form } = useQuery(formatterFormQuery(name === AS_IS ? '' : name, language));
  const change = (values: FormValues, valid: boolean) => setGiven({ of: name, values, valid });
  if (name === AS_IS) {
    const chosen: ExportFormat = { format: '', parameters: {} };
    return { name, setName, change, chosen, valid: true, extension: 'json', values: {}, schema: undefined, description: undefined };
  }
  const own = given?.of === name ? given : { values: form?.defaults ?? {}, valid: true };
  const { values } = own;
  const chosen: ExportFormat = { format: name, parameters: values };
  const valid = form !== undefined && own.valid;
  const schema = form !== undefined && hasFields(form) ? form.schema : undefined;
  return { name, setName, change, chosen, valid, extension: name, values, schema, description: form?.description };
}

export function ExportDialog(props: BulkDialogProps) {
  const { project } = props;
  const { t, i18n } = useTranslation('bulk');
  const format = useFormat();
  const state = useBulkState(props);
  const { data: formatters = [] } = useQuery(formattersQuery(project, i18n.language));
  const { name, setName, change, chosen, valid, extension, values, schema, description } = useExportFormat(i18n.language);
  const count = state.count?.documents ?? 0;
  const words = { count, number: format.number(count) };
  const large = count > DIRECT_EXPORT_MAX;
  return (
    <BulkDialog
      {...props}
      title={t('export.title')}
      state={state}
      effect={t(large ? 'export.jobEffect' : 'export.effect', words)}
      verb={t('export.verb', words)}
      valid={valid}
      errorTitle="downloadDocument"
      run={async (search) => {
        if (large) return startExport(project, search, chosen);
        saveBlob(`${project}.${extension}`, await exportFound(project, search, chosen));
        return null;
      }}
    >
      <SelectInput
        label={t('export.format')}
        value={name}
        options={[{ value: AS_IS, label: t('export.asIs') }, ...formatters.map((one) => ({ value: one.name, label: one.title }))]}
        onChange={setName}
        help={name === AS_IS ? t('export.asIsHelp') : description}
      />
      {schema !== undefined && (
        <SchemaForm key={name} id="bulk-export-parameters" schema={schema} value={values} onChange={change} onSubmit={() => undefined} />
      )}
    </BulkDialog>
  );
}
