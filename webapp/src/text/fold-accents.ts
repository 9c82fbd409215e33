/** Removes case and accents, for searching names. */
export const foldCaseAndAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
