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

export interface ComponentChoice {
  readonly value: string;
  readonly label: string;
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

/** The schema with a choice of components, and with the form `inner` of the chosen one; its name and help stay those of the field. */
export function withNestedForm(
  schema: Schema,
  { name, parameters }: NestedComponent,
  choices: readonly ComponentChoice[],
  inner: Schema | undefined,
): Schema {
  const properties = propertiesOf(schema);
  const { 'x-widget': _widget, ...naming } = properties[name] ?? {};
  const { title, description } = properties[parameters] ?? {};
  const { description: _inner, ...form } = inner ?? { type: 'object', properties: {} };
  return {
    ...schema,
    properties: {
      ...properties,
      [name]: { ...naming, oneOf: choices.map(({ value, label }) => ({ const: value, title: label })) },
      [parameters]: { ...form, title, ...(description !== undefined && { description }) },
    },
  };
}

/**
 * The values after a change: another component starts with what was entered for it before, else with its defaults. `kept` holds what was
 * entered for each.
 */
export function afterComponentChange(
  before: Values,
  after: Values,
  { name, parameters }: NestedComponent,
  kept: Map<unknown, unknown>,
): Record<string, unknown> {
  if (before[name] === after[name]) return { ...after };
  kept.set(before[name], before[parameters]);
  return { ...after, [parameters]: kept.get(after[name]) ?? {} };
}
