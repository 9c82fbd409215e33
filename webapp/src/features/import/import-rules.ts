/** Rules of the import screens. Pure. */
import type { ImportOptions, SegmentationChoice } from '@/api/resources/document-imports';
import type { Converter } from '@/api/resources/components';
import type { UploadedFile } from '@/api/upload';
import { folderOf } from '@/ui/dropped-files';

/** C-044 */
export const MAX_FILES = 100;
export const IMPORT_TIMEOUT_MS = 180_000;

/** C-050, until the server has reported the types its converters read. Archives are unpacked by the server itself. */
export const BASE_EXTENSIONS = ['json', 'txt'] as const;
export const ARCHIVE = 'zip';

export interface UploadEntry {
  readonly key: string;
  readonly file: File;
  readonly state: 'waiting' | 'uploading' | 'paused' | 'uploaded' | 'failed';
  /** Share sent so far, 0..1. */
  readonly share: number;
  readonly uploaded?: UploadedFile;
  readonly error?: unknown;
}

export const fileKey = (file: File) => `${folderOf(file)}/${file.name}/${String(file.size)}/${String(file.lastModified)}`;

/** The file name with its original folder. */
export const displayedFileName = (file: File) => [folderOf(file), file.name].filter((part) => part !== '').join('/');

export interface AcceptedFiles {
  readonly taken: readonly File[];
  readonly duplicates: readonly string[];
  readonly over: number;
}

/** C-044: rejects duplicates and files beyond the maximum of a hundred. */
export function acceptNewFiles(files: readonly File[], known: readonly UploadEntry[]): AcceptedFiles {
  const keys = new Set(known.map((entry) => entry.key));
  const taken: File[] = [];
  const duplicates: string[] = [];
  for (const file of files) {
    if (keys.has(fileKey(file))) duplicates.push(displayedFileName(file));
    else taken.push(file);
    keys.add(fileKey(file));
  }
  const room = Math.max(0, MAX_FILES - known.length);
  return { taken: taken.slice(0, room), duplicates, over: Math.max(0, taken.length - room) };
}

/** C-059: `no_segmentation` is for classification; questions are for question answering. */
export function segmentationChoices(nature: string | undefined): readonly SegmentationChoice[] {
  const common: SegmentationChoice[] = ['compute_if_missing', 'always_recompute', 'documents_as_segments'];
  if (nature === 'classification') return ['no_segmentation', ...common];
  return nature === 'question_answering' ? [...common, 'questions_as_segments'] : common;
}

export const defaultSegmentation = (nature: string | undefined): SegmentationChoice =>
  nature === 'classification' ? 'no_segmentation' : 'compute_if_missing';

export const defaultImportOptions = (nature: string | undefined): ImportOptions => ({
  segmentation: defaultSegmentation(nature),
  ignoreLabelling: false,
  splitCorpus: false,
  categoriesFromFolder: false,
  group: '',
  cleanText: 'default',
  skipDuplicates: false,
  emptyReviewed: false,
  converter: '',
  usePlan: true,
  metadataSplit: true,
  converterParameters: {},
});

/**
 * Initial options from the last import; null where there are none. The group (V-013) and the meaning of empty lists of labels are chosen
 * each time, as they depend on the files.
 */
export function optionsForNextImport(kept: string, nature: string | undefined): ImportOptions | null {
  if (kept === '') return null;
  try {
    const read = JSON.parse(kept) as Partial<ImportOptions>;
    const standard = defaultImportOptions(nature);
    const known = Object.keys(standard).filter(
      (key) => typeof read[key as keyof ImportOptions] === typeof standard[key as keyof ImportOptions],
    );
    const options = {
      ...standard,
      ...Object.fromEntries(known.map((key) => [key, read[key as keyof ImportOptions]])),
      group: '',
      emptyReviewed: false,
    };
    return segmentationChoices(nature).includes(options.segmentation) ? options : { ...options, segmentation: standard.segmentation };
  } catch {
    return null;
  }
}

