// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { astralPositions, buildOffsetIndex } from './offsets';

const HARD = ['', 'plain', '😀', 'a😀b', '👨‍👩‍👧‍👦 family', 'e\u0301te\u0301', 'مرحبا 🌍 بالعالم', 'one\r\ntwo\r\n😀\tthree', '🇫🇷🇩🇪', '𝒜𝒷𝒸'];

describe('buildOffsetIndex', () => {
  it.each(HARD)('converts every boundary of %j in both directions', (text) => {
    const index = buildOffsetIndex(text);
    const characters = Array.from(text);
    let unit = 0;
    characters.forEach((character, codePoint) => {
      expect(index.toUnits(codePoint)).toBe(unit);
      expect(index.toCodePoints(unit)).toBe(codePoint);
      unit += character.length;
    });
    expect(index.toUnits(characters.length)).toBe(text.length);
    expect(index.codePoints).toBe(characters.length);
  });

  it('slices like Python', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(40), fc.nat(40), (text, a, b) => {
        const characters = Array.from(text);
        const start = Math.min(a, b, characters.length);
        const end = Math.min(Math.max(a, b), characters.length);
        const index = buildOffsetIndex(text);
        expect(text.slice(index.toUnits(start), index.toUnits(end))).toBe(characters.slice(start, end).join(''));
        expect(index.toCodePoints(index.toUnits(end))).toBe(end);
      }),
    );
  });

  it('clamps offsets outside and rounds down inside a pair', () => {
    const index = buildOffsetIndex('a😀b');
    expect(index.toUnits(-3)).toBe(0);
    expect(index.toUnits(99)).toBe(4);
    expect(index.toCodePoints(2)).toBe(1);
    expect(index.toCodePoints(99)).toBe(3);
  });

  it('stores no position without astral characters', () => {
    expect(astralPositions('Überraschung — 中文 \u200d')).toHaveLength(0);
  });
});
