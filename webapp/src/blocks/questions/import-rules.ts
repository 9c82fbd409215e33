/** Rules of the import of questions. Pure. */

/** C-045; a BEIR archive holds documents, questions and judgements. */
export const IMPORT_EXTENSIONS = ['json', 'zip'] as const;
export const MAX_IMPORT_FILES = 100;
export const IMPORT_TIMEOUT_MS = 180_000;

export interface ImportFile {
  readonly file: File;
  readonly state: 'uploading' | 'uploaded' | 'failed';
}

const keyOf = ({ name, size, lastModified }: File) => `${name}/${String(size)}/${String(lastModified)}`;
export const isSameFile = (one: File, other: File): boolean => keyOf(one) === keyOf(other);

/** The files that are new, as far as there is room for them, and how many were too many. */
export function acceptFiles(
  known: readonly ImportFile[],
  files: readonly File[],
): { readonly taken: readonly File[]; readonly over: number } {
  const fresh = files.filter(
    (file, index) => !known.some((one) => isSameFile(one.file, file)) && files.findIndex((one) => isSameFile(one, file)) === index,
  );
  const room = Math.max(0, MAX_IMPORT_FILES - known.length);
  return { taken: fresh.slice(0, room), over: Math.max(0, fresh.length - room) };
}

/** V-034: disabled while importing, while an upload is pending, or with no uploaded file. */
export const mayImportFiles = (files: readonly ImportFile[], importing: boolean): boolean =>
  !importing && files.some(({ state }) => state === 'uploaded') && !files.some(({ state }) => state === 'uploading');
