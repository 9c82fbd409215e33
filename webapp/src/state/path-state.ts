/**
 * parameters in paths are URL-safe base64 (no padding) of a JSON object with only the values that differ from the defaults. Text
 * that cannot be parsed means the defaults: a broken link opens the screen rather than an error.
 */
type Dictionary = Readonly<Record<string, unknown>>;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Empty string when nothing differs from the defaults. */
export function encodePathState<T extends object>(state: Partial<T>, defaults: T): string {
  const reference = defaults as Dictionary;
  const entries = Object.entries(state).filter(([key, value]) => value !== undefined && !same(value, reference[key]));
  if (entries.length === 0) return '';
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function decodeObject(text: string): Dictionary | null {
  try {
    const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Dictionary) : null;
  } catch {
    return null;
  }
}

const sameKind = (value: unknown, reference: unknown): boolean =>
  reference === undefined ||
  reference === null ||
  value === null ||
  (typeof value === typeof reference && Array.isArray(value) === Array.isArray(reference));

/** Keys unknown to `defaults`, or of another type than there, are ignored. */
export function decodePathState<T extends object>(text: string | undefined, defaults: T): T {
  const found = text === undefined || text === '' ? null : decodeObject(text);
  if (found === null) return defaults;
  const reference = defaults as Dictionary;
  const kept = Object.entries(found).filter(([key, value]) => key in reference && sameKind(value, reference[key]));
  return { ...defaults, ...Object.fromEntries(kept) };
}

/** `/explore` + state -> `/explore/eyJ...`, or `/explore` when the state is the default one. */
export function pathWithState<T extends object>(path: string, state: Partial<T>, defaults: T): string {
  const encoded = encodePathState(state, defaults);
  return encoded === '' ? path : `${path}/${encoded}`;
}
