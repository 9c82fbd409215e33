/** Titles of fields and choices in a component's form. */
interface Choice {
  readonly const?: unknown;
  readonly title?: string;
}
interface FieldSchema {
  readonly title?: string;
  readonly oneOf?: readonly Choice[];
}

const fieldSchema = (schema: Readonly<Record<string, unknown>> | undefined, name: string): FieldSchema | undefined =>
  (schema?.['properties'] as Record<string, FieldSchema> | undefined)?.[name];

/** The title of a field; undefined when the form does not know it. */
export const fieldTitle = (schema: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined =>
  fieldSchema(schema, name)?.title;

/** The title of a chosen value; undefined when the field has no titled choices. */
export const choiceTitle = (schema: Readonly<Record<string, unknown>> | undefined, name: string, value: unknown): string | undefined =>
  fieldSchema(schema, name)?.oneOf?.find((choice) => choice.const === value)?.title;
