// @vitest-environment node
/** The web app decides by error codes, never by text: messages of the server are in the user's language. */
import { describe, expect, it } from 'vitest';

const SOURCES = import.meta.glob<string>('/src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
const SENTENCE = String.raw`\b(?:message|statusText|cause|fix|reason)\b`;
const LOOKS = [
  // error.message.startsWith('...')
  new RegExp(
    String.raw`(?:error|failure|failed|problem|said|body|answer)[\w?.!()]*\.?${SENTENCE}[\w?.()]*\.(?:startsWith|endsWith|includes|match|search|indexOf)\(`,
    'gi',
  ),
  // /disabled/.test(error.message)
  new RegExp(String.raw`\.test\([^;\n]*(?:error|failure|failed|body)[\w?.!]*\.${SENTENCE}`, 'gi'),
  // error.message === '...'
  new RegExp(String.raw`(?:error|failure|failed|body)[\w?.!]*\.${SENTENCE}\s*[!=]==?\s*['"\x60]`, 'gi'),
];

const found = (text: string): string[] => LOOKS.flatMap((look) => [...text.matchAll(look)].map(([all]) => all));

describe('the web app decides', () => {
  it('by a code of the response, in every source file', () => {
    const faults = Object.entries(SOURCES)
      .filter(([path]) => !/\.test\.tsx?$/.test(path))
      .flatMap(([path, text]) => found(text).map((all) => `${path}: ${all}`));
    expect(faults).toEqual([]);
    expect(Object.keys(SOURCES).length).toBeGreaterThan(300);
  });

  it('detects the ways to test the text of a message', () => {
    expect(found('if (/disabled/i.test(`${error.statusText} ${error.message}`)) return 1')).not.toEqual([]);
    expect(found("return said.message.startsWith('Failed')")).not.toEqual([]);
    expect(found("if (error.body?.cause.includes('locked'))")).not.toEqual([]);
    expect(found("error.message === 'Not found'")).not.toEqual([]);
  });
});
