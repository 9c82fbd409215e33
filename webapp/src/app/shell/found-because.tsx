/** Why a search found a document: the words in its text, or the metadata that has them. */
import type { ReactNode } from 'react';
import type { DocumentHit } from '@/api/resources/documents';
import type { CodePointRange } from '@/api/resources/search';
import { HighlightedText } from '@/blocks/search/highlighted-text';
import { useMetadataTitle } from '@/blocks/search/metadata-titles';
import { foldCaseAndAccents } from '@/text/fold-accents';

export interface FoundReason {
  /** The metadata that has the words; absent for the text. */
  readonly metadata?: string;
  readonly text: string;
  readonly ranges: readonly CodePointRange[];
}

/** Characters before the first mark: a line is short, and what is found has to be on it. */
const BEFORE = 24;

/** The excerpt from shortly before its first mark, at the beginning of a word. */
function excerptFromFirstMark(text: string, ranges: readonly CodePointRange[]): FoundReason {
  const points = Array.from(text);
  const first = ranges[0]?.start ?? 0;
  const space = first > BEFORE ? points.indexOf(' ', first - BEFORE) : -1;
  if (space < 0 || space >= first) return { text, ranges };
  const cut = space + 1;
  const moved = ranges.map(({ start, end }) => ({ start: start - cut + 1, end: end - cut + 1 }));
  return { text: `…${points.slice(cut).join('')}`, ranges: moved };
}

/** Where a word occurs in a value, without regard to case and accents; undefined where it does not. */
function placeOfWord(value: string, word: string): CodePointRange | undefined {
  const points = Array.from(value);
  const folded = points.map(foldCaseAndAccents);
  const start = folded.findIndex((_, at) => folded.slice(at).join('').startsWith(word));
  if (start < 0) return undefined;
  let end = start;
  for (let length = 0; length < word.length; end += 1) length += folded[end]?.length ?? 1;
  return { start, end };
}

function metadataReason(metadata: Readonly<Record<string, unknown>>, words: string): FoundReason | undefined {
  const asked = foldCaseAndAccents(words).match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const [name, value] of Object.entries(metadata)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof one !== 'string' && typeof one !== 'number') continue;
      const text = String(one);
      for (const word of asked) {
        const range = placeOfWord(text, word);
        if (range !== undefined) return { metadata: name, text, ranges: [range] };
      }
    }
  }
  return undefined;
}

/** Undefined where the title says it, or nothing does, as in a search by meaning. */
export function reasonOf({ document, excerpt, highlights }: DocumentHit, words: string): FoundReason | undefined {
  if (excerpt !== undefined && excerpt.highlights.length > 0)
    return excerptFromFirstMark(excerpt.text.replace(/\s/gu, ' '), excerpt.highlights);
  if ((highlights?.title?.length ?? 0) > 0) return undefined;
  return metadataReason(document.metadata ?? {}, words);
}

export function FoundBecause({ hit, words }: { readonly hit: DocumentHit; readonly words: string }): ReactNode {
  const metadataTitle = useMetadataTitle();
  const reason = reasonOf(hit, words);
  if (reason === undefined) return null;
  return (
    <>
      {reason.metadata !== undefined && `${metadataTitle(reason.metadata)} `}
      <HighlightedText text={reason.text} ranges={reason.ranges} />
    </>
  );
}
