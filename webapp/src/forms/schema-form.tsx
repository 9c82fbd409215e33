/** A form generated from a component's parameter schema. Keep the schema object stable (query cache), as caches use its identity. */
import Form, { type IChangeEvent } from '@rjsf/core';
import type { ErrorSchema, RJSFSchema, RJSFValidationError, UiSchema } from '@rjsf/utils';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MuiRoot } from '@/ui/mui-root';
import { prepareSchema, buildUiSchema, withoutNulls } from './prepare-schema';
import { TEMPLATES } from './rjsf-templates';
import { translateErrors } from './translate-errors';
import { EvalFreeValidator } from './validator';
import { WIDGETS } from './rjsf-widgets';
import styles from './forms.module.css';

export type FormValues = Record<string, unknown>;

export interface SchemaFormProps {
  /** For an external `<Button type="submit" form={id}>`. */
  readonly id: string;
  readonly schema: RJSFSchema;
  readonly value: FormValues;
  readonly onChange: (value: FormValues, valid: boolean) => void;
  /** Called with valid values only. */
  readonly onSubmit: (value: FormValues) => void;
  /** Server errors: a field path such as `a.b.0` and a message. Shown at the fields. */
  readonly serverErrors?: readonly { readonly field: string; readonly message: string }[];
  readonly disabled?: boolean;
}

const validator = new EvalFreeValidator<FormValues>();

function serverErrorSchema(errors: SchemaFormProps['serverErrors']): ErrorSchema<FormValues> | undefined {
  if (errors === undefined || errors.length === 0) return undefined;
  const root: Record<string, unknown> = {};
  for (const { field, message } of errors) {
    let at = root;
    for (const part of field.split('.').filter((name) => name !== '')) at = (at[part] ??= {}) as Record<string, unknown>;
    at['__errors'] = [...((at['__errors'] as string[] | undefined) ?? []), message];
  }
  return root as ErrorSchema<FormValues>;
}

/** Lists of strings are chips instead of rows, unless they have a hint or an enumeration. */
function withTextLists(schema: RJSFSchema, ui: UiSchema): UiSchema {
  const result: UiSchema = { ...ui };
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    if (typeof part !== 'object') continue;
    const items = part.items;
    const words =
      part.type === 'array' && typeof items === 'object' && !Array.isArray(items) && items.type === 'string' && items.enum === undefined;
    const inner = (result[name] ?? {}) as UiSchema;
    if (words && inner['ui:widget'] === undefined) result[name] = { ...inner, 'ui:widget': 'words' };
    else if (part.properties !== undefined) result[name] = withTextLists(part as RJSFSchema, inner);
  }
  return result;
}

/** Focuses the field of the first error. */
function focusFirstError(form: HTMLElement | null, error: RJSFValidationError | undefined): void {
  const id = error?.property === undefined ? null : `root${error.property.replaceAll('.', '_')}`;
  const field = id === null ? null : form?.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
  (field ?? form?.querySelector<HTMLElement>('[aria-invalid="true"]'))?.focus();
}

export function SchemaForm({ id, schema, value, onChange, onSubmit, serverErrors, disabled = false }: SchemaFormProps) {
  const { t } = useTranslation('forms');
  const box = useRef<HTMLDivElement>(null);
  const [errors, setErrors] = useState<readonly RJSFValidationError[]>([]);
  const prepared = useMemo(() => prepareSchema(schema), [schema]);
  const uiSchema = useMemo<UiSchema>(
    () => ({ ...withTextLists(prepared, buildUiSchema(prepared)), 'ui:submitButtonOptions': { norender: true } }),
    [prepared],
  );
  const data = useMemo(() => withoutNulls(value), [value]);
  const extraErrors = useMemo(() => serverErrorSchema(serverErrors), [serverErrors]);
  const change = (event: IChangeEvent<FormValues>) => {
    const next = event.formData ?? {};
    onChange(next, validator.isValid(prepared, next, prepared));
    setErrors((known) => (known.length > 0 ? event.errors : known));
  };
  return (
    <div ref={box} className={styles['form']}>
      <MuiRoot>
        <Form<FormValues>
          id={id}
          schema={prepared}
          uiSchema={uiSchema}
          validator={validator}
          formData={data}
          widgets={WIDGETS}
          templates={TEMPLATES}
          noHtml5Validate
          liveValidate="onBlur"
          showErrorList={false}
          disabled={disabled}
          transformErrors={(found) => translateErrors(found, t)}
          {...(extraErrors !== undefined && { extraErrors })}
          onChange={change}
          onSubmit={(event) => {
            setErrors([]);
            onSubmit(event.formData ?? {});
          }}
          onError={(found) => {
            setErrors(found);
            focusFirstError(box.current, found[0]);
          }}
        >
          <></>
        </Form>
      </MuiRoot>
      {errors.length > 0 && (
        <p role="alert" className={styles['error']}>
          <button type="button" className={styles['reset']} onClick={() => focusFirstError(box.current, errors[0])}>
            {t('errorCount', { count: errors.length })}
          </button>
        </p>
      )}
    </div>
  );
}
