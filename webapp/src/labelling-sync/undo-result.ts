/** Writes the changes of an undo or redo into the cache. */
import type { LabellingCache } from '@/api/labelling-cache';
import type { UndoResult } from '@/api/resources/history';
import { withdrawOffer } from './restore-offers';

type Cache = Pick<
  LabellingCache,
  'storeAnnotation' | 'dropAnnotation' | 'storeCategory' | 'dropCategory' | 'storeRelation' | 'dropRelation'
>;

export function applyUndoResult(cache: Cache, document: string, result: UndoResult): void {
  for (const id of result.removed ?? []) {
    withdrawOffer(id);
    cache.dropAnnotation(document, id);
    cache.dropCategory(document, id);
    cache.dropRelation(document, id);
  }
  for (const annotation of result.annotations ?? []) cache.storeAnnotation(document, annotation);
  for (const relation of result.relations ?? []) cache.storeRelation(document, relation);
  for (const { identifier } of [...(result.annotations ?? []), ...(result.relations ?? [])]) withdrawOffer(identifier);
  for (const category of result.categories ?? []) cache.storeCategory(document, category);
}
