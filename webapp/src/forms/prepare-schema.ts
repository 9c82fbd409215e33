/** Prepares a component's parameter schema for the form: unwraps optionals, turns hints into a ui schema. */
import type { RJSFSchema, UiSchema } from '@rjsf/utils';

/** The supported hints; other values are ignored and the default input is used. */
export const HINTS = ['label', 'labels', 'color', 'code', 'password', 'textarea', 'slider', 'lexicons', 'gazetteers', 'reranker'] as const;
export type WidgetHint = (typeof HINTS)[number];

type Node = Record<string, unknown>;

const isSchemaNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNullSchema = (value: unknown) => isSchemaNode(value) && value['type'] === 'null';

/** `anyOf [X, null]` is an optional X; its default null then means no default. */
function unwrapOptional(node: Node): Node {
  const branches = node['anyOf'];
  if (!Array.isArray(branches) || !branches.some(isNullSchema)) return node;
  const others = branches.filter((branch) => !isNullSchema(branch)) as Node[];
  const { anyOf: _anyOf, default: given, ...rest } = node;
  const kept = given === null || given === undefined ? rest : { ...rest, default: given };
  return others.length === 1 ? { ...others[0], ...kept } : { ...kept, anyOf: others };
}

const SCHEMA_MAPS = new Set(['properties', '$defs', 'definitions', 'patternProperties']);

function unwrapAllOptionals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapAllOptionals);
  if (!isSchemaNode(value)) return value;
  const node = unwrapOptional(value);
  return Object.fromEntries(
    Object.entries(node).map(([key, inner]) => {
      if (SCHEMA_MAPS.has(key) && isSchemaNode(inner))
        return [key, Object.fromEntries(Object.entries(inner).map(([name, part]) => [name, unwrapAllOptionals(part)]))];
      if (['default', 'enum', 'const', 'examples', 'required'].includes(key)) return [key, inner];
      return [key, unwrapAllOptionals(inner)];
    }),
  );
}

/** Unwraps all optionals of the schema. Titles need no change: RJSF prefers the title of a field to that of a referenced enum. */
export function prepareSchema(schema: RJSFSchema): RJSFSchema {
  return unwrapAllOptionals(schema) as RJSFSchema;
}

function resolveReference(node: Node, root: Node): Node {
  const reference = node['$ref'];
  if (typeof reference !== 'string') return node;
  const found = reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, key) => (isSchemaNode(at) ? at[key] : undefined), root);
  return isSchemaNode(found) ? { ...found, ...node } : node;
}

/** Required first, then common, then advanced (visual design 6). */
function fieldOrder(node: Node): string[] {
  const properties = isSchemaNode(node['properties']) ? node['properties'] : {};
  const required = new Set(Array.isArray(node['required']) ? (node['required'] as string[]) : []);
  const rank = (name: string) => {
    const part = properties[name];
    if (isSchemaNode(part) && part['x-advanced'] === true) return 2;
    return required.has(name) ? 0 : 1;
  };
  return Object.keys(properties).sort((a, b) => rank(a) - rank(b));
}

const MAX_DEPTH = 12;

/** The ui schema of a prepared schema: widgets by hint, order, unit, advanced flag. */
export function buildUiSchema(schema: RJSFSchema, root: RJSFSchema = schema, depth = 0): UiSchema {
  const node = resolveReference(schema as Node, root as Node);
  const ui: UiSchema = {};
  const hint = node['x-widget'];
  if (typeof hint === 'string' && (HINTS as readonly string[]).includes(hint)) ui['ui:widget'] = hint;
  if (depth > MAX_DEPTH) return ui;
  if (isSchemaNode(node['properties'])) {
    ui['ui:order'] = [...fieldOrder(node), '*'];
    for (const [name, part] of Object.entries(node['properties'])) if (isSchemaNode(part)) ui[name] = buildUiSchema(part, root, depth + 1);
  }
  if (isSchemaNode(node['items']) && ui['ui:widget'] === undefined) ui['items'] = buildUiSchema(node['items'], root, depth + 1);
  return ui;
}

/** Stored parameters may contain null for an unset optional, for which the form needs absence. */
export function withoutNulls<T>(data: T): T {
  if (Array.isArray(data)) return data.map((item: unknown) => withoutNulls(item)) as T;
  if (!isSchemaNode(data)) return data;
  return Object.fromEntries(
    Object.entries(data)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([key, value]) => [key, withoutNulls(value)]),
  ) as T;
}

/** Whether a value differs from its declared default. */
export function differsFromDefault(value: unknown, standard: unknown): boolean {
  if (standard === undefined) return false;
  return JSON.stringify(value ?? null) !== JSON.stringify(standard ?? null);
}
