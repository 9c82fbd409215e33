// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { excerptParts, passageParts } from './passage-text';

const WORDS = Array.from({ length: 200 }, (_, n) => `word${String(n)}`).join(' ');
const joined = (parts: readonly { readonly text: string }[] | undefined) => parts?.map(({ text }) => text).join('');

describe('the text of a passage', () => {
  it('has the cited sentences apart, by code points, without repeating overlaps', () => {
    const parts = passageParts('\u{1F6A2} Oak gates. Iron hinges.', [
      { start: 2, end: 12 },
      { start: 4, end: 20 },
    ]);
    expect(parts.map(({ text, cited }) => [text, cited])).toEqual([
      ['\u{1F6A2} ', false],
      ['Oak gates.', true],
      [' Iron hinges.', false],
    ]);
  });
  it('is shown whole when it is short', () => {
    expect(excerptParts(passageParts('Oak gates.', []))).toBeUndefined();
  });
  it('is an excerpt with the cited sentence when it is long, cut between words', () => {
    const start = WORDS.indexOf('word120');
    const excerpt = excerptParts(passageParts(WORDS, [{ start, end: start + 7 }]));
    expect(excerpt?.filter(({ cited }) => cited)).toEqual([{ text: 'word120', cited: true }]);
    expect(joined(excerpt)).toMatch(/^…word\d+ .* word\d+ …$/u);
    expect(joined(excerpt)?.length).toBeLessThan(500);
    expect(joined(excerptParts(passageParts(WORDS, [])))).toMatch(/^word0 word1 .* …$/u);
  });
});
