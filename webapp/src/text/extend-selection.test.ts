// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXTENSIONS, defaultExtension, extendSelection, trimRange } from './extend-selection';
import type { SelectionExtension } from './extend-selection';
import { snapDown } from './graphemes';

function extended(text: string, part: string, mode: SelectionExtension): string | undefined {
  const start = text.indexOf(part);
  const range = extendSelection(text, { start, end: start + part.length }, mode);
  return range && text.slice(range.start, range.end);
}

describe('extendSelection (C-066)', () => {
  it.each<[string, string, SelectionExtension, string]>([
    ['The city of Port Ellery, on the coast', 'ort Elle', 'space-or-punctuation', 'Port Ellery'],
    ['The city of Port Ellery, on the coast', 'ort Elle', 'space', 'Port Ellery,'],
    ['The city of Port Ellery, on the coast', 'ort Elle', 'none', 'ort Elle'],
    ['It costs 3.14 crowns.', '14', 'space-or-punctuation', '3.14'],
    ['It costs 3.14 crowns.', 'crow', 'space-or-punctuation', 'crowns'],
    ["I don't know", 'don', 'space-or-punctuation', "don't"],
    ['(Halden)', 'ald', 'space-or-punctuation', 'Halden'],
    ['(Halden)', '(Hal', 'space-or-punctuation', '(Halden'],
    ['« Rāga » नमस्ते दुनिया', 'मस्ते', 'space-or-punctuation', 'नमस्ते'],
    ['tab\tseparated\r\nlines', 'epara', 'space', 'separated'],
    ['wow 👨‍👩‍👧 here', '👩', 'space-or-punctuation', '👨‍👩‍👧'],
    ['Straße und Überfall', 'berf', 'space-or-punctuation', 'Überfall'],
    ['zero\u200bwidth', 'er', 'space-or-punctuation', 'zero'],
    ['می\u200cخواهم برم', 'خوا', 'space-or-punctuation', 'می\u200cخواهم'],
    ['well , then', '  , ', 'space-or-punctuation', ','],
  ])('%j around %j with %s gives %j', (text, part, mode, expected) => {
    const wanted = text.includes(part) ? part : part.trim();
    expect(extended(text, wanted, mode)).toBe(expected);
  });

  it('has nothing to annotate in white space', () => {
    for (const mode of EXTENSIONS) expect(extendSelection('a  \n b', { start: 1, end: 4 }, mode)).toBeUndefined();
    expect(extendSelection('abc', { start: 1, end: 1 }, 'space')).toBeUndefined();
    expect(trimRange(' \t\r\n', { start: 0, end: 4 })).toBeUndefined();
  });

  it('never shrinks below the trimmed selection, never cuts a cluster, and is stable', () => {
    const pieces = ['word', ' ', ',', '.', '-', '😀', 'e\u0301', '中文', 'سلام', '\r\n', '\t', "'", '7'];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 30 }).map((parts) => parts.join('')),
        fc.nat(60),
        fc.nat(60),
        fc.constantFrom(...EXTENSIONS),
        (text, a, b, mode) => {
          const raw = { start: Math.min(a, b, text.length), end: Math.min(Math.max(a, b), text.length) };
          const range = extendSelection(text, raw, mode);
          if (range === undefined) return;
          expect(range.start).toBeLessThan(range.end);
          expect(snapDown(text, range.start)).toBe(range.start);
          expect(snapDown(text, range.end)).toBe(range.end);
          const trimmed = trimRange(text, raw);
          if (trimmed !== undefined) {
            expect(range.start).toBeLessThanOrEqual(trimmed.start);
            expect(range.end).toBeGreaterThanOrEqual(trimmed.end);
          }
          expect(extendSelection(text, range, mode)).toEqual(range);
        },
      ),
    );
  });
});

describe('defaultExtension (C-066)', () => {
  it.each([
    ['zh', 'none'],
    ['ar', 'none'],
    ['zh-Hant', 'none'],
    ['ar_EG', 'none'],
    ['en', 'space-or-punctuation'],
    ['arn', 'space-or-punctuation'],
    [undefined, 'space-or-punctuation'],
  ])('%s starts with %s', (language, mode) => {
    expect(defaultExtension(language)).toBe(mode);
  });
});
