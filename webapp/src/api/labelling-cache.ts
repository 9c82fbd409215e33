/** Writes the server's responses to labelling changes into the cached documents and segments, so that nothing has to be fetched again. */
import type { QueryClient } from '@tanstack/react-query';
import type { Annotation } from '@/api/resources/annotations';
import type { Category } from '@/api/resources/categories';
import { rememberChange } from './recent-changes';
import { documentKeys, type AnnotatedDocument } from '@/api/resources/documents';
import { relationKeys, type Relation } from '@/api/resources/relations';
import { segmentKeys, type Segment, type SegmentHits } from '@/api/resources/segments';

interface Keyed {
  readonly identifier: string;
}

const overlaps = (segment: Segment, start: number, end: number) => start < segment.end && end > segment.start;

function upsert<T extends Keyed>(list: readonly T[] | undefined, item: T): readonly T[] {
  const known = list ?? [];
  const at = known.findIndex(({ identifier }) => identifier === item.identifier);
  return at < 0 ? [...known, item] : known.with(at, item);
}

const without = <T extends Keyed>(list: readonly T[] | undefined, ids: readonly string[]): readonly T[] =>
  (list ?? []).filter(({ identifier }) => !ids.includes(identifier));

/** Fields that the response to a change omits and no change affects. */
function unchangedFields(known: Annotation | undefined): object {
  const { terms, properties } = (known ?? {}) as { terms?: unknown; properties?: unknown };
  return { ...(terms === undefined ? {} : { terms }), ...(properties === undefined ? {} : { properties }) };
}

export class LabellingCache {
  constructor(
    private readonly client: QueryClient,
    private readonly project: string,
  ) {}

  private document(identifier: string, change: (document: AnnotatedDocument) => AnnotatedDocument): void {
    this.client.setQueryData<AnnotatedDocument>(documentKeys.one(this.project, identifier), (document) => document && change(document));
  }

  /** Where only parts of a document are shown, its relations have a cache entry of their own. */
  private relations(document: string, change: (relations: readonly Relation[]) => readonly Relation[]): void {
    this.client.setQueryData<readonly Relation[]>(relationKeys.of(this.project, document), (relations) => relations && change(relations));
  }

  private segments(change: (segment: Segment) => Segment): void {
    this.client.setQueriesData<SegmentHits>({ queryKey: [...segmentKeys.all, this.project, 'search'] }, (answer) => {
      if (answer === undefined) return answer;
      const hits = answer.hits.map((hit) => {
        const segment = change(hit.segment);
        return segment === hit.segment ? hit : { ...hit, segment };
      });
      return { ...answer, hits };
    });
  }

  /** Stores a new or changed annotation; offsets in code points of the document. Ignored when a newer version is known. */
  storeAnnotation(documentIdentifier: string, said: Annotation): void {
    const known = this.findAnnotation(documentIdentifier, said.identifier);
    const { identifier, version } = said;
    const annotation = { ...unchangedFields(known), ...said };
    const late = !rememberChange(this.client, this.project, documentIdentifier, 'annotation', identifier, version, annotation);
    if (late || (known !== undefined && known.version > version)) return;
    this.document(documentIdentifier, (document) => ({ ...document, annotations: upsert(document.annotations, annotation) }));
    this.segments((segment) => {
      if (segment.documentIdentifier !== documentIdentifier) return segment;
      const annotations = overlaps(segment, annotation.start, annotation.end)
        ? upsert(segment.annotations, annotation)
        : without(segment.annotations, [annotation.identifier]);
      return { ...segment, annotations };
    });
  }

  /** `version`: the version of the deletion, where it is known. */
  dropAnnotation(documentIdentifier: string, identifier: string, version?: number): void {
    const known = this.findAnnotation(documentIdentifier, identifier)?.version ?? 0;
    if (!rememberChange(this.client, this.project, documentIdentifier, 'annotation', identifier, version ?? known + 1)) return;
    this.document(documentIdentifier, (document) => ({ ...document, annotations: without(document.annotations, [identifier]) }));
    this.segments((segment) =>
      segment.documentIdentifier === documentIdentifier ? { ...segment, annotations: without(segment.annotations, [identifier]) } : segment,
    );
  }

