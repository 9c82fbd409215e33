import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { annotatorsQuery, ANNOTATOR_TYPES } from '@/api/resources/annotators';
import { planComponentsQuery, planFormQuery, type StepKind } from '@/api/resources/plans';
import { SelectInput, type Option } from '@/ui/choice-inputs';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { SchemaForm, type FormValues } from '@/forms/schema-form';
import { errorsOfPart, type FieldError, type ComponentDraft } from './plan-rules';
import styles from './plans.module.css';

export interface ComponentFieldsProps {
  readonly project: string;
  readonly kind: StepKind;
  readonly part: ComponentDraft;
  readonly onChange: (part: ComponentDraft) => void;
  /** Field paths relative to the part: `name`, `parameters.pattern`. */
  readonly errors: readonly FieldError[];
  readonly disabled: boolean;
  readonly label?: string;
  /** Label of the entry for no component. */
  readonly none?: string;
  /** Project of the annotator. */
  readonly source?: string;
}

/** Trained annotators of a project; without plans, which cannot be parts of plans. */
function useTrainedAnnotators(source: string, wanted: boolean): readonly Option[] {
  const { t } = useTranslation('annotate');
  const { data } = useQuery({ ...annotatorsQuery(wanted ? source : ''), meta: { silent: true } });
  return ANNOTATOR_TYPES.filter((type) => type !== 'plan').flatMap((type) =>
    (data?.[type] ?? []).map(({ name, label }) => ({ value: name, label: `${label} (${t(`type.${type}`)})` })),
  );
}

/** The form of a component, generated from its schema. */
function ComponentParameters({ project, kind, part, onChange, errors, disabled }: ComponentFieldsProps) {
  const { t, i18n } = useTranslation('plans');
  const id = useId();
  const form = useQuery(planFormQuery(project, kind, part.name, i18n.language));
  if (form.error !== null)
    return <ErrorState title={t('errors:error.getEngineParams')} error={form.error} onRetry={() => void form.refetch()} />;
  if (form.data === undefined) return <Skeleton rows={2} rowHeight={56} />;
  const { schema, defaults } = form.data;
  if (Object.keys((schema['properties'] as object | undefined) ?? {}).length === 0)
    return <p className={styles['quiet']}>{t('nothingToSet')}</p>;
  return (
    <SchemaForm
      id={id}
      schema={schema}
      value={{ ...defaults, ...part.parameters } as FormValues}
      onChange={(parameters) => onChange({ ...part, parameters })}
      onSubmit={() => undefined}
      serverErrors={errorsOfPart(errors, 'parameters')}
      disabled={disabled}
    />
  );
}

/** Includes the chosen component, even if it is not installed. */
function componentOptions(found: readonly Option[], name: string, none: string | undefined): readonly Option[] {
  const known = name === '' || found.some(({ value }) => value === name);
  return [...(none === undefined ? [] : [{ value: '', label: none }]), ...found, ...(known ? [] : [{ value: name, label: name }])];
}

/** The component and its parameters (S-053). */
export function ComponentFields(props: ComponentFieldsProps) {
  const { project, kind, part, onChange, errors, disabled, label, none, source = project } = props;
  const { t, i18n } = useTranslation('plans');
  const annotators = useTrainedAnnotators(source, kind === 'annotator');
  const { data: installed = [] } = useQuery(planComponentsQuery(project, kind, i18n.language));
  const components = installed.filter(({ state }) => state === undefined);
  const found: readonly Option[] = [...annotators, ...components.map(({ name, title }) => ({ value: name, label: title }))];
  const about = components.find(({ name }) => name === part.name);
  const wrong = errors.find(({ field }) => field === 'name')?.message;
  const trained = annotators.some(({ value }) => value === part.name) || (kind === 'annotator' && source !== project);
  return (
    <>
      <SelectInput
        label={label ?? t(`kind.${kind}`)}
        value={part.name}
        placeholder={t('choose')}
        options={componentOptions(found, part.name, none)}
        onChange={(name) => onChange({ name, parameters: {} })}
        disabled={disabled}
        error={wrong}
        help={found.length === 0 ? t(`noneOf.${kind}`) : about?.description}
      />
      {part.name !== '' && about !== undefined && !trained && <ComponentParameters key={part.name} {...props} />}
    </>
  );
}
