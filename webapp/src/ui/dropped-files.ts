/** Dropped or chosen files, including those in folders, each with its original folder. */
const folders = new WeakMap<File, string>();

/** `press/2024` for a file that was added with its folder, else empty. */
export function folderOf(file: File): string {
  const known = folders.get(file);
  if (known !== undefined) return known;
  // Not supported by every browser.
  const path = (file.webkitRelativePath as string | undefined) ?? '';
  return path === '' ? '' : path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Stores the original folder of a file. */
export function rememberFolder(file: File, folder: string): File {
  if (folder !== '') folders.set(file, folder);
  return file;
}

/** System files that users do not intend to add: `.DS_Store`, `Thumbs.db`. */
const isHidden = (name: string) => name.startsWith('.') || name === 'Thumbs.db' || name === 'desktop.ini';

const readEntryFile = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

/** The browser returns the content of a folder in batches; an empty batch marks the end. */
async function directoryEntries(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return found.sort((a, b) => a.name.localeCompare(b.name));
    found.push(...part);
  }
}

async function collectFiles(entry: FileSystemEntry, folder: string, limit: number, found: File[]): Promise<void> {
  if (found.length >= limit) return;
  if (entry.isFile) found.push(rememberFolder(await readEntryFile(entry as FileSystemFileEntry), folder));
  else if (entry.isDirectory) {
    const inside = folder === '' ? entry.name : `${folder}/${entry.name}`;
    for (const child of await directoryEntries(entry as FileSystemDirectoryEntry))
      if (!isHidden(child.name)) await collectFiles(child, inside, limit, found);
  }
}

/** All files of a drop, at most `limit`. Must be called synchronously: the browser discards a drop when its event ends. */
export async function droppedFiles(transfer: DataTransfer, limit: number): Promise<File[]> {
  const entries = [...transfer.items].flatMap((item) => {
    const entry = typeof item.webkitGetAsEntry === 'function' ? item.webkitGetAsEntry() : null;
    return entry === null ? [] : [entry];
  });
  if (entries.length === 0) return [...transfer.files];
  const found: File[] = [];
  for (const entry of entries) await collectFiles(entry, '', limit, found);
  return found;
}

/** The files without hidden system files. */
export const withoutHiddenFiles = (files: readonly File[]) => files.filter((file) => !isHidden(file.name));
