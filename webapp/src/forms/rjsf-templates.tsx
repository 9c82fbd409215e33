import { ChevronDown, ChevronRight, ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  FieldTemplateProps,
  ObjectFieldTemplateProps,
  RJSFSchema,
  TemplatesType,
} from '@rjsf/utils';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { IconButton } from '@/ui/icon-button';
import { fieldApplies } from './form-texts';
import { differsFromDefault } from './prepare-schema';
import styles from './forms.module.css';

const schemaType = (schema: RJSFSchema) => (Array.isArray(schema.type) ? schema.type[0] : schema.type);

function defaultAsText(value: unknown, t: (key: string) => string): string {
  if (typeof value === 'boolean') return t(value ? 'common:yes' : 'common:no');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Only where `Reset` can restore the default directly: plain values and lists. */
function DefaultHint({ props }: { readonly props: FieldTemplateProps }) {
  const { t } = useTranslation('forms');
  const standard = props.schema.default;
  if (schemaType(props.schema) === 'object' || props.readonly || props.disabled || !differsFromDefault(props.formData, standard))
    return null;
  return (
    <>
      {t('default', { value: defaultAsText(standard, t).slice(0, 40) || t('empty') })}{' '}
      <button type="button" className={styles['reset']} onClick={() => props.onChange(standard, props.fieldPathId.path)}>
        {t('reset')}
      </button>
    </>
  );
}

/** Alternatives that are titled values form one select; others are a subform each. */
const hasFormBranches = (branches: RJSFSchema['oneOf']) =>
  branches?.some((branch) => typeof branch !== 'object' || branch.const === undefined) === true;

function FieldTemplate(props: FieldTemplateProps) {
  const { id, label, children, hidden, required, rawErrors, rawDescription, schema, uiSchema, displayLabel } = props;
  if (hidden === true) return <div hidden>{children}</div>;
  const type = schemaType(schema);
  const error = rawErrors?.[0];
  const alone =
    type === 'object' ||
    (type === 'array' && displayLabel !== true && uiSchema?.['ui:widget'] === undefined) ||
    hasFormBranches(schema.oneOf) ||
    hasFormBranches(schema.anyOf);
  if (alone) return <>{children}</>;
  if (type === 'boolean') {
    return (
      <div className={styles['switch-line']}>
        {children}
        <span className={styles['default']}>
          <DefaultHint props={props} />
        </span>
      </div>
    );
  }
  return (
    <Field id={id} label={label} required={required === true} help={rawDescription} error={error} aside={<DefaultHint props={props} />}>
      {children}
    </Field>
  );
}

const isAdvanced = (schema: RJSFSchema, name: string) => {
  const part = schema.properties?.[name];
  return typeof part === 'object' && (part as Record<string, unknown>)['x-advanced'] === true;
};

function countChangedFields(schema: RJSFSchema, names: readonly string[], data: unknown): number {
  const values = (data ?? {}) as Record<string, unknown>;
  return names.filter((name) => {
    const part = schema.properties?.[name];
    return typeof part === 'object' && differsFromDefault(values[name], part.default);
  }).length;
}

function CollapsibleSection({
  title,
  badge,
  initially,
  children,
}: {
  readonly title: ReactNode;
  readonly badge?: ReactNode;
  readonly initially: boolean;
  readonly children: ReactNode;
}) {
  const [open, setOpen] = useState(initially);
  const Arrow = open ? ChevronDown : ChevronRight;
  return (
    <section className={styles['fold']}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Arrow size={14} aria-hidden />
        <span>{title}</span>
        {badge}
      </button>
      {/* Closed parts stay mounted: their values and errors live on. */}
      <div hidden={!open} className={styles['stack']}>
        {children}
      </div>
    </section>
  );
}

function ObjectFieldTemplate(props: ObjectFieldTemplateProps) {
  const { t } = useTranslation('forms');
  const { schema, properties, title, description, fieldPathId, formData, errorSchema } = props;
  const root = fieldPathId.path.length === 0;
  const errors = errorSchema as Record<string, unknown> | undefined;
  const values = (formData ?? {}) as Record<string, unknown>;
  // A field without effect is hidden, unless it must be corrected: its value is kept and still checked.
  const applying = properties.filter(({ name }) => fieldApplies(schema, name, values) || errors?.[name] !== undefined);
  const advanced = applying.filter((property) => isAdvanced(schema, property.name));
  const common = applying.filter((property) => !advanced.includes(property));
  const changed = countChangedFields(
    schema,
    advanced.map((property) => property.name),
    formData,
  );
  const faulty = advanced.some((property) => errors?.[property.name] !== undefined);
  const body = (
    <div className={styles['stack']}>
      {common.map((property) => (
        <div key={property.name}>{property.content}</div>
      ))}
      {advanced.length > 0 && (
        <CollapsibleSection
          key={String(faulty)}
          title={t('advanced')}
          initially={faulty}
          badge={changed > 0 && <Badge tone="primary">{t('changed', { count: changed })}</Badge>}
        >
          {advanced.map((property) => (
            <div key={property.name}>{property.content}</div>
          ))}
        </CollapsibleSection>
      )}
    </div>
  );
  if (root) return body;
  return (
    <fieldset className={styles['group']}>
      {title !== '' && <legend>{title}</legend>}
      {description !== undefined && description !== '' && <p className={styles['help']}>{description}</p>}
      {body}
    </fieldset>
  );
}

function ArrayFieldTemplate({ title, items, canAdd, onAddClick, schema, disabled, readonly, rawErrors }: ArrayFieldTemplateProps) {
  const { t } = useTranslation('forms');
  return (
    <fieldset className={styles['group']}>
      <legend>{title}</legend>
      {schema.description !== undefined && <p className={styles['help']}>{schema.description}</p>}
      {rawErrors?.[0] !== undefined && <p className={styles['error']}>{rawErrors[0]}</p>}
      <div className={styles['stack']}>{items}</div>
      {canAdd === true && (
        <Button small icon={Plus} disabled={disabled === true || readonly === true} onClick={onAddClick}>
          {t('addItem')}
        </Button>
      )}
    </fieldset>
  );
}

function ArrayFieldItemTemplate({ children, buttonsProps, index, disabled, readonly }: ArrayFieldItemTemplateProps) {
  const { t } = useTranslation('forms');
  const locked = disabled === true || readonly === true;
  const position = index + 1;
  return (
    <div className={styles['item']}>
      <div className={styles['item-body']}>{children}</div>
      <div className={styles['item-buttons']}>
        {buttonsProps.hasMoveUp && (
          <IconButton small label={t('moveUp', { position })} icon={ArrowUp} disabled={locked} onClick={buttonsProps.onMoveUpItem} />
        )}
        {buttonsProps.hasMoveDown && (
          <IconButton small label={t('moveDown', { position })} icon={ArrowDown} disabled={locked} onClick={buttonsProps.onMoveDownItem} />
        )}
        {buttonsProps.hasRemove && (
          <IconButton small label={t('removeItem', { position })} icon={Trash2} disabled={locked} onClick={buttonsProps.onRemoveItem} />
        )}
      </div>
    </div>
  );
}

export const TEMPLATES: Partial<Omit<TemplatesType, 'ButtonTemplates'>> = {
  FieldTemplate,
  ObjectFieldTemplate,
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
  ErrorListTemplate: () => null,
  MultiSchemaFieldTemplate: ({ selector, optionSchemaField }) => (
    <div className={styles['stack']}>
      {selector}
      {optionSchemaField}
    </div>
  ),
};
