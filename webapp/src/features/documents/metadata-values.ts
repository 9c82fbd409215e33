/** Metadata as it is typed: what kind a value is, and back. */

export const KINDS = ['text', 'number', 'yesno', 'date', 'list'] as const;
export type MetadataKind = (typeof KINDS)[number];
export type MetadataValue = string | number | boolean | (string | number | boolean)[];

const DAY = /^\d{4}-\d{2}-\d{2}$/u;

export function metadataKindOf(value: unknown): MetadataKind {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'yesno';
  return typeof value === 'string' && DAY.test(value) ? 'date' : 'text';
}

/** Values that the form can change without losing a part of them. */
export function isEditableValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
  return typeof value !== 'object' || value === null;
}

/** One line per value of a list. */
export function valueAsText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(String).join('\n') : String(value as string | number | boolean);
}

const parseNumber = (text: string): number | undefined => {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
};

/** A list keeps the types of the values it had. */
function parseList(text: string, before: unknown): MetadataValue {
  const known = new Map((Array.isArray(before) ? (before as (string | number | boolean)[]) : []).map((one) => [String(one), one]));
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => known.get(line) ?? line);
}

/** The value that is meant; undefined when what is typed is none of the kind. */
export function parseMetadataValue(kind: MetadataKind, text: string, before?: unknown): MetadataValue | undefined {
  if (kind === 'number') return parseNumber(text);
  if (kind === 'yesno') return text === 'true';
  if (kind === 'date') return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
  const value = kind === 'list' ? parseList(text, before) : text.trim();
  return value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value;
}
