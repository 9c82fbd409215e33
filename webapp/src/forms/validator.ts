/**
 * A validator for RJSF that compiles no code, as the content security policy of the web app forbids `eval`, which the default one requires.
 * For schemas of pydantic (draft 2020-12). Validators are cached by schema identity: keep schema objects stable.
 */
import { Validator, type Schema } from '@cfworker/json-schema';
import {
  createErrorHandler,
  getDefaultFormState,
  toErrorSchema,
  unwrapErrorHandler,
  validationDataMerge,
  type CustomValidator,
  type ErrorTransformer,
  type RJSFSchema,
  type RJSFValidationError,
  type UiSchema,
  type ValidationData,
  type ValidatorType,
} from '@rjsf/utils';

/** Keywords that only report that something nested is invalid. */
const CONTAINERS = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'then',
  'else',
  'if',
  'dependentSchemas',
  'propertyNames',
  'false',
]);
const ALTERNATIVES = /\/(anyOf|oneOf|not)(\/|$)/;

interface Unit {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
  readonly error: string;
}

const unescapePointerSegment = (segment: string) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
const pointerSegments = (pointer: string) =>
  pointer
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(unescapePointerSegment);

type Tree = Readonly<Record<string, unknown>>;
const childValue = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Tree)[key] : undefined;

/** Resolves a keyword location through `$ref`s. */
export function schemaValueAt(root: RJSFSchema, location: string): unknown {
  return pointerSegments(location).reduce<unknown>((at, key) => {
    const next = childValue(at, key);
    if (key === '$ref' && typeof next === 'string') return pointerSegments(next).reduce<unknown>(childValue, root);
    return next;
  }, root);
}

function errorParams(unit: Unit, schema: RJSFSchema): Record<string, unknown> {
  if (unit.keyword === 'required') return { missingProperty: /"(.*)"/.exec(unit.error)?.[1] ?? '' };
  const value = schemaValueAt(schema, unit.keywordLocation);
  const parent = schemaValueAt(schema, unit.keywordLocation.slice(0, unit.keywordLocation.lastIndexOf('/')));
  return { limit: value, minimum: childValue(parent, 'minimum'), maximum: childValue(parent, 'maximum') };
}

function toRjsfError(unit: Unit, schema: RJSFSchema): RJSFValidationError {
  const params = errorParams(unit, schema);
  const path = pointerSegments(unit.instanceLocation);
  if (typeof params['missingProperty'] === 'string') path.push(params['missingProperty']);
  const property = path.map((part) => `.${part}`).join('');
  return {
    name: unit.keyword,
    property,
    message: unit.error,
    params,
    stack: `${property} ${unit.error}`.trim(),
    schemaPath: unit.keywordLocation,
  };
}

/** One error per problem: drops containers, and the branches of a failed alternative, which reports itself. */
function leafErrors(units: readonly Unit[]): Unit[] {
  const seen = new Set<string>();
  return units.filter((unit) => {
    const inside = unit.keywordLocation.replace(/\/[^/]+$/, '');
    if (CONTAINERS.has(unit.keyword) || ALTERNATIVES.test(inside)) return false;
    const key = `${unit.instanceLocation} ${unit.keyword} ${unit.error}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const byRoot = new WeakMap<object, WeakMap<object, Validator>>();

function cachedValidator(schema: RJSFSchema, root: RJSFSchema): Validator {
  let known = byRoot.get(root);
  if (known === undefined) byRoot.set(root, (known = new WeakMap()));
  let validator = known.get(schema);
  if (validator === undefined) {
    const definitions = schema === root ? {} : { $defs: root.$defs, definitions: root.definitions };
    validator = new Validator({ ...definitions, ...schema } as Schema, '2020-12', false);
    known.set(schema, validator);
  }
  return validator;
}

/** JSON has no `undefined`: empty form fields are absent. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : withoutUndefined(item)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, withoutUndefined(item)]),
  );
}

export class EvalFreeValidator<T> implements ValidatorType<T> {
  rawValidation<Result = RJSFValidationError>(schema: RJSFSchema, formData?: T): { errors?: Result[]; validationError?: Error } {
    try {
      const { errors } = cachedValidator(schema, schema).validate(formData === undefined ? {} : withoutUndefined(formData));
      return { errors: leafErrors(errors as Unit[]).map((unit) => toRjsfError(unit, schema)) as Result[] };
    } catch (error) {
      return { validationError: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  validateFormData(
    formData: T | undefined,
    schema: RJSFSchema,
    customValidate?: CustomValidator<T>,
    transformErrors?: ErrorTransformer<T>,
    uiSchema?: UiSchema<T>,
  ): ValidationData<T> {
    const { errors: raw = [], validationError } = this.rawValidation<RJSFValidationError>(schema, formData);
    const all =
      validationError === undefined
        ? raw
        : [...raw, { name: 'schema', property: '', message: validationError.message, stack: validationError.message }];
    const errors = transformErrors === undefined ? all : transformErrors(all, uiSchema);
    const result = { errors, errorSchema: toErrorSchema<T>(errors) };
    if (customValidate === undefined) return result;
    const filled = getDefaultFormState<T>(this, schema, formData, schema, true) as T;
    const handler = customValidate(filled, createErrorHandler<T>(filled), uiSchema);
    return validationDataMerge<T>(result, unwrapErrorHandler<T>(handler));
  }

  isValid(schema: RJSFSchema, formData: T | undefined, rootSchema: RJSFSchema): boolean {
    try {
      return cachedValidator(schema, rootSchema).validate(formData === undefined ? null : withoutUndefined(formData)).valid;
    } catch {
      return false;
    }
  }
}
