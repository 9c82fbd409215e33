/**
 * Finding words in a long text: case, accents, quotation marks and white space are folded, or only white space. Folding 1 MB takes a few
 * milliseconds, since each code unit is looked up in a table. Offsets are UTF-16. Pure.
 */
import type { TextRange } from './extend-selection';

/** Accents of Latin, Greek and Cyrillic, points of Hebrew, harakat of Arabic; not the vowel signs of other scripts. */
const ACCENT = /[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u064B-\u065F\u0670]/gu;
/** Soft hyphen, zero-width characters. */
const INVISIBLE = /^[\u00AD\u200B-\u200F\u2060\uFEFF]$/u;
const WHITE_SPACE = /^\s$/u;
const WORD_CHARACTER = /^[\p{L}\p{M}\p{N}_]$/u;
/** Characters that people type for each other. */
const SAME_AS: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201B': "'",
  '\u02BC': "'",
  '\u201C': '"',
  '\u201D': '"',
  '\u00AB': '"',
  '\u00BB': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
  '\u03C2': '\u03C3',
};

const REMOVED = 1;
const SPACE = 32;

function foldEverything(character: string): string {
  const same = SAME_AS[character];
  if (same !== undefined) return same;
  const bare = character.normalize('NFD').replace(ACCENT, '').toLowerCase();
  // Syllables and letters with marks that are no accents stay whole.
  return bare.length <= 1 ? bare : character.toLowerCase();
}

/** A function from code unit to folded code unit or `REMOVED`, with its results in a table. */
function tableOf(fold: (character: string) => string): (unit: number) => number {
  const table = new Uint16Array(0x1_0000);
  const compute = (unit: number): number => {
    const character = String.fromCharCode(unit);
    if (INVISIBLE.test(character)) return REMOVED;
    if (WHITE_SPACE.test(character)) return SPACE;
    const folded = fold(character);
    if (folded === '') return REMOVED;
    return folded.length === 1 ? folded.charCodeAt(0) : unit;
  };
  return (unit) => {
    const known = table[unit] ?? 0;
    if (known !== 0) return known;
    const folded = compute(unit);
    table[unit] = folded;
    return folded;
  };
}

const foldLoosely = tableOf(foldEverything);
const foldExactly = tableOf((character) => character);

export interface FindOptions {
  /** Capital letters and accents count. */
  readonly exact: boolean;
  /** Not inside longer words. */
  readonly wholeWords: boolean;
}

export interface FoldedText {
  readonly source: string;
  readonly text: string;
  /** Offset in the source of each folded character, and the length of the source. */
  readonly offsets: Uint32Array;
  readonly exact: boolean;
}

export function foldText(source: string, exact = false): FoldedText {
  const fold = exact ? foldExactly : foldLoosely;
  const units = new Uint16Array(source.length);
  const offsets = new Uint32Array(source.length + 1);
  let size = 0;
  for (let at = 0; at < source.length; at += 1) {
    const unit = fold(source.charCodeAt(at));
    if (unit === REMOVED || (unit === SPACE && size > 0 && units[size - 1] === SPACE)) continue;
    units[size] = unit;
    offsets[size] = at;
    size += 1;
  }
  offsets[size] = source.length;
  const text = new TextDecoder('utf-16le', { ignoreBOM: true }).decode(units.subarray(0, size));
  return { source, text, offsets: offsets.subarray(0, size + 1), exact };
}

/** The character before or after an offset, whole if it is a surrogate pair; empty at the ends. */
function characterAt(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, offset: number): string {
  const low = text.charCodeAt(offset - 1);
  return characterAt(text, low >= 0xdc00 && low <= 0xdfff ? offset - 2 : offset - 1);
}

const isWordCharacter = (character: string): boolean => WORD_CHARACTER.test(character);

function isWholeWord(text: string, { start, end }: TextRange): boolean {
  const continuesBefore = start > 0 && isWordCharacter(characterBefore(text, start)) && isWordCharacter(characterAt(text, start));
  const continuesAfter = end < text.length && isWordCharacter(characterBefore(text, end)) && isWordCharacter(characterAt(text, end));
  return !continuesBefore && !continuesAfter;
}

/** All places of the words, in order, not overlapping. Blank words are found nowhere. */
export function findInText(folded: FoldedText, words: string, wholeWords = false): TextRange[] {
  const wanted = foldText(words, folded.exact).text;
  if (wanted.trim() === '') return [];
  const { text, source, offsets } = folded;
  const found: TextRange[] = [];
  let at = text.indexOf(wanted);
  while (at >= 0) {
    const after = at + wanted.length;
    const range = { start: offsets[at] ?? 0, end: offsets[after] ?? source.length };
    const counts = !wholeWords || isWholeWord(source, range);
    if (counts) found.push(range);
    at = text.indexOf(wanted, counts ? after : at + 1);
  }
  return found;
}

/** Index of the first range that starts at or after the offset; the first one if there is none. Ranges are ascending. */
export function indexFrom(ranges: readonly TextRange[], offset: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low === ranges.length ? 0 : low;
}
