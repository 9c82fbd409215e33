// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { tokenAfter, tokenAt, tokenBefore } from './tokens';

function walk(text: string): string[] {
  const found: string[] = [];
  for (let token = tokenAfter(text, 0); token !== undefined; token = tokenAfter(text, token.end))
    found.push(text.slice(token.start, token.end));
  return found;
}

function walkBack(text: string): string[] {
  const found: string[] = [];
  for (let token = tokenBefore(text, text.length); token !== undefined; token = tokenBefore(text, token.start)) {
    found.unshift(text.slice(token.start, token.end));
  }
  return found;
}

describe('tokens', () => {
  it('walks words and punctuation, in both directions', () => {
    const words = ['Hello', ',', 'world', '😀', '!', 'नमस्ते'];
    expect(walk('Hello, world 😀!\r\n\tनमस्ते ')).toEqual(words);
    expect(walkBack('Hello, world 😀!\r\n\tनमस्ते ')).toEqual(words);
  });

  it('crosses long white space and long texts the same way in both directions', () => {
    const text = `start${' '.repeat(5000)}end ${'word '.repeat(400)}`;
    expect(walk(text)).toHaveLength(402);
    expect(walkBack(text)).toEqual(walk(text));
  });

  it('finds the token at an offset, the next one, else the last', () => {
    expect(tokenAt('one two', 1)).toEqual({ start: 0, end: 3 });
    expect(tokenAt('one  two', 3)).toEqual({ start: 5, end: 8 });
    expect(tokenAt('one two ', 8)).toEqual({ start: 4, end: 7 });
    expect(tokenAt('   ', 1)).toBeUndefined();
  });
});
