/** V-006, C-043 */
export const MAX_PROJECT_NAME = 30;

/** V-011: the name without date stamp and extension, underscores replaced by spaces, words capitalised. */
export function nameFromArchive(filename: string): string {
  return filename
    .replace(/\.[^.]+$/, '')
    .replace(/^(\d{4}[-_.]?\d{2}[-_.]?\d{2})([-_.T]?\d{2}[-_.:h]?\d{2}([-_.:]?\d{2})?)?(?=[-_. ]+[^-_. ])[-_. ]+/, '')
    .replace(/[-_. ]*(\d{4}[-_.]?\d{2}[-_.]?\d{2}|\d{8})([-_.T]?\d{2}[-_.:h]?\d{2}([-_.:]?\d{2})?)?[-_. ]*$/, '')
    .replace(/_+/g, ' ')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/(^|[\s-])(\p{L})/gu, (_all, before: string, letter: string) => before + letter.toLocaleUpperCase())
    .slice(0, MAX_PROJECT_NAME);
}

/** The feature of an installation that answers questions about documents. */
export const ANSWERS = 'answers';

/** C-055: question answering if available, else sequence labelling, else the first. Questions that cannot be answered yet are no default. */
export function defaultNature(available: readonly string[], features: readonly string[] = []): string {
  const preferred = features.includes(ANSWERS) ? ['question_answering', 'sequence_labelling'] : ['sequence_labelling'];
  return preferred.find((nature) => available.includes(nature)) ?? available[0] ?? 'sequence_labelling';
}

export function nameError(name: string): 'missing' | 'long' | null {
  if (name.trim() === '') return 'missing';
  return [...name.trim()].length > MAX_PROJECT_NAME ? 'long' : null;
}
