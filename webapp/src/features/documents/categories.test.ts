// @vitest-environment node
import { beforeEach, expect, it } from 'vitest';
import { LabellingCache } from '@/api/labelling-cache';
import { createQueryClient } from '@/api/query-client';
import { documentQuery, type AnnotatedDocument } from '@/api/resources/documents';
import { documentCategories } from './categories-bar';
import { categoriesOfSentence } from './sentence-categories';

const client = createQueryClient();
const { queryKey } = documentQuery('press', 'd1');
const cache = new LabellingCache(client, 'press');
const names = (list: readonly { labelName: string }[]) => list.map(({ labelName }) => labelName);
const stored = () => client.getQueryData(queryKey) as AnnotatedDocument;

beforeEach(() => {
  const document = { identifier: 'd1', text: 'One. Two.', sentences: [{ start: 0, end: 4 }] };
  client.setQueryData(queryKey, { ...document, annotations: [] });
});

it.each([
  ['no status', undefined, true],
  ['OK', 'OK', true],
  ['KO', 'KO', false],
] as const)('T-019 a category created with %s is shown at once: on the document and on its sentence', (_, status, shown) => {
  cache.storeCategory('d1', { identifier: '1', labelName: 'sport', status });
  cache.storeCategory('d1', { identifier: '2', labelName: 'news', status, start: 0, end: 4 });
  expect(names(documentCategories(stored()))).toEqual(shown ? ['sport'] : []);
  expect(names(stored().sentences!.flatMap(categoriesOfSentence))).toEqual(shown ? ['news'] : []);
});
