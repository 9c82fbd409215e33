/** Names of labels for display, and the tag of 2 to 4 capitals. */
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The one form in which a label is displayed: underscores are spaces. Instead of the abbreviations of V-009 and C-030, screens shorten the
 * name by the available width (`ShortenedText`), so that different labels look different.
 */
export function labelDisplayName(label: string): string {
  return label.replace(/[\s_]+/gu, ' ').trim() || label;
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
