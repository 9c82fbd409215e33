// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LexiconTerm } from '@/api/resources/terms';
import { draftOf, EMPTY_DRAFT, readLine, termOf } from './term-draft';

const TERM: LexiconTerm = {
  lexicon: 'unesco',
  identifier: 'c1',
  preferredForm: 'Cat',
  properties: {
    altForms: ['Feline', 'Chat', 'Chats'],
    forms: [
      { form: 'Cat', language: 'en', type: 'preferred' },
      { form: 'Chat', language: 'fr', type: 'preferred' },
      { form: 'Feline', language: 'en', type: 'exact' },
      { form: 'Chats', language: 'fr', type: 'hidden' },
      { form: 'Big cat', type: 'narrow' },
    ],
    definitions: [{ text: 'An animal', language: 'en' }],
    broader: ['c0'],
    notation: ['1.2'],
    matching: { caseSensitive: true },
  },
};

describe('a term in its form (S-048)', () => {
  it('is the same when nothing was changed', () => {
    const again = termOf(draftOf(TERM), TERM);
    expect(again.preferredForm).toBe('Cat');
    expect(again.properties?.forms).toEqual(expect.arrayContaining([...(TERM.properties?.forms ?? [])]));
    expect(again.properties?.definitions).toEqual(TERM.properties?.definitions);
    expect(again.properties).toMatchObject({ broader: ['c0'], notation: ['1.2'], matching: { caseSensitive: true } });
    expect([...(again.properties?.altForms ?? [])].sort()).toEqual(['Chat', 'Chats', 'Feline']);
  });

  it('keeps the type of a form, and adds new ones as alternatives', () => {
    const draft = draftOf(TERM);
    const changed = termOf({ ...draft, forms: `${draft.forms}\nminet @fr` }, TERM);
    expect(changed.properties?.forms).toContainEqual({ form: 'minet', language: 'fr', type: 'alternative' });
    expect(changed.properties?.forms).toContainEqual({ form: 'Chats', language: 'fr', type: 'hidden' });
  });

  it('takes out what was deleted', () => {
    const changed = termOf({ ...draftOf(TERM), forms: '', definitions: '', broader: ' ', obsolete: true }, TERM);
    expect(changed.properties).not.toHaveProperty('definitions');
    expect(changed.properties).not.toHaveProperty('broader');
    expect(changed.properties?.obsolete).toBe(true);
    expect(changed.properties?.forms?.map(({ form }) => form)).toEqual(['Cat', 'Chat', 'Big cat']);
    expect(termOf(draftOf(changed), changed).properties?.obsolete).toBe(true);
  });

  it('renames the preferred form in its language', () => {
    const changed = termOf({ ...draftOf(TERM), preferredForm: ' House cat ' }, TERM);
    expect(changed.preferredForm).toBe('House cat');
    expect(changed.properties?.forms).toContainEqual({ form: 'House cat', language: 'en', type: 'preferred' });
    expect(changed.properties?.forms).toContainEqual({ form: 'Chat', language: 'fr', type: 'preferred' });
  });

  it('is new without forms of its own', () => {
    const made = termOf({ ...EMPTY_DRAFT, lexicon: 'a', identifier: ' x ', preferredForm: 'X', forms: 'Y\nY\n' }, undefined);
    expect(made).toEqual({
      ...{ lexicon: 'a', identifier: 'x', preferredForm: 'X' },
      properties: {
        altForms: ['Y'],
        forms: [
          { form: 'X', type: 'preferred' },
          { form: 'Y', type: 'alternative' },
        ],
      },
    });
  });

  it('reads a language only at the end of a line', () => {
    expect(readLine('chat @fr')).toEqual({ text: 'chat', language: 'fr' });
    expect(readLine('a@b.fr')).toEqual({ text: 'a@b.fr' });
    expect(readLine('@fr')).toEqual({ text: '@fr' });
  });

  it('loses no form, whatever the forms are', () => {
    const word = fc.stringMatching(/^[a-zé]{1,8}$/u);
    const form = fc.record({ form: word, language: fc.constantFrom('en', 'fr'), type: fc.constantFrom('alternative', 'hidden', 'exact') });
    fc.assert(
      fc.property(fc.uniqueArray(form, { selector: ({ form: text, language }) => `${text} ${language}` }), (forms) => {
        const term = {
          ...TERM,
          preferredForm: 'Cat',
          properties: { forms: [{ form: 'Cat', type: 'preferred' }, ...forms] },
        } as LexiconTerm;
        const saved = termOf(draftOf(term), term).properties?.forms ?? [];
        expect(saved).toEqual(expect.arrayContaining(forms));
        expect(saved).toHaveLength(forms.length + 1);
      }),
    );
  });
});
