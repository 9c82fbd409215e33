// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { FIRST_NAMESPACES, defaultLocale } from '@/app/i18n';
import { NAVIGATION, ROUTES } from '@/app/routes';

type Catalogue = { readonly [key: string]: string | Catalogue };
const files = import.meta.glob<Catalogue>('./*/*.json', { import: 'default', eager: true });

const flat = (catalogue: Catalogue, prefix = ''): [string, string][] =>
  Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  );
const PLURAL = /_(one|other|many)$/;
/**
 * French has a plural for millions (`_many`); English never asks for it. Messages of the server have an English singular only where the
 * code writes one, and plurals in French wherever a number changes the sentence.
 */
const keysOf = (catalogue: Catalogue, namespace: string) => {
  const keys = flat(catalogue).map(([key]) => key);
  if (namespace === 'messages.json') return [...new Set(keys.map((key) => key.replace(PLURAL, '')))].sort();
  return keys.filter((key) => !key.endsWith('_many')).sort();
};
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}|<(\/?\w+)>/g)].map((match) => match[1] ?? match[2]).sort();
const namespaces = [...new Set(Object.keys(files).map((path) => path.split('/')[2] ?? ''))];
const catalogue = (language: string, namespace: string) => files[`./${language}/${namespace}`] ?? {};

describe.each(namespaces)('catalogue %s', (namespace) => {
  it('has the same keys in both languages', () => {
    expect(keysOf(catalogue('fr', namespace), namespace)).toEqual(keysOf(catalogue('en', namespace), namespace));
  });
  it('has the same placeholders', () => {
    const english = new Map(flat(catalogue('en', namespace)));
    for (const [key, text] of flat(catalogue('fr', namespace))) {
      const base = key.replace(PLURAL, '');
      const source = english.get(key) ?? english.get(`${base}_other`) ?? english.get(base) ?? '';
      expect(placeholders(text), key).toEqual(placeholders(source));
    }
  });
  it('has a general form beside each singular', () => {
    for (const language of ['en', 'fr']) {
      const keys = new Set(flat(catalogue(language, namespace)).map(([key]) => key));
      for (const key of keys) if (key.endsWith('_one')) expect(keys).toContain(key.replace(/_one$/, '_other'));
    }
  });
  it('follows the French typographic rules', () => {
    for (const [key, text] of flat(catalogue('fr', namespace))) {
      expect(text, `${key}: narrow no-break space before : ; ! ?`).not.toMatch(/(^|[^\u202F:/]) ?[;!?](\s|$)|[^\u202F\d]:(\s|$)/u);
      expect(text, `${key}: typographic apostrophe`).not.toMatch(/\p{L}'/u);
      expect(text, `${key}: French quotes`).not.toMatch(/["“”]/);
      expect(text, `${key}: no-break space inside quotes`).not.toMatch(/«(?!\u202F)|(?<!\u202F)»/u);
    }
  });
});

describe('texts of the shell', () => {
  const shell = new Map(flat(catalogue('en', 'shell.json')));
  it.each(ROUTES.map((row) => row.id))('route %s has a title (R-030)', (id) => expect(shell.get(`title.${id}`)).toBeTruthy());
  it.each(NAVIGATION.map((row) => row.route))('navigation entry %s has a name', (id) => expect(shell.get(`nav.${id}`)).toBeTruthy());
});

describe('catalogues read at the start', () => {
  it.each(FIRST_NAMESPACES)('%s is there', (name) => expect(namespaces).toContain(`${name}.json`));
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
