// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { DocumentHit } from '@/api/resources/documents';
import { reasonOf } from './found-because';

const hit = (rest: Partial<DocumentHit>): DocumentHit => ({ _id: 'd', ...rest, document: { identifier: 'd', ...rest.document } });
const excerpt = (text: string, ...highlights: { start: number; end: number }[]) => ({ start: 0, text, highlights, length: text.length });

describe('why a document was found', () => {
  it('is the marked part of its text', () => {
    const found = hit({ excerpt: excerpt('She was born in Wicklow.', { start: 8, end: 12 }) });
    expect(reasonOf(found, 'born')).toEqual({ text: 'She was born in Wicklow.', ranges: [{ start: 8, end: 12 }] });
  });

  it('begins shortly before the first mark of a long excerpt, counted in code points', () => {
    const text = `😀 ${'word '.repeat(20)}then she was born in Wicklow`;
    const start = Array.from(text).length - 'born in Wicklow'.length;
    const reason = reasonOf(hit({ excerpt: excerpt(text, { start, end: start + 4 }) }), 'born');
    const [range] = reason?.ranges ?? [];
    expect(reason?.text.startsWith('…')).toBe(true);
    expect(range?.start).toBeLessThan(30);
    expect(
      Array.from(reason?.text ?? '')
        .slice(range?.start, range?.end)
        .join(''),
    ).toBe('born');
  });

  it('is the metadata that has a word, without regard to accents', () => {
    const found = hit({ document: { identifier: 'd', metadata: { year: 1948, main_occupation: ['actor', 'Réalisatrice'] } } });
    expect(reasonOf(found, 'realis')).toEqual({ metadata: 'main_occupation', text: 'Réalisatrice', ranges: [{ start: 0, end: 6 }] });
    expect(reasonOf(found, '1948')).toMatchObject({ metadata: 'year', text: '1948' });
  });

  it('is not said where the title shows it, or nothing does', () => {
    const title = hit({ highlights: { title: [{ start: 0, end: 4 }] }, document: { identifier: 'd', metadata: { place: 'Born' } } });
    expect(reasonOf(title, 'born')).toBeUndefined();
    expect(reasonOf(hit({}), 'born')).toBeUndefined();
  });
});
