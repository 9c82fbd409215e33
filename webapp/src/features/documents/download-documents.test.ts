import { QueryClient } from '@tanstack/react-query';
import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DELETED_RETRIES, DELETED_RETRY_MS, documentAtPositionQuery, type DocumentSearch } from '@/api/resources/documents';
import { server } from '@/test/server';
import { downloadDocuments } from './download-documents';

const saved = vi.hoisted(() => ({ files: [] as [string, string][] }));
vi.mock('@/ui/save-file', () => ({ saveFile: (name: string, content: string) => saved.files.push([name, content]) }));

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
afterEach(() => {
  server.resetHandlers();
  saved.files = [];
});
afterAll(() => server.close());

describe('a download', () => {
  it("S-015 is the document in the server's JSON, named by its identifier", async () => {
    const document = { identifier: 'a/b é', text: 'Text 😀', annotations: [{ identifier: '1', start: 0, end: 4 }] };
    server.use(http.get('*/api/projects/p/documents/:id', () => HttpResponse.json(document)));
    await downloadDocuments(new QueryClient(), 'p', ['a/b é']);
    expect(saved.files.map(([name]) => name)).toEqual(['a_b_é.json']);
    expect(JSON.parse(saved.files[0]?.[1] ?? '')).toEqual(document);
    await downloadDocuments(new QueryClient(), 'p', ['1', '2']);
    expect(saved.files[1]?.[0]).toBe('p-documents.json');
    expect(JSON.parse(saved.files[1]?.[1] ?? '')).toHaveLength(2);
  });
});

describe('after a deletion', () => {
  const search: DocumentSearch = {
    query: '',
    simpleQuery: true,
    searchType: 'text',
    from: 0,
    size: 1,
    selectedFacets: [],
    filters: [],
    sort: '',
    facet: false,
    outputFields: 'title',
  };

  async function countRequests(staysFor: number): Promise<number> {
    let times = 0;
    server.use(
      http.post('*/api/projects/p/documents/_search', () => {
        times += 1;
        const identifier = times <= staysFor ? 'gone' : 'next';
        return HttpResponse.json({ hits: [{ _id: '1', score: 1, document: { identifier } }], total: { value: 1, relation: 'eq' } });
      }),
    );
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 100 });
    try {
      await new QueryClient().fetchQuery(documentAtPositionQuery('p', search, 'gone'));
    } finally {
      vi.useRealTimers();
    }
    return times;
  }

  it('C-017 the position is requested again until the deleted document is gone, at most ten more times', async () => {
    expect([DELETED_RETRIES, DELETED_RETRY_MS]).toEqual([10, 300]);
    expect(await countRequests(0)).toBe(1);
    expect(await countRequests(2)).toBe(3);
    expect(await countRequests(99)).toBe(11);
  }, 20_000);
});
