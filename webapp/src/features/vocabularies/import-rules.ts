/** Rules of the import of terms: the importer of a file, the name of a new lexicon, the columns of a table. */
import type { Converter } from '@/api/resources/components';

type Schema = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, unknown>>;

export const ARCHIVE = 'zip';

/** C-053: extensions of all importers, and archives; empty while they are unknown. */
export function acceptedExtensions(importers: readonly Converter[]): readonly string[] {
  if (importers.length === 0) return [];
  return [...new Set([...importers.flatMap(({ extensions }) => extensions), ARCHIVE])];
}

/** The importer that names the extension of a file earliest among its own; empty: the server chooses one, as for the files of an archive. */
export function proposedImporter(importers: readonly Converter[], fileName: string): string {
  const name = fileName.toLowerCase();
  const places = importers
    .map((importer) => ({ importer, place: importer.extensions.findIndex((one) => name.endsWith(`.${one.toLowerCase()}`)) }))
    .filter(({ place }) => place >= 0)
    .sort((a, b) => a.place - b.place);
  return places[0]?.importer.name ?? '';
}

/** The name of a file without its extensions, with spaces. */
export function labelOfFile(fileName: string): string {
  const stem = fileName.replace(/(\.[a-z0-9]{1,8}){1,2}$/iu, '');
  return (stem === '' ? fileName : stem).replace(/[_\s]+/gu, ' ').trim();
}

/** A parameter that names one column of a table, or several. */
export interface ColumnField {
  readonly name: string;
  readonly title: string;
  readonly many: boolean;
}

const COLUMN_NAME = /_columns?$/u;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The type of a property, also of an optional one. */
function typeOf(property: Schema): unknown {
  const branches = Array.isArray(property['anyOf']) ? (property['anyOf'] as unknown[]) : [property];
  return branches.filter(isSchema).find(({ type }) => type !== 'null')?.['type'];
}

/** The parameters that name columns, which are set at the columns themselves, and the form without them. */
export function splitColumnFields(schema: Schema): { readonly fields: readonly ColumnField[]; readonly rest: Schema } {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const fields: ColumnField[] = [];
  const others: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const type = isSchema(property) ? typeOf(property) : undefined;
    if (isSchema(property) && COLUMN_NAME.test(name) && (type === 'string' || type === 'array'))
      fields.push({ name, title: typeof property['title'] === 'string' ? property['title'] : name, many: type === 'array' });
    else others[name] = property;
  }
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]).filter((name) => String(name) in others) : [];
  return { fields, rest: { ...schema, properties: others, required } };
}

const columnsOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' && value !== '' ? [value] : [];
};

/** The values with the columns that the importer chose itself where none is given. */
export function withSelectedColumns(
  fields: readonly ColumnField[],
  values: Values,
  mapping: Readonly<Record<string, readonly string[]>>,
): Values {
  const next: Record<string, unknown> = { ...values };
  for (const { name, many } of fields) {
    const columns = mapping[name] ?? [];
    if (columnsOf(values[name]).length === 0 && columns.length > 0) next[name] = many ? columns : columns[0];
  }
  return next;
}

/** The parameter that a column is read for; empty for none. */
export const fieldOfColumn = (fields: readonly ColumnField[], values: Values, column: string): string =>
  fields.find(({ name }) => columnsOf(values[name]).includes(column))?.name ?? '';

/** The values once a column is read for another parameter; a parameter that names one column forgets its former one. */
export function withColumn(fields: readonly ColumnField[], values: Values, column: string, field: string): Values {
  const next: Record<string, unknown> = { ...values };
  for (const { name, many } of fields) {
    const known = columnsOf(values[name]);
    const others = known.filter((one) => one !== column);
    if (name === field) next[name] = many ? [...others, column] : column;
    else if (others.length < known.length) next[name] = many ? others : '';
  }
  return next;
}

/** The values that differ from the defaults: only they are sent. */
export function changedParameters(values: Values, defaults: Values): Values {
  const same = (name: string) => JSON.stringify(values[name] ?? null) === JSON.stringify(defaults[name] ?? null);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !same(name)));
}
