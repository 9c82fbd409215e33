/** Fields of an annotation as the server sends them, shared by the API client and the annotation surface. Offsets are code points. */

/** Start and end. */
export type AnnotationFragment = readonly [number, number];

/** A term of a lexicon or of a knowledge base that an annotation is linked to. */
export interface ServerTerm {
  readonly identifier: string;
  readonly lexicon?: string | undefined;
  readonly preferredForm?: string | null | undefined;
}

export interface ServerAnnotation {
  /** Code points, half-open. */
  readonly start: number;
  readonly end: number;
  readonly text?: string | undefined;
  /** Parts of a discontinuous annotation; start and end are theirs. */
  readonly fragments?: readonly AnnotationFragment[] | null | undefined;
  readonly labelName: string;
  readonly status?: string | null | undefined;
  readonly creationMode?: string | null | undefined;
  readonly score?: number | null | undefined;
  readonly createdBy?: string | null | undefined;
  readonly importedBy?: string | null | undefined;
  readonly importedDate?: string | null | undefined;
  readonly createdDate?: string | null | undefined;
  readonly modifiedDate?: string | null | undefined;
  readonly terms?: readonly ServerTerm[] | null | undefined;
  /** Set on the annotations of a suggestion segment. */
  readonly suggestion?: boolean | undefined;
}

/** Body of a creation: always manual (T-015). */
export interface NewAnnotation {
  readonly documentIdentifier: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly labelName: string;
  readonly creationMode: 'manual';
  readonly status: 'OK' | 'KO';
}
