/**
 * Sentences of the server in the reader's language. The server writes English, and beside it `said`: code and values
 * of each sentence by the name of its field; the catalogue `said` has them in both languages. What has no code, or one
 * the catalogue does not know (a server or a component of another version), is shown as it came.
 */
import i18next from 'i18next';

interface Sentence {
  readonly code: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** English, where the sentence is a value of another. */
  readonly text?: string;
}

const isSentence = (value: unknown): value is Sentence =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Sentence).code === 'string' &&
  typeof (value as Sentence).values === 'object';

function words(value: unknown): unknown {
  return isSentence(value) ? translate(value, value.text ?? '') : value;
}

function translate({ code, values }: Sentence, english: string): string {
  if (code === 'joined') {
    const parts = Array.isArray(values['parts']) ? values['parts'] : [];
    return parts.map((part) => String(words(part))).join(String(values['separator'] ?? ', '));
  }
  const plain = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, words(value)]));
  return i18next.t(`said:${code}`, { ...plain, defaultValue: english });
}

/** What a field of an answer says: `saidOf(job, 'statusMessage')`; undefined where the field is absent. */
export function saidOf<Field extends string>(
  from: { readonly [name in Field]?: string | null | undefined } & { readonly said?: unknown },
  field: Field,
): string | undefined {
  const english = from[field] ?? undefined;
  const said = (from.said as Readonly<Record<string, unknown>> | null | undefined)?.[field];
  return english !== undefined && isSentence(said) ? translate(said, english) : english;
}
