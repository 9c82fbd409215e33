/** Reads the properties of a term, which files of any origin have written: whatever has another shape is left out. */
import type { Term } from '@/api/resources/concepts';

/** In the order in which they are shown. */
export const FORM_TYPES = ['preferred', 'exact', 'alternative', 'narrow', 'broad', 'related', 'hidden'] as const;
export type FormType = (typeof FORM_TYPES)[number];

export interface TermForm {
  readonly form: string;
  readonly type: FormType;
}

/** The forms of a term in one language; empty: of any language. */
export interface FormsOfLanguage {
  readonly language: string;
  readonly forms: readonly TermForm[];
}

type Properties = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Properties => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '');

/** The texts of a list, or a single one; without empty ones. */
export const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text !== '');

const formType = (value: unknown): FormType => FORM_TYPES.find((type) => type === value) ?? 'alternative';

function statedForms({ properties }: Term): readonly (TermForm & { readonly language: string })[] {
  const complete = listOf(properties?.['forms'])
    .filter(isObject)
    .map((one) => ({ form: textOf(one['form']), language: textOf(one['language']), type: formType(one['type']) }))
    .filter(({ form }) => form !== '');
  if (complete.length > 0) return complete;
  return textsOf(properties?.['altForms']).map((form) => ({ form, language: '', type: 'alternative' as const }));
}

const FEW = 60;

/** All forms but the preferred one shown as the title, by language: that of the reader first, then by name. */
export function formsByLanguage(term: Term, language: string): readonly FormsOfLanguage[] {
  const groups = new Map<string, TermForm[]>();
  for (const { form, type, language: own } of statedForms(term)) {
    if (form === term.preferredForm && (own === '' || own === language)) continue;
    const group = groups.get(own) ?? [];
    if (!group.some((known) => known.form === form)) group.push({ form, type });
    groups.set(own, group);
  }
  const rank = (name: string): number => (name === language ? 0 : name === '' ? 1 : 2);
  const byType = (a: TermForm, b: TermForm): number => FORM_TYPES.indexOf(a.type) - FORM_TYPES.indexOf(b.type);
  return [...groups]
    .map(([name, forms]) => ({ language: name, forms: forms.sort(byType) }))
    .filter(({ forms }) => forms.length > 0)
    .sort((a, b) => rank(a.language) - rank(b.language) || a.language.localeCompare(b.language));
}

/** The first forms of a group, and how many more there are: a term can have a million of them. */
export function firstForms({ forms }: FormsOfLanguage): { readonly shown: readonly TermForm[]; readonly more: number } {
  return { shown: forms.slice(0, FEW), more: Math.max(0, forms.length - FEW) };
}

export const broaderOf = ({ properties }: Term): readonly string[] => textsOf(properties?.['broader']);
export const relatedOf = ({ properties }: Term): readonly string[] => textsOf(properties?.['related']);
export const isObsolete = ({ properties }: Term): boolean => properties?.['obsolete'] === true;

/** Shown elsewhere on the card, or of no use to a reader. */
const SHOWN_ELSEWHERE = new Set([
  ...['altForms', 'forms', 'definition', 'definitions', 'statements', 'broader', 'related', 'obsolete', 'matching'],
  ...['wikidataId', 'wikipediaExternalRef'],
]);

/** The further properties with their texts, in the order of the term. */
export function furtherProperties({ properties }: Term): readonly (readonly [name: string, texts: readonly string[]])[] {
  return Object.entries(properties ?? {})
    .filter(([name]) => !SHOWN_ELSEWHERE.has(name))
    .map(([name, value]) => [name, isObject(value) ? [JSON.stringify(value)] : textsOf(value)] as const)
    .filter(([, texts]) => texts.length > 0);
}
