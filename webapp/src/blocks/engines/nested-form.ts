/**
 * A field may contain the parameters of another component that a second field names, such as the learner of a suggester. The form of that
 * component is drawn in its place.
 */
type Schema = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, unknown>>;

export interface NestedComponent {
  /** The field with the name of the component. */
  readonly name: string;
  /** The field with its parameters. */
  readonly parameters: string;
}

const propertiesOf = (schema: Schema) => (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;

/** The learner that a form asks for; undefined when it asks for none. */
export function nestedLearnerOf(schema: Schema): NestedComponent | undefined {
  const properties = propertiesOf(schema);
  for (const [parameters, field] of Object.entries(properties)) {
    const name = field['x-parameters-of'];
    if (typeof name === 'string' && properties[name]?.['x-widget'] === 'learner') return { name, parameters };
  }
  return undefined;
}

/**
 * The schema with the form `inner` of the chosen component; its title and help stay those of the field. The choice is drawn beside the form,
 * because a form library cannot change its schema while one of its fields changes.
 */
export function withNestedForm(schema: Schema, { name, parameters }: NestedComponent, inner: Schema | undefined): Schema {
  const { [name]: _choice, ...properties } = propertiesOf(schema);
  const { title, description } = properties[parameters] ?? {};
  const { description: _inner, ...form } = inner ?? { type: 'object', properties: {} };
  const required = (schema['required'] ?? []) as readonly string[];
  return {
    ...schema,
    required: required.filter((field) => field !== name),
    properties: { ...properties, [parameters]: { ...form, title, ...(description !== undefined && { description }) } },
  };
}

/**
 * The values with another component: its parameters are those that were entered for it before, else its defaults. `kept` holds what was
 * entered for each.
 */
export function withComponent(
  values: Values,
  chosen: string,
  { name, parameters }: NestedComponent,
  kept: Map<unknown, unknown>,
): Record<string, unknown> {
  kept.set(values[name], values[parameters]);
  return { ...values, [name]: chosen, [parameters]: kept.get(chosen) ?? {} };
}
