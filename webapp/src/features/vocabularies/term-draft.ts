/** A term as the fields of its form, and back; properties without a field stay as they are. */
import type { LexiconTerm, TermDefinition, TermForm, TermProperties } from '@/api/resources/terms';

export interface TermDraft {
  readonly lexicon: string;
  readonly identifier: string;
  readonly preferredForm: string;
  /** One form a line; `form @fr` in a language. */
  readonly forms: string;
  /** One definition a line; `text @fr` in a language. */
  readonly definitions: string;
  /** Identifiers, one a line. */
  readonly broader: string;
  readonly related: string;
  readonly obsolete: boolean;
}

/** Types of forms that find a term, besides the preferred one. */
const MATCHING = new Set(['alternative', 'hidden', 'exact']);
const WITH_LANGUAGE = /^(.*\S)\s+@([a-z]{2,3}(?:-[a-z0-9]{2,8})*)$/iu;

export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** `text @fr` as a text and its language. */
export function readLine(line: string): { readonly text: string; readonly language?: string } {
  const match = WITH_LANGUAGE.exec(line);
  return match === null ? { text: line } : { text: match[1] ?? '', language: (match[2] ?? '').toLowerCase() };
}

const writeLine = (text: string, language: string | undefined): string => {
  const line = text.replace(/\s*\n\s*/gu, ' ');
  return language === undefined || language === '' ? line : `${line} @${language}`;
};

/** Forms of a term that find it; those of lexicons without types are its further forms. */
function matchingForms({ forms, altForms = [] }: TermProperties): readonly TermForm[] {
  const typed = (forms ?? []).filter(({ type }) => MATCHING.has(type));
  const known = new Set(typed.map(({ form }) => form));
  return [...typed, ...altForms.filter((form) => !known.has(form)).map((form): TermForm => ({ form, type: 'alternative' }))];
}

export const EMPTY_DRAFT: Omit<TermDraft, 'lexicon'> = {
  ...{ identifier: '', preferredForm: '', forms: '', definitions: '', broader: '', related: '', obsolete: false },
};

export function draftOf({ lexicon, identifier, preferredForm, properties }: LexiconTerm): TermDraft {
  const given = properties ?? {};
  // Forms in other languages than that of the preferred one are listed with the further ones.
  return {
    lexicon,
    identifier,
    preferredForm: preferredForm ?? '',
    forms: matchingForms(given)
      .filter(({ form }) => form !== preferredForm)
      .map(({ form, language }) => writeLine(form, language))
      .join('\n'),
    definitions: (given.definitions ?? []).map(({ text, language }) => writeLine(text, language)).join('\n'),
    broader: (given.broader ?? []).join('\n'),
    related: (given.related ?? []).join('\n'),
    obsolete: given.obsolete === true,
  };
}

const sameForm = (a: { readonly form: string; readonly language?: string }, b: typeof a) =>
  a.form === b.form && (a.language ?? '') === (b.language ?? '');

/** All forms of the term: those of the fields, and those without a field, such as preferred ones in other languages. */
function formsOf(draft: TermDraft, before: LexiconTerm | undefined): readonly TermForm[] {
  const known = before?.properties?.forms ?? [];
  const others = known.filter(({ type }) => !MATCHING.has(type));
  const renamed = others.map((one) =>
    one.type === 'preferred' && one.form === before?.preferredForm ? { ...one, form: draft.preferredForm.trim() } : one,
  );
  const typed = linesOf(draft.forms).map((line): TermForm => {
    const { text, ...language } = readLine(line);
    const form = { form: text, ...language };
    return known.find((one) => MATCHING.has(one.type) && sameForm(one, form)) ?? { ...form, type: 'alternative' };
  });
  const preferred = renamed.some(({ type }) => type === 'preferred')
    ? []
    : [{ form: draft.preferredForm.trim(), type: 'preferred' } as const];
  return [...preferred, ...renamed, ...typed];
}

/** The term to save. `before`: the one that is edited. */
export function termOf(draft: TermDraft, before: LexiconTerm | undefined): LexiconTerm {
  const preferredForm = draft.preferredForm.trim();
  const forms = formsOf(draft, before);
  const altForms = [...new Set(forms.filter(({ type }) => MATCHING.has(type) || type === 'preferred').map(({ form }) => form))].filter(
    (form) => form !== preferredForm,
  );
  const definitions = linesOf(draft.definitions).map((line): TermDefinition => readLine(line));
  const lists = { altForms, definitions, broader: linesOf(draft.broader), related: linesOf(draft.related) };
  const properties: Record<string, unknown> = { ...before?.properties, forms };
  for (const [name, list] of Object.entries(lists)) {
    if (list.length > 0) properties[name] = list;
    else delete properties[name];
  }
  if (draft.obsolete) properties['obsolete'] = true;
  else delete properties['obsolete'];
  return { lexicon: draft.lexicon, identifier: draft.identifier.trim(), preferredForm, properties };
}
