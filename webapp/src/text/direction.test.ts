import { describe, expect, it } from 'vitest';
import { directionOfPassage, textDirection } from './direction';

describe('textDirection (C-039)', () => {
  it('reads Arabic, Hebrew, Persian and Urdu from right to left', () => {
    for (const text of ['مرحبا بالعالم', 'שלום עולם (hello)', 'سلام دنیا', '1. اردو']) expect(textDirection(text)).toBe('rtl');
  });

  it('reads other scripts from left to right', () => {
    for (const text of ['Hello', 'नमस्ते', '中文', '', '123 !?', 'The word سلام means peace']) expect(textDirection(text)).toBe('ltr');
  });

  it('looks at the first 256 characters only, counted in code points', () => {
    expect(textDirection('a'.repeat(256) + 'م'.repeat(5000))).toBe('ltr');
    expect(textDirection('😀'.repeat(255) + 'م' + 'a'.repeat(500))).toBe('rtl');
    expect(textDirection('😀'.repeat(256) + 'م')).toBe('ltr');
  });
});

describe('directionOfPassage', () => {
  it('lets a stretch run its own way when all its letters do', () => {
    expect(directionOfPassage('An English paragraph within it.', 'rtl')).toBe('ltr');
    expect(directionOfPassage('1. שלום.', 'ltr')).toBe('rtl');
  });

  it('leaves mixed ones, numbers and signs to the document', () => {
    for (const text of ['Ada Lovelace ביקרה', '1833', '', '- 1,500 😀']) expect(directionOfPassage(text, 'rtl')).toBe('rtl');
    for (const text of ['שלום Ada', '1833']) expect(directionOfPassage(text, 'ltr')).toBe('ltr');
  });
});
