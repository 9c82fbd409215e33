/** Direction of a document, judged on the first 256 characters (C-039). */
export const DIRECTION_SAMPLE = 256;

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;
const LETTER = /\p{L}/u;

export type Direction = 'ltr' | 'rtl';

/** Right to left when at least half of the letters among the first 256 characters belong to a right-to-left script. */
export function textDirection(text: string): Direction {
  let letters = 0;
  let rightToLeft = 0;
  let seen = 0;
  for (const character of text) {
    if (seen === DIRECTION_SAMPLE) break;
    seen += 1;
    if (!LETTER.test(character)) continue;
    letters += 1;
    if (RIGHT_TO_LEFT.test(character)) rightToLeft += 1;
  }
  return letters > 0 && rightToLeft * 2 >= letters ? 'rtl' : 'ltr';
}

/** A passage whose letters all have the other direction uses that direction; all others, including numbers, use the document's. */
export function directionOfPassage(text: string, around: Direction): Direction {
  let found = false;
  for (const character of text) {
    if (!LETTER.test(character)) continue;
    if (RIGHT_TO_LEFT.test(character) === (around === 'rtl')) return around;
    found = true;
  }
  if (!found) return around;
  return around === 'rtl' ? 'ltr' : 'rtl';
}
