import type { RJSFValidationError } from '@rjsf/utils';
import type { TFunction } from 'i18next';

const KNOWN = new Set([
  'required',
  'type',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'enum',
  'const',
  'minItems',
  'maxItems',
  'uniqueItems',
  'anyOf',
  'oneOf',
]);
const RANGE = new Set(['minimum', 'maximum']);

function errorTextKey(error: RJSFValidationError): string {
  const name = error.name ?? '';
  const params = (error.params ?? {}) as Record<string, unknown>;
  if (RANGE.has(name) && params['minimum'] !== undefined && params['maximum'] !== undefined) return 'range';
  if (name === 'minLength' && params['limit'] === 1) return 'required';
  if (name === 'type') return `type_${String(params['limit'])}`;
  return KNOWN.has(name) ? name : 'other';
}

/** One sentence about the expected input, by keyword. */
export function translateErrors(errors: readonly RJSFValidationError[], t: TFunction): RJSFValidationError[] {
  return errors.map((error) => {
    const params = (error.params ?? {}) as Record<string, unknown>;
    const message = t([`forms:error.${errorTextKey(error)}`, 'forms:error.other'], {
      limit: String(params['limit']),
      minimum: String(params['minimum']),
      maximum: String(params['maximum']),
    });
    return { ...error, message, stack: message };
  });
}
