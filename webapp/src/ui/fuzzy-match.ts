/** Fuzzy matching of command names: whole words first, then word beginnings, then letters in order. Ignores accents and case. Pure. */

export interface FuzzyMatch {
  /** Higher is better. */
  readonly score: number;
  /** Matched positions in the text (UTF-16). */
  readonly offsets: readonly number[];
  /** All words of the query occur, not only its letters. */
  readonly words: boolean;
}

const MARKS = /\p{M}/gu;

/** Folds character by character, so that positions are those of the text. */
function foldCharacters(text: string): readonly string[] {
  return Array.from({ length: text.length }, (_, at) => text.charAt(at).normalize('NFD').replace(MARKS, '').toLowerCase().charAt(0));
}

const WORD_SIGN = /[\p{L}\p{N}]/u;
const startsWord = (signs: readonly string[], at: number) => at === 0 || !WORD_SIGN.test(signs[at - 1] ?? '');

const WORD_SCORE = 100;
const AT_WORD = 60;
const AT_START = 40;

function matchWholeWords(signs: readonly string[], words: readonly string[]): FuzzyMatch | undefined {
  const text = signs.map((sign) => sign || ' ').join('');
  const places: number[] = [];
  let score = 0;
  for (const word of words) {
    let best = -1;
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (best < 0 || startsWord(signs, at)) best = at;
      if (startsWord(signs, best)) break;
    }
    if (best < 0) return undefined;
    score += WORD_SCORE + (startsWord(signs, best) ? AT_WORD : 0) + (best === 0 ? AT_START : 0);
    for (let n = 0; n < word.length; n += 1) places.push(best + n);
  }
  return { score: score / words.length - signs.length / 100, offsets: places, words: true };
}

function matchLetters(signs: readonly string[], letters: readonly string[]): FuzzyMatch | undefined {
  const places: number[] = [];
  let from = 0;
  let score = 0;
  for (const [n, letter] of letters.entries()) {
    const next = signs.indexOf(letter, from);
    if (next < 0) return undefined;
    const word = signs.findIndex((sign, at) => at >= from && sign === letter && startsWord(signs, at));
    // The next letter of a run, else a word start if the rest still follows, else the next occurrence.
    const inRun = n > 0 && next === from;
    const at = inRun || word < 0 || !lettersFollowInOrder(signs, letters.slice(n + 1), word + 1) ? next : word;
    score += inRun ? 6 : startsWord(signs, at) ? 5 : 1;
    places.push(at);
    from = at + 1;
  }
  return { score: score / letters.length - signs.length / 100, offsets: places, words: false };
}

/** Whether the letters occur in order from an index on. */
function lettersFollowInOrder(signs: readonly string[], letters: readonly string[], from: number): boolean {
  let at = from;
  for (const letter of letters) {
    at = signs.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** Undefined without a match. An empty query matches every text. */
export function fuzzyMatch(text: string, query: string): FuzzyMatch | undefined {
  const signs = foldCharacters(text);
  const words = foldCharacters(query.trim()).join('').split(/\s+/u).filter(Boolean);
  if (words.length === 0) return { score: 0, offsets: [], words: true };
  return matchWholeWords(signs, words) ?? matchLetters(signs, words.join('').split(''));
}