  findAnnotation(documentIdentifier: string, identifier: string): Annotation | undefined {
    const is = (annotation: Keyed) => annotation.identifier === identifier;
    const document = this.client.getQueryData<AnnotatedDocument>(documentKeys.one(this.project, documentIdentifier));
    const found = document?.annotations?.find(is);
    if (found !== undefined) return found;
    const answers = this.client.getQueriesData<SegmentHits>({ queryKey: [...segmentKeys.all, this.project, 'search'] });
    const segments = answers.flatMap(([, answer]) => answer?.hits ?? []).map(({ segment }) => segment);
    return segments.flatMap(({ annotations }) => annotations ?? []).find(is);
  }

  storeRelation(documentIdentifier: string, relation: Relation): void {
    const { identifier, version } = relation;
    const known = this.findRelation(documentIdentifier, identifier);
    const late = !rememberChange(this.client, this.project, documentIdentifier, 'relation', identifier, version, relation);
    if (late || (known !== undefined && known.version > version)) return;
    const whole = { ...known, ...relation };
    this.document(documentIdentifier, (document) => ({ ...document, relations: upsert(document.relations, whole) }));
    this.relations(documentIdentifier, (relations) => upsert(relations, whole));
  }

  /**
   * `version`: the version of the deletion, where it is known. A relation deleted together with one of its annotations has no such version:
   * it stays in the cache, not drawn while that end is missing, and reappears with it.
   */
  dropRelation(documentIdentifier: string, identifier: string, version?: number): void {
    const known = this.findRelation(documentIdentifier, identifier)?.version ?? 0;
    if (version !== undefined && known >= version) return;
    if (!rememberChange(this.client, this.project, documentIdentifier, 'relation', identifier, version ?? known + 1)) return;
    this.document(documentIdentifier, (document) =>
      document.relations === undefined ? document : { ...document, relations: without(document.relations, [identifier]) },
    );
    this.relations(documentIdentifier, (relations) => without(relations, [identifier]));
  }

  findRelation(documentIdentifier: string, identifier: string): Relation | undefined {
    const document = this.client.getQueryData<AnnotatedDocument>(documentKeys.one(this.project, documentIdentifier));
    const listed = this.client.getQueryData<readonly Relation[]>(relationKeys.of(this.project, documentIdentifier));
    const known = [...(document?.relations ?? []), ...(listed ?? [])].filter((relation) => relation.identifier === identifier);
    return known.reduce<Relation | undefined>(
      (newest, one) => (newest === undefined || one.version > newest.version ? one : newest),
      undefined,
    );
  }

  /** `replaced`: categories of the same exclusive set that were replaced. Categories of sentences are stored in their sentence. */
  storeCategory(documentIdentifier: string, category: Category, replaced: readonly string[] = []): void {
    this.document(documentIdentifier, (document) => {
      if (category.start === undefined || category.start === null)
        return { ...document, categories: upsert(without(document.categories, replaced), category) };
      const sentences = (document.sentences ?? []).map((sentence) =>
        sentence.start === category.start && sentence.end === category.end
          ? { ...sentence, categories: upsert(without(sentence.categories, replaced), category) }
          : sentence,
      );
      return { ...document, sentences };
    });
  }

  dropCategory(documentIdentifier: string, identifier: string): void {
    this.document(documentIdentifier, (document) => ({
      ...document,
      categories: without(document.categories, [identifier]),
      sentences: (document.sentences ?? []).map((sentence) =>
        sentence.categories?.some((category) => category.identifier === identifier) === true
          ? { ...sentence, categories: without(sentence.categories, [identifier]) }
          : sentence,
      ),
    }));
  }
}
