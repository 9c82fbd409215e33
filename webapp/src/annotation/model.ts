/** Types of what the annotation surface shows. Offsets are UTF-16; `document-serializer.ts` converts them from and to the API. */

export type SpanStatus = 'confirmed' | 'suggested' | 'rejected' | 'saving' | 'failed';
export type CreationMode = 'manual' | 'automatic' | 'imported' | 'undefined';

export interface Span {
  readonly id: string;
  /** UTF-16, half-open. */
  readonly start: number;
  readonly end: number;
  /** Fragments of a discontinuous span: two or more, in order, not touching; `start` and `end` enclose them (fragments.ts). */
  readonly fragments?: readonly TextRange[] | undefined;
  /** Name of the label (not its readable text). */
  readonly label: string;
  readonly status: SpanStatus;
  readonly creationMode: CreationMode;
  /** 0..1 */
  readonly score?: number | undefined;
  readonly creator?: string | undefined;
  /** Who imported it in a file or an archive that names the creator, and when; absent for what was created here. */
  readonly importedBy?: string | undefined;
  readonly importedDate?: string | undefined;
  readonly createdDate?: string | undefined;
  readonly modifiedDate?: string | undefined;
  /** Terms it is linked to; absent: none. */
  readonly terms?: readonly SpanTerm[] | undefined;
  /** Whether a plan step added or removed it (step test). */
  readonly change?: 'added' | 'removed' | undefined;
}

/** A term of a lexicon, as it is shown with a span. */
export interface SpanTerm {
  readonly lexicon: string;
  readonly identifier: string;
  /** Its preferred form, else its identifier. */
  readonly name: string;
}

export interface SentenceCategory {
  /** Range of the sentence, UTF-16. */
  readonly start: number;
  readonly end: number;
  readonly label: string;
  readonly score?: number | undefined;
  readonly suggested: boolean;
  /** Number of further categories of the sentence. */
  readonly others?: number | undefined;
}

/** A thread of comments, marked at the end of the words that it is about. */
export interface CommentMark {
  readonly id: string;
  readonly end: number;
  /** Threads that end here. */
  readonly count: number;
}

/** A match in the text; `current`: the one that the reader is at. */
export interface SearchHit extends TextRange {
  readonly current?: boolean | undefined;
}

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** What a label or a key is applied to. */
export type LabellingTarget =
  { readonly kind: 'selection'; readonly start: number; readonly end: number } | { readonly kind: 'span'; readonly id: string };

/**
 * The category with the best score of each sentence, as only one is shown (S-009). The earlier one wins a tie. `others` counts the rest.
 */
export function bestCategoryPerSentence(categories: readonly SentenceCategory[]): SentenceCategory[] {
  const best = new Map<string, SentenceCategory>();
  for (const category of categories) {
    const key = `${String(category.start)}-${String(category.end)}`;
    const known = best.get(key);
    if (known === undefined) best.set(key, category);
    else
      best.set(key, {
        ...(scoreForRanking(category) > scoreForRanking(known) ? category : known),
        others: (known.others ?? 0) + (category.others ?? 0) + 1,
      });
  }
  return [...best.values()].sort((a, b) => a.start - b.start);
}

/** A category set by a user has no score and counts as certain; a suggestion without a score ranks last. */
function scoreForRanking(category: SentenceCategory): number {
  return category.score ?? (category.suggested ? 0 : 1);
}

/** Score as displayed: `.87`, and `1` for certainty. */
export function formatScore(score: number): string {
  const rounded = Math.round(score * 100) / 100;
  if (rounded >= 1) return '1';
  if (rounded <= 0) return '0';
  return rounded.toFixed(2).slice(1);
}
