/**
 * Converts annotations between the API and the surface: the API counts offsets in code points, the surface in UTF-16. No other module of
 * the web app converts annotation offsets.
 */
import { buildOffsetIndex } from '@/text/offsets';
import type { LayoutMark } from '@/text/layout';
import type { OffsetIndex } from '@/text/offsets';
import type { SegmentRange } from '@/text/rows';
import type { AnnotationFragment, NewAnnotation, ServerAnnotation, ServerTerm } from '@/text/server-annotation';
import type { SpanExtent } from './fragments';
import type { CreationMode, SentenceCategory, Span, SpanStatus, SpanTerm, TextRange } from './model';

/** What is read of an annotation of the API; without an identifier in a segment of a search hit. */
export interface ApiAnnotation extends ServerAnnotation {
  readonly identifier?: string | undefined;
}

export interface ApiSentence {
  readonly start: number;
  readonly end: number;
  readonly categories?: readonly ApiCategory[] | null | undefined;
}

export interface ApiCategory {
  readonly labelName: string;
  readonly score?: number | null | undefined;
  readonly status?: string | null | undefined;
  readonly suggestion?: boolean | undefined;
}

const CREATION_MODES: readonly string[] = ['manual', 'automatic', 'imported'];

function spanStatus(annotation: ApiAnnotation): SpanStatus {
  if (annotation.status === 'KO') return 'rejected';
  if (annotation.suggestion === true) return 'suggested';
  return annotation.creationMode === 'automatic' && annotation.status !== 'OK' ? 'suggested' : 'confirmed';
}

function parseCreationMode(value: string | null | undefined): CreationMode {
  return CREATION_MODES.includes(value ?? '') ? (value as CreationMode) : 'undefined';
}

const spanTerm = ({ lexicon = '', identifier, preferredForm }: ServerTerm): SpanTerm => ({
  lexicon,
  identifier,
  name: preferredForm || identifier,
});

export class DocumentSerializer {
  readonly index: OffsetIndex;
  /** A span keeps its identity while the API object does, so that its layout and drawing are reused. */
  private readonly known = new WeakMap<ApiAnnotation, Span>();

  /** `origin`: number of code points of the document before `text` (a segment of a search hit has document offsets). */
  constructor(
    readonly text: string,
    readonly origin = 0,
  ) {
    this.index = buildOffsetIndex(text);
  }

  range(start: number, end: number): TextRange {
    return { start: this.index.toUnits(start - this.origin), end: this.index.toUnits(end - this.origin) };
  }

  /** The range in code points of the document. */
  apiRange(range: TextRange): TextRange {
    return { start: this.index.toCodePoints(range.start) + this.origin, end: this.index.toCodePoints(range.end) + this.origin };
  }

  /** Code points in the document; pieces only where there are some. */
  apiExtent(extent: SpanExtent): { readonly start: number; readonly end: number; readonly fragments?: readonly AnnotationFragment[] } {
    const fragments = extent.fragments?.map((piece): AnnotationFragment => {
      const { start, end } = this.apiRange(piece);
      return [start, end];
    });
    return { ...this.apiRange(extent), ...(fragments && { fragments }) };
  }

  span(annotation: ApiAnnotation, position = 0): Span {
    const { start, end } = this.range(annotation.start, annotation.end);
    const fragments = annotation.fragments?.map((piece) => this.range(...piece));
    return {
      id: annotation.identifier ?? `${String(annotation.start)}-${String(annotation.end)}-${annotation.labelName}-${String(position)}`,
      start,
      end,
      ...(fragments !== undefined && fragments.length > 1 && { fragments }),
      label: annotation.labelName,
      status: spanStatus(annotation),
      creationMode: parseCreationMode(annotation.creationMode),
      score: annotation.score ?? undefined,
      creator: annotation.createdBy ?? undefined,
      ...(annotation.importedBy && { importedBy: annotation.importedBy, importedDate: annotation.importedDate ?? undefined }),
      ...(annotation.terms && annotation.terms.length > 0 && { terms: annotation.terms.map(spanTerm) }),
      createdDate: annotation.createdDate ?? undefined,
      modifiedDate: annotation.modifiedDate ?? undefined,
    };
  }

  spans(annotations: readonly ApiAnnotation[]): Span[] {
    return annotations.map((annotation, position) => {
      const known = annotation.identifier === undefined ? undefined : this.known.get(annotation);
      if (known !== undefined) return known;
      const span = this.span(annotation, position);
      this.known.set(annotation, span);
      return span;
    });
  }

  segments(sentences: readonly ApiSentence[]): SegmentRange[] {
    return sentences.map(({ start, end }) => this.range(start, end));
  }

  /** Layout marks with offsets of this text. */
  layout(marks: readonly LayoutMark[]): LayoutMark[] {
    return marks.map((mark) => ({ ...mark, ...this.range(mark.start, mark.end) }));
  }

  sentenceCategories(sentences: readonly ApiSentence[]): SentenceCategory[] {
    return sentences.flatMap((sentence) =>
      (sentence.categories ?? [])
        .filter((category) => category.status !== 'KO')
        .map((category) => ({
          ...this.range(sentence.start, sentence.end),
          label: category.labelName,
          score: category.score ?? undefined,
          suggested: category.suggestion === true,
        })),
    );
  }

  /** Body for a creation (status OK) or for the re-creation that a rejection is (status KO, T-016). */
  newAnnotation(documentIdentifier: string, range: TextRange, labelName: string, status: 'OK' | 'KO' = 'OK'): NewAnnotation {
    return {
      documentIdentifier,
      ...this.apiRange(range),
      text: this.text.slice(range.start, range.end),
      labelName,
      creationMode: 'manual',
      status,
    };
  }
}
