import { describe, expect, it } from 'vitest';
import { defaultLocale } from '@/app/i18n';
import { NAVIGATION, ROUTES } from '@/app/routes';

type Words = { readonly [key: string]: string | Words };
const files = import.meta.glob<Words>('./*/*.json', { import: 'default', eager: true });

const flat = (words: Words, prefix = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  );
/** French has a plural for millions (`_many`); English never asks for it. */
const keysOf = (words: Words) =>
  flat(words)
    .map(([key]) => key)
    .filter((key) => !key.endsWith('_many'))
    .sort();
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}|<(\/?\w+)>/g)].map((match) => match[1] ?? match[2]).sort();
const namespaces = [...new Set(Object.keys(files).map((path) => path.split('/')[2] ?? ''))];
const words = (language: string, namespace: string) => files[`./${language}/${namespace}`] ?? {};

describe.each(namespaces)('catalogue %s', (namespace) => {
  it('has the same keys in both languages', () => expect(keysOf(words('fr', namespace))).toEqual(keysOf(words('en', namespace))));
  it('has the same placeholders', () => {
    const french = new Map(flat(words('fr', namespace)));
    for (const [key, text] of flat(words('en', namespace))) expect(placeholders(french.get(key) ?? ''), key).toEqual(placeholders(text));
  });
  it('follows the French typographic rules', () => {
    for (const [key, text] of flat(words('fr', namespace))) {
      expect(text, `${key}: narrow no-break space before : ; ! ?`).not.toMatch(/(^|[^\u202F:/]) ?[;!?](\s|$)|[^\u202F\d]:(\s|$)/u);
      expect(text, `${key}: French quotes`).not.toMatch(/["“”]/);
      expect(text, `${key}: no-break space inside quotes`).not.toMatch(/«(?!\u202F)|(?<!\u202F)»/u);
    }
  });
});

describe('words of the shell', () => {
  const shell = new Map(flat(words('en', 'shell.json')));
  it.each(ROUTES.map((row) => row.id))('route %s has a title (R-030)', (id) => expect(shell.get(`title.${id}`)).toBeTruthy());
  it.each(NAVIGATION.map((row) => row.route))('navigation entry %s has a name', (id) => expect(shell.get(`nav.${id}`)).toBeTruthy());
});

describe('default language (C-058)', () => {
  it.each([
    ['fr-CA', 'fr'],
    ['en-GB', 'en'],
    ['de-DE', 'en'],
    ['FR', 'fr'],
    [undefined, 'en'],
  ])('%s -> %s', (browser, locale) => expect(defaultLocale(browser)).toBe(locale));
});
