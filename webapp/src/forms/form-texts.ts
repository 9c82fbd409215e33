/** The words of a component's form for what was chosen in it: titles of fields, titles of choices. */
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

/** The title of a field, undefined when the form does not know it. */
export const fieldTitle = (schema: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined =>
  fieldSchema(schema, name)?.title;

/** The title of the choice that a value is, undefined when the field is no list of choices with titles. */
export const choiceTitle = (schema: Readonly<Record<string, unknown>> | undefined, name: string, value: unknown): string | undefined =>
  fieldSchema(schema, name)?.oneOf?.find((choice) => choice.const === value)?.title;
