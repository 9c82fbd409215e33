// @vitest-environment node
/** The tour of README.md names controls as the English catalogue does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

type Catalogue = { readonly [key: string]: string | Catalogue };
const files = import.meta.glob<Catalogue>('./en/*.json', { import: 'default', eager: true });
const texts = (catalogue: Catalogue): string[] =>
  Object.values(catalogue).flatMap((text) => (typeof text === 'string' ? [text] : texts(text)));

/** Labels of the sample corpus. */
const SAMPLE = ['award'];
/** `Import 1 file`, `Export … documents` and `Import {{count}} file` have the same form. */
const withoutValues = (text: string) => text.replace(/\{\{[^}]*\}\}|\d+|…/gu, '#').trim();

it('every name in the tour is a text of the studio', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf-8');
  const tour = readme.slice(readme.indexOf('\n1. ', readme.indexOf('## Ten-minute tour')), readme.indexOf('Public corpora:'));
  const names = [...tour.matchAll(/\*{1,2}([^*]+)\*{1,2}/gu)].map((match) => match[1] ?? '');
  expect(names.length).toBeGreaterThan(20);
  const known = new Set(Object.values(files).flatMap(texts).map(withoutValues));
  expect(names.filter((name) => !SAMPLE.includes(name) && !known.has(withoutValues(name)))).toEqual([]);
});
