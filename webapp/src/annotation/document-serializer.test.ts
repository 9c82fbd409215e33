// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentSerializer } from './document-serializer';

const PARTS = ['word ', '😀', '👨‍👩‍👧', 'e\u0301', 'مرحبا ', '\r\n', '𝒜', '🇫🇷', '中文', '\t'];
const hardText = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 40 }).map((parts) => parts.join(''));

describe('DocumentSerializer', () => {
  it('round trips code points over astral, combining, ZWJ, Arabic and CRLF texts', () => {
    fc.assert(
      fc.property(hardText, fc.nat(80), fc.nat(80), fc.nat(50), (text, a, b, origin) => {
        const characters = Array.from(text);
        const start = Math.min(a, b, characters.length);
        const end = Math.min(Math.max(a, b), characters.length);
        const wire = new DocumentSerializer(text, origin);
        const range = wire.range(start + origin, end + origin);
        expect(text.slice(range.start, range.end)).toBe(characters.slice(start, end).join(''));
        expect(wire.apiRange(range)).toEqual({ start: start + origin, end: end + origin });
      }),
    );
  });

  it('creates manual, OK annotations with offsets in code points (T-015)', () => {
    const wire = new DocumentSerializer('😀 Halden 😀');
    expect(wire.newAnnotation('d1', { start: 3, end: 9 }, 'location')).toEqual({
      documentIdentifier: 'd1',
      start: 2,
      end: 8,
      text: 'Halden',
      labelName: 'location',
      creationMode: 'manual',
      status: 'OK',
    });
  });

  it('re-creates a rejected annotation with status KO (T-016)', () => {
    const wire = new DocumentSerializer('Halden');
    expect(wire.newAnnotation('d1', { start: 0, end: 6 }, 'location', 'KO').status).toBe('KO');
  });

  it.each([
    [{ status: 'OK', creationMode: 'manual' }, 'confirmed'],
    [{ status: 'KO', creationMode: 'manual' }, 'rejected'],
    [{ creationMode: 'automatic', score: 0.8 }, 'suggested'],
    [{ creationMode: 'automatic', status: 'OK' }, 'confirmed'],
    [{ suggestion: true, status: 'OK' }, 'suggested'],
    [{ suggestion: true, status: 'KO' }, 'rejected'],
    [{}, 'confirmed'],
  ])('reads %j as %s (C-064)', (fields, status) => {
    const wire = new DocumentSerializer('Halden');
    expect(wire.span({ identifier: 'a', start: 0, end: 6, labelName: 'location', ...fields }).status).toBe(status);
  });

  it('gives annotations without identifier stable, different ids', () => {
    const wire = new DocumentSerializer('Halden');
    const plain = { start: 0, end: 6, labelName: 'location' };
    const ids = wire.spans([plain, plain]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => !id.includes(' '))).toBe(true);
  });

  it('shows terms by their preferred forms, else by their identifiers; none where there are none', () => {
    const wire = new DocumentSerializer('Halden');
    const annotation = { start: 0, end: 6, labelName: 'location' };
    const terms = [{ identifier: 'Q1', lexicon: 'places', preferredForm: 'Halden' }, { identifier: 'Q2' }];
    expect(wire.span({ ...annotation, terms }).terms).toEqual([
      { lexicon: 'places', identifier: 'Q1', name: 'Halden' },
      { lexicon: '', identifier: 'Q2', name: 'Q2' },
    ]);
    expect(wire.span({ ...annotation, terms: [] })).not.toHaveProperty('terms');
    expect(wire.span({ ...annotation, terms: null })).not.toHaveProperty('terms');
  });
});
