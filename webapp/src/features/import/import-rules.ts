/** Rules of the import screens, without any drawing. */
import type { ImportOptions, ReportItem, SegmentationChoice } from '@/api/resources/uploads';
import type { UploadedFile } from '@/api/upload';

/** C-044 */
export const MAX_FILES = 100;
export const IMPORT_TIMEOUT_MS = 180_000;

/** C-050, until the server said what its converters read. Archives are opened by the server itself. */
export const BASE_EXTENSIONS = ['json', 'txt'] as const;
export const ARCHIVE = 'zip';

export interface Entry {
  readonly key: string;
  readonly file: File;
  readonly state: 'waiting' | 'uploading' | 'uploaded' | 'failed';
  /** Sent so far, 0..1. */
  readonly share: number;
  readonly uploaded?: UploadedFile;
  readonly error?: unknown;
}

export const keyOf = (file: File) => `${file.name}/${String(file.size)}/${String(file.lastModified)}`;

export interface Sorted {
  readonly taken: readonly File[];
  readonly duplicates: readonly string[];
  readonly over: number;
}

/** C-044: what is there already and what passes a hundred stays out. */
export function sortFiles(files: readonly File[], known: readonly Entry[]): Sorted {
  const keys = new Set(known.map((entry) => entry.key));
  const taken: File[] = [];
  const duplicates: string[] = [];
  for (const file of files) {
    if (keys.has(keyOf(file))) duplicates.push(file.name);
    else taken.push(file);
    keys.add(keyOf(file));
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

export const defaultOptions = (nature: string | undefined): ImportOptions => ({
  segmentation: defaultSegmentation(nature),
  ignoreLabelling: false,
  splitCorpus: false,
  categoriesFromFolder: false,
  group: '',
});

/** V-014: ignoring labels switches the split off and locks it. */
export function changeOptions(options: ImportOptions, change: Partial<ImportOptions>): ImportOptions {
  const next = { ...options, ...change };
  return next.ignoreLabelling ? { ...next, splitCorpus: false } : next;
}

export function changedCount(options: ImportOptions, nature: string | undefined): number {
  const standard = defaultOptions(nature);
  return (Object.keys(standard) as (keyof ImportOptions)[]).filter((key) => options[key] !== standard[key]).length;
}

/** V-012, V-013: why Import cannot be pressed; null when it can. */
export function importObstacle(
  entries: readonly Entry[],
  importing: boolean,
  groupWanted: boolean,
  group: string,
): 'importing' | 'uploading' | 'nothing' | 'group' | null {
  if (importing) return 'importing';
  if (entries.some((entry) => entry.state === 'waiting' || entry.state === 'uploading')) return 'uploading';
  if (!entries.some((entry) => entry.state === 'uploaded')) return 'nothing';
  return groupWanted && group === '' ? 'group' : null;
}

/** Cells that a spreadsheet would take for a formula get an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Message and what to do as sentences; servers may put both in the message. */
export function sayItem({ message = '', fix = '' }: Pick<ReportItem, 'message' | 'fix'>): string {
  const parts = message.includes(fix) ? [message] : [message, fix];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

/** The report as a table: item, outcome, document, message, what to do. */
export function reportCsv(items: readonly ReportItem[], header: readonly string[]): string {
  const rows = items.map(({ item, outcome, documentIdentifier = '', message = '', fix = '' }) => [
    item,
    outcome,
    documentIdentifier,
    message,
    fix,
  ]);
  // The mark lets spreadsheets read it as UTF-8.
  return `\uFEFF${[header, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}
