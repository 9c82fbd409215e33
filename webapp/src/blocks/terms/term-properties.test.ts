// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { ASTHMA } from '@/test/lexicons';
import { broaderOf, firstForms, formsByLanguage, furtherProperties, isObsolete } from './term-properties';

describe('properties of a term', () => {
  it('give the forms by language, that of the reader first, without the title', () => {
    const [english, french] = formsByLanguage(ASTHMA, 'en');
    expect(english).toEqual({
      language: 'en',
      forms: [
        { form: 'bronchial hyperreactivity', type: 'exact' },
        { form: 'wheeze', type: 'related' },
      ],
    });
    expect(french).toEqual({ language: 'fr', forms: [{ form: 'asthme', type: 'preferred' }] });
    expect(formsByLanguage(ASTHMA, 'fr').map(({ language }) => language)).toEqual(['fr', 'en']);
  });

  it('fall back to the further forms, and leave out what has another shape', () => {
    expect(formsByLanguage({ identifier: '1', preferredForm: 'a', properties: { altForms: ['a', 'b', 3, '', {}] } }, 'en')).toEqual([
      {
        language: '',
        forms: [
          { form: 'b', type: 'alternative' },
          { form: '3', type: 'alternative' },
        ],
      },
    ]);
    const broken = { identifier: '1', properties: { forms: 'x', altForms: { a: 1 }, broader: 7, obsolete: 'yes', notation: null } };
    expect(formsByLanguage(broken, 'en')).toEqual([]);
    expect([broaderOf(broken), isObsolete(broken), furtherProperties(broken)]).toEqual([['7'], false, []]);
    expect(formsByLanguage({ identifier: '1', properties: null }, 'en')).toEqual([]);
  });

  it('show the first of very many forms', () => {
    const altForms = Array.from({ length: 5000 }, (_, at) => `form ${String(at)}`);
    const [group] = formsByLanguage({ identifier: '1', properties: { altForms } }, 'en');
    const { shown, more } = firstForms(group!);
    expect([shown.length, more]).toEqual([60, 4940]);
  });

  it('list the further properties as texts', () => {
    expect(furtherProperties(ASTHMA)).toEqual([['crossReferences', ['MESH:D001249', 'ICD10CM:J45']]]);
    expect(furtherProperties({ identifier: '1', properties: { year: 1999, own: { a: 1 } } })).toEqual([
      ['year', ['1999']],
      ['own', ['{"a":1}']],
    ]);
  });
});
