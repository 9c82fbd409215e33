/** Converts metadata values to form input and back, by their kind. */

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

/** Whether the form can change the value without losing parts of it. */
export function isEditableValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
  return typeof value !== 'object' || value === null;
}

/** Lists have one line per value. */
export function valueAsText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(String).join('\n') : String(value as string | number | boolean);
}

const parseNumber = (text: string): number | undefined => {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
};

/** List items keep the types of the previous values. */
function parseList(text: string, before: unknown): MetadataValue {
  const known = new Map((Array.isArray(before) ? (before as (string | number | boolean)[]) : []).map((one) => [String(one), one]));
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => known.get(line) ?? line);
}

/** The parsed value; undefined when the input is invalid for the kind. */
export function parseMetadataValue(kind: MetadataKind, text: string, before?: unknown): MetadataValue | undefined {
  if (kind === 'number') return parseNumber(text);
  if (kind === 'yesno') return text === 'true';
  if (kind === 'date') return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
  const value = kind === 'list' ? parseList(text, before) : text.trim();
  return value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value;
}
