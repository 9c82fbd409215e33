/** Files of a drop or a choice, those inside folders too, each with the folder it came from. */
const folders = new WeakMap<File, string>();

/** `press/2024` for a file that came with its folder, else empty. */
export function folderOf(file: File): string {
  const known = folders.get(file);
  if (known !== undefined) return known;
  // Not every browser knows it.
  const path = (file.webkitRelativePath as string | undefined) ?? '';
  return path === '' ? '' : path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Remember where a file came from. */
export function rememberFolder(file: File, folder: string): File {
  if (folder !== '') folders.set(file, folder);
  return file;
}

/** Files of the system that nobody means: `.DS_Store`, `Thumbs.db`. */
const isHidden = (name: string) => name.startsWith('.') || name === 'Thumbs.db' || name === 'desktop.ini';

const readEntryFile = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

/** A browser gives the content of a folder in parts, an empty one at the end. */
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

/** All files of a drop, at most `limit`. Call it at once: the browser forgets a drop when its event ends. */
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

/** A chosen folder without what the system put there. */
export const withoutHiddenFiles = (files: readonly File[]) => files.filter((file) => !isHidden(file.name));
