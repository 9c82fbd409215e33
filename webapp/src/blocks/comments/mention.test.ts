// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { mentionAt, withMention } from './mention';

describe('names typed after an @', () => {
  it.each([
    ['@', 0, ''],
    ['Ask @ro', 4, 'ro'],
    ['(@rosa.l', 1, 'rosa.l'],
    ['Élodie\n@élo', 7, 'élo'],
  ])('%j has one at %i', (text, start, query) => {
    expect(mentionAt(text, text.length)).toEqual({ start, query });
  });

  it.each(['me@example', 'no name', '@rosa ', 'a@', '@@rosa'])('%j has none', (text) => {
    expect(mentionAt(text, text.length)).toBeUndefined();
  });

  it('are replaced up to the cursor; what follows stays', () => {
    const text = 'Ask @ro about it';
    const typed = mentionAt(text, 7);
    expect(typed && withMention(text, 7, typed, 'rosa')).toEqual({ text: 'Ask @rosa about it', cursor: 10 });
  });
});
