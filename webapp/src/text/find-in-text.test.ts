// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { findInText, foldText, indexFrom } from './find-in-text';

const matchesIn = (text: string, words: string, options: { exact?: boolean; wholeWords?: boolean } = {}) =>
  findInText(foldText(text, options.exact), words, options.wholeWords).map(({ start, end }) => text.slice(start, end));

describe('find in a text', () => {
  it('folds case and accents, precomposed and combining', () => {
    expect(matchesIn('Cafe CAFÉ cafe\u0301 café', 'café')).toEqual(['Cafe', 'CAFÉ', 'cafe\u0301', 'café']);
    expect(matchesIn('Σίσυφος ΣΊΣΥΦΟΣ', 'σισυφος')).toEqual(['Σίσυφος', 'ΣΊΣΥΦΟΣ']);
    expect(matchesIn('İstanbul', 'istanbul')).toEqual(['İstanbul']);
  });

  it('finds words over line ends, several spaces, soft hyphens and other quotation marks', () => {
    expect(matchesIn('deep\r\n  learning and deep\u00A0learning', 'deep learning')).toEqual(['deep\r\n  learning', 'deep\u00A0learning']);
    expect(matchesIn('l’eau l\u00ADʼeau', "l'eau")).toEqual(['l’eau', 'l\u00ADʼeau']);
  });

  it('keeps syllables and vowel signs of other scripts', () => {
    expect(matchesIn('한국 한', '한국')).toEqual(['한국']);
    expect(matchesIn('कि का', 'कि')).toEqual(['कि']);
    expect(matchesIn('がか', 'か')).toEqual(['か']);
    expect(matchesIn('كِتَاب', 'كتاب')).toEqual(['كِتَاب']);
  });

  it('can respect case and accents, and whole words', () => {
    expect(matchesIn('Cafe café', 'café', { exact: true })).toEqual(['café']);
    expect(matchesIn('cats cat concat cat.', 'cat', { wholeWords: true })).toEqual(['cat', 'cat']);
    expect(matchesIn('😀cat', 'cat', { wholeWords: true })).toEqual(['cat']);
  });

  it('finds nothing for blank words, and ranges that do not overlap', () => {
    expect(matchesIn('a b', '  ')).toEqual([]);
    expect(matchesIn('aaaa', 'aa')).toEqual(['aa', 'aa']);
    expect(matchesIn('', 'a')).toEqual([]);
  });

  it('ranges stay right after characters outside the basic plane', () => {
    const text = '😀 Éva 😀 eva';
    expect(findInText(foldText(text), 'eva')).toEqual([
      { start: 3, end: 6 },
      { start: 10, end: 13 },
    ]);
  });

  it('continues from the place of the reader', () => {
    const ranges = [3, 10, 20].map((start) => ({ start, end: start + 2 }));
    expect([0, 3, 4, 20, 21].map((offset) => indexFrom(ranges, offset))).toEqual([0, 0, 1, 2, 0]);
    expect(indexFrom([], 5)).toBe(0);
  });
});
