// @vitest-environment node
/** Every title used in the code for a failed call is in the catalogue; otherwise users would read `Unexpected error.` */
import { describe, expect, it } from 'vitest';
import errors from '@/locales/en/errors.json';

const sources = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
const NAMED = [/errorTitle(?:: |=")(?:mode === 'edit' \? )?'?(\w+)['"]/g, /notifyFailure\(\w+, '(\w+)'/g, /errors:error\.(\w+)'/g];

const named = (text: string) => NAMED.flatMap((pattern) => [...text.matchAll(pattern)].map(([, title = '']) => title));
const found = Object.entries(sources)
  .filter(([path]) => !path.includes('.test.'))
  .flatMap(([path, text]) => named(text).map((title) => [path, title] as const));

describe('titles of failures', () => {
  it('are found in the sources', () => expect(new Set(found.map(([, title]) => title)).size).toBeGreaterThan(50));
  it('are in the catalogue', () => expect(found.filter(([, title]) => !(title in errors.error))).toEqual([]));
});
