/** The parameters of an engine as a form; those of the learner that it names are a part of it. */
import { useMemo, useState } from 'react';
import type { EngineForm } from '@/api/resources/components';
import { SchemaForm, type FormValues } from '@/forms/schema-form';
import { SelectInput } from '@/ui/choice-inputs';
import { Skeleton } from '@/ui/placeholder-states';
import { nestedLearnerOf, withComponent, withNestedForm } from './nested-form';
import { useEngineForms } from './use-engine-forms';

interface LearnerChoice {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  readonly chosen: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/**
 * The form of an engine, with that of the chosen learner in it where it asks for one; null until both are known. A learner that needs no
 * labels is not offered.
 */
function useNestedForm(project: string, form: EngineForm, values: FormValues) {
  const nested = useMemo(() => nestedLearnerOf(form.schema), [form.schema]);
  const learners = useEngineForms(nested === undefined ? '' : project, 'learner');
  const chosen = nested === undefined ? '' : String(values[nested.name] ?? form.defaults[nested.name] ?? '');
  const inner = learners.get(chosen)?.schema;
  const schema = useMemo(
    () => (nested === undefined ? form.schema : withNestedForm(form.schema, nested, inner)),
    [form.schema, nested, inner],
  );
  if (nested === undefined) return { nested, schema, learner: undefined };
  const fields = form.schema['properties'] as Readonly<Record<string, { readonly title?: string; readonly description?: string }>>;
  const offered = [...learners].filter(([name, { needsLabels }]) => needsLabels !== false || name === chosen);
  const options = offered.map(([value, { title }]) => ({ value, label: title }));
  if (!learners.has(chosen)) options.push({ value: chosen, label: chosen });
  const field = fields[nested.name];
  const learner: LearnerChoice = { name: nested.name, title: field?.title ?? nested.name, help: field?.description ?? '', chosen, options };
  return { nested, schema: learners.size === 0 ? null : schema, learner };
}

/** The values of the fields that are drawn as a form: the choice of the learner stands beside it. */
const withoutField = (values: FormValues, name: string | undefined): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([field]) => field !== name));

interface Props {
  /** Of the form, for the button that submits it. */
  readonly id: string;
  readonly project: string;
  readonly form: EngineForm;
  readonly values: FormValues;
  readonly onChange: (values: FormValues) => void;
  readonly onSubmit: (values: FormValues) => void;
  readonly faults: readonly { readonly field: string; readonly message: string }[];
  readonly disabled: boolean;
}

export function EngineParameters({ id, project, form, values, onChange, onSubmit, faults, disabled }: Props) {
  const { schema, nested, learner } = useNestedForm(project, form, values);
  const [kept] = useState(() => new Map<unknown, unknown>());
  const shown = useMemo(() => withoutField(values, nested?.name), [values, nested]);
  const choice = learner === undefined ? {} : { [learner.name]: learner.chosen };
  if (schema === null) return <Skeleton rows={4} rowHeight={56} />;
  return (
    <>
      {nested !== undefined && learner !== undefined && (
        <SelectInput
          label={learner.title}
          help={learner.help}
          error={faults.find(({ field }) => field === learner.name)?.message}
          value={learner.chosen}
          options={learner.options}
          onChange={(name) => onChange(withComponent({ ...values, ...choice }, name, nested, kept))}
          disabled={disabled}
        />
      )}
      <SchemaForm
        key={learner?.chosen ?? ''}
        id={id}
        schema={schema}
        value={shown}
        onChange={(next) => onChange({ ...next, ...choice })}
        onSubmit={(parameters) => onSubmit({ ...parameters, ...choice })}
        serverErrors={faults}
        disabled={disabled}
      />
    </>
  );
}
