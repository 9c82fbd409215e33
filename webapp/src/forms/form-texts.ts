/** What a component's form says of its fields: titles of fields and choices, and which fields have an effect. */
interface Choice {
  readonly const?: unknown;
  readonly title?: string;
}
interface FieldSchema {
  readonly title?: string;
  readonly oneOf?: readonly Choice[];
  /** Other fields with the values for which this one has an effect. */
  readonly 'x-applies-when'?: Readonly<Record<string, readonly unknown[]>>;
  readonly default?: unknown;
}

const fieldSchema = (schema: Readonly<Record<string, unknown>> | undefined, name: string): FieldSchema | undefined =>
  (schema?.['properties'] as Record<string, FieldSchema> | undefined)?.[name];

/** The title of a field; undefined when the form does not know it. */
export const fieldTitle = (schema: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined =>
  fieldSchema(schema, name)?.title;

/** The title of a chosen value; undefined when the field has no titled choices. */
export const choiceTitle = (schema: Readonly<Record<string, unknown>> | undefined, name: string, value: unknown): string | undefined =>
  fieldSchema(schema, name)?.oneOf?.find((choice) => choice.const === value)?.title;

/** Whether a field has an effect with these values: `x-applies-when` names the values of other fields that it needs. */
export function fieldApplies(
  schema: Readonly<Record<string, unknown>> | undefined,
  name: string,
  values: Readonly<Record<string, unknown>>,
): boolean {
  const needed = Object.entries(fieldSchema(schema, name)?.['x-applies-when'] ?? {});
  return needed.every(([other, allowed]) => allowed.includes(values[other] ?? fieldSchema(schema, other)?.default));
}
