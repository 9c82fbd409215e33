/** Short names of labels: the readable one under 30 characters (V-009, C-030) and the tag of 2 to 4 capitals. */
export const SHORT_NAME_LIMIT = 30;

const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/\bCompany\b/giu, 'Cie'],
  [/\bOperation\b/giu, 'Op'],
  [/\bPerformance\b/giu, 'Perf'],
  [/\bTechnology\b/giu, 'Tech'],
];
const WORD_LIMIT = 8;
const ELLIPSIS = '…';
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * V-009: underscores become spaces, four words are abbreviated, long words are shortened, then the middle is cut. Always under 30
 * characters.
 */
export function shortLabelName(label: string): string {
  let name = label.replace(/_/gu, ' ').replace(/\s+/gu, ' ').trim();
  if (splitGraphemes(name).length < SHORT_NAME_LIMIT) return name;
  for (const [pattern, short] of ABBREVIATIONS) name = name.replace(pattern, short);
  if (splitGraphemes(name).length < SHORT_NAME_LIMIT) return name;
  name = name.split(' ').map(abbreviateWord).join(' ');
  return cutMiddle(name, SHORT_NAME_LIMIT - 1);
}

function abbreviateWord(word: string): string {
  const all = splitGraphemes(word);
  return all.length > WORD_LIMIT ? `${all.slice(0, WORD_LIMIT - 1).join('')}.` : word;
}

function cutMiddle(name: string, limit: number): string {
  const all = splitGraphemes(name);
  if (all.length <= limit) return name;
  const head = Math.ceil((limit - 1) / 2);
  return (
    all.slice(0, head).join('').trimEnd() +
    ELLIPSIS +
    all
      .slice(all.length - (limit - 1 - head))
      .join('')
      .trimStart()
  );
}

function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

const MAX_TAG = 4;
const CASED = /^\p{Lu}|^\p{Ll}|^\p{Lt}/u;
const VOWEL = /[AEIOUYÀ-Ý]/u;
/** Words without an initial in tags: of, or, and, de, ... */
const SMALL = new Set(['of', 'or', 'and', 'the', 'a', 'an', 'in', 'to', 'de', 'du', 'des', 'la', 'le', 'les', 'et', 'ou', 'd', 'l']);

/**
 * 2 to 4 capitals for a label, unique among `taken`: initials, then first letters, then consonants, then a digit. A label with few
 * characters is its own tag.
 */
export function proposeTag(label: string, taken: ReadonlySet<string> = new Set()): string {
  for (const candidate of tagCandidates(label)) {
    if (!taken.has(candidate)) return candidate;
  }
  const base = tagCandidates(label)[0] ?? 'LB';
  for (let n = 2; ; n += 1) {
    const suffix = String(n);
    const candidate =
      splitGraphemes(base)
        .slice(0, Math.max(1, MAX_TAG - suffix.length))
        .join('') + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}

function tagOfFirstCharacters(label: string): string[] {
  const shown = splitGraphemes(label.replace(/[\s\p{Cc}\p{Cf}](?<!\u200d)/gu, '')).slice(0, MAX_TAG);
  return shown.length === 0 ? [] : [shown.join('').toUpperCase()];
}

function tagCandidates(label: string): string[] {
  const words = label
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  const strong = words.filter((word) => !SMALL.has(word.toLowerCase()));
  const kept = strong.length > 0 ? strong : words;
  const all = splitGraphemes(kept.join(''));
  // One letter or none: C, C++, A+, a thumb up. Its characters are the tag.
  if (all.length < 2) return tagOfFirstCharacters(label);
  // Scripts without capitals: the first two characters.
  if (!CASED.test(all[0] ?? '')) return [all.slice(0, 2).join('')];
  const upper = all.map((sign) => sign.toUpperCase());
  const initials = kept
    .map((word) => (splitGraphemes(word)[0] ?? '').toUpperCase())
    .slice(0, MAX_TAG)
    .join('');
  const first = splitGraphemes(kept[0] ?? '').map((sign) => sign.toUpperCase());
  const consonants = [upper[0] ?? '', ...upper.slice(1).filter((sign) => !VOWEL.test(sign))];
  const candidates = [
    first.length === MAX_TAG ? first.join('') : first.slice(0, 3).join(''),
    kept.length > 1 ? initials : '',
    consonants.slice(0, 3).join(''),
    consonants.slice(0, MAX_TAG).join(''),
    upper.slice(0, MAX_TAG).join(''),
  ];
  const valid = candidates.filter((tag) => splitGraphemes(tag).length >= 2 && splitGraphemes(tag).length <= MAX_TAG);
  return kept.length > 2 ? [initials, ...valid].filter((tag) => splitGraphemes(tag).length >= 2) : valid;
}
