/** Without case and accents, to find names by what is typed. */
export const foldCaseAndAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