const LABELLED_FILE = /\.(json|jsonl|ndjson)$/i;
const SAMPLE_BYTES = 1 << 20;
const LOOKED_AT = 64 * SAMPLE_BYTES;

/**
 * Whether a file contains an empty list of labels without defining its meaning. Only looks at a part of the file; the dry run of the server
 * looks at everything, including archives.
 */
export async function fileHasEmptyLabelLists(file: File, nature: string | undefined): Promise<boolean> {
  if (!LABELLED_FILE.test(file.name)) return false;
  const list = nature === 'classification' ? 'categories' : 'annotations';
  const empty = new RegExp(`"${list}"\\s*:\\s*\\[\\s*\\]`);
  let found = false;
  let rest = '';
  for (let at = 0; at < Math.min(file.size, LOOKED_AT); at += SAMPLE_BYTES) {
    const text = rest + (await file.slice(at, at + SAMPLE_BYTES).text());
    if (/"reviewed"\s*:/.test(text)) return false;
    found = found || empty.test(text);
    rest = text.slice(-200);
  }
  return found;
}

/** V-014: ignoring labels switches the split off and disables it. */
export function changeImportOptions(options: ImportOptions, change: Partial<ImportOptions>): ImportOptions {
  const next = { ...options, ...change };
  return next.ignoreLabelling ? { ...next, splitCorpus: false } : next;
}

export function countChangedOptions(options: ImportOptions, nature: string | undefined): number {
  const standard = defaultImportOptions(nature);
  const plain = (Object.keys(standard) as (keyof ImportOptions)[]).filter(
    (key) => key !== 'converterParameters' && key !== 'emptyReviewed',
  );
  return plain.filter((key) => options[key] !== standard[key]).length + Object.keys(options.converterParameters).length;
}

/** Values that differ from a form's defaults; null when none does. */
export function changedValues(
  value: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  const same = (name: string) => JSON.stringify(value[name] ?? null) === JSON.stringify(defaults[name] ?? null);
  const changed = Object.keys(value).filter((name) => !same(name));
  return changed.length === 0 ? null : Object.fromEntries(changed.map((name) => [name, value[name]]));
}

/** The parameters with another form's values; forms with default values are left out. */
export function withConverterParameters(
  options: ImportOptions,
  converter: string,
  values: Readonly<Record<string, unknown>> | null,
): ImportOptions {
  const { [converter]: _before, ...others } = options.converterParameters;
  return { ...options, converterParameters: values === null ? others : { ...others, [converter]: values } };
}

/** Converters that will read the files: the chosen one, else by file type; all of them with an archive or without files. */
export function convertersForFiles(converters: readonly Converter[], names: readonly string[], chosen: string): readonly Converter[] {
  if (chosen !== '') return converters.filter(({ name }) => name === chosen);
  const types = new Set(names.map((name) => name.split('.').at(-1)?.toLowerCase() ?? ''));
  if (types.size === 0 || types.has(ARCHIVE)) return converters;
  return converters.filter(({ extensions }) => extensions.some((extension) => types.has(extension)));
}

/** Server errors on the fields of one converter's form. */
export const converterFieldErrors = (fields: readonly { field: string; message: string }[], converter: string) =>
  fields.flatMap(({ field, message }) =>
    field.startsWith(`${converter}.`) ? [{ field: field.slice(converter.length + 1), message }] : [],
  );

/** V-012, V-013: why the import cannot be started; null when it can. */
export function importObstacle(
  entries: readonly UploadEntry[],
  importing: boolean,
  groupWanted: boolean,
  group: string,
): 'importing' | 'uploading' | 'paused' | 'nothing' | 'group' | null {
  if (importing) return 'importing';
  if (entries.some((entry) => entry.state === 'waiting' || entry.state === 'uploading')) return 'uploading';
  if (entries.some((entry) => entry.state === 'paused')) return 'paused';
  if (!entries.some((entry) => entry.state === 'uploaded')) return 'nothing';
  return groupWanted && group === '' ? 'group' : null;
}
