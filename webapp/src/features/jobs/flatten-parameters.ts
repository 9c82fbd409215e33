/** Parts whose options are labelled with it (B-004). */
const PARTS = ['train', 'suggest'] as const;
export type ParameterPart = (typeof PARTS)[number];

export type FlatValue = string | number | boolean | readonly (string | number | boolean)[];

export interface FlatParameter {
  /** Names of nested objects are joined by dots: `converters.csv.delimiter`. */
  readonly name: string;
  readonly part: ParameterPart | null;
  readonly value: FlatValue;
}

const isScalar = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);

function flattenValue(value: unknown, name: string, part: ParameterPart | null): FlatParameter[] {
  if (value === null || value === undefined || value === '') return [];
  if (isScalar(value)) return [{ name, part, value }];
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    return value.every(isScalar)
      ? [{ name, part, value }]
      : value.flatMap((one, index) => flattenValue(one, name === '' ? String(index + 1) : `${name}.${index + 1}`, part));
  }
  return Object.entries(value).flatMap(([key, inner]) => flattenValue(inner, name === '' ? key : `${name}.${key}`, part));
}

/** One entry per parameter, in the original order; empty values are left out. */
export function flattenParameters(parameters: Readonly<Record<string, unknown>>): FlatParameter[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    const part = PARTS.find((one) => one === name);
    return part === undefined || isScalar(value) ? flattenValue(value, name, null) : flattenValue(value, '', part);
  });
}
