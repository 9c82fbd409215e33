/**
 * Translates messages of the server. The server sends English text and, in `said`, a code and values for each message, by the name of its
 * field; the catalogue `messages` has the translations. A message without a code, or with one the catalogue does not know (a server or
 * component of another version), is shown unchanged.
 */
import i18next from 'i18next';

interface Message {
  readonly code: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** English text, where the message is a value of another one. */
  readonly text?: string;
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Message).code === 'string' &&
  typeof (value as Message).values === 'object';

function textOfValue(value: unknown): unknown {
  return isMessage(value) ? translate(value, value.text ?? '') : value;
}

function translate({ code, values }: Message, english: string): string {
  if (code === 'joined') {
    const parts = Array.isArray(values['parts']) ? values['parts'] : [];
    return parts.map((part) => String(textOfValue(part))).join(String(values['separator'] ?? ', '));
  }
  const plain = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOfValue(value)]));
  return i18next.t(`messages:${code}`, { ...plain, defaultValue: english });
}

/** The code of the message of a field, to be used in conditions; undefined where the server sent none. */
export function messageCodeOf(from: { readonly said?: unknown }, field: string): string | undefined {
  const said = (from.said as Readonly<Record<string, unknown>> | null | undefined)?.[field];
  return isMessage(said) ? said.code : undefined;
}

/** The translated message of a field: `translatedMessageOf(job, 'statusMessage')`; undefined where the field is absent. */
export function translatedMessageOf<Field extends string>(
  from: { readonly [name in Field]?: string | null | undefined } & { readonly said?: unknown },
  field: Field,
): string | undefined {
  const english = from[field] ?? undefined;
  const said = (from.said as Readonly<Record<string, unknown>> | null | undefined)?.[field];
  return english !== undefined && isMessage(said) ? translate(said, english) : english;
}
