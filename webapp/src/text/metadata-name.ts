/** `document_type` and `documentType` as `Document type`; words in capitals, as in `DOI` or `ISBN-13`, stay. Queries and tooltips have the raw name. */
export function readableMetadataName(name: string): string {
  const words = name
    .replace(/[_.]+/gu, ' ')
    .replace(/(\p{Ll})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((word, at) => (at > 0 && /^\p{Lu}\p{Ll}+$/u.test(word) && !name.includes(` ${word}`) ? word.toLowerCase() : word))
    .join(' ');
  return words === '' ? name : words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
