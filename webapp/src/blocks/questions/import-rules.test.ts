import { describe, expect, it } from 'vitest';
import { acceptFiles, IMPORT_TIMEOUT_MS, mayImportFiles, MAX_IMPORT_FILES, type ImportFile } from './import-rules';

const file = (name: string) => new File(['[]'], name, { lastModified: 1 });
const known = (name: string, state: ImportFile['state'] = 'uploaded'): ImportFile => ({ file: file(name), state });

describe('the import of questions', () => {
  it('C-045 takes at most a hundred files, each once, and waits three minutes for one', () => {
    const files = Array.from({ length: 120 }, (_, index) => file(`q${String(index)}.json`));
    const { taken, over } = acceptFiles([known('q0.json'), known('other.json')], files);
    expect(taken).toHaveLength(MAX_IMPORT_FILES - 2);
    expect(taken[0]?.name).toBe('q1.json');
    expect(over).toBe(21);
    expect(acceptFiles([], [file('a.json'), file('a.json')])).toMatchObject({ taken: [{ name: 'a.json' }], over: 0 });
    expect(IMPORT_TIMEOUT_MS).toBe(180_000);
  });

  it('V-034 needs an uploaded file, no pending upload and no running import', () => {
    expect(mayImportFiles([], false)).toBe(false);
    expect(mayImportFiles([known('a.json', 'failed')], false)).toBe(false);
    expect(mayImportFiles([known('a.json'), known('b.json', 'uploading')], false)).toBe(false);
    expect(mayImportFiles([known('a.json'), known('b.json', 'failed')], false)).toBe(true);
    expect(mayImportFiles([known('a.json')], true)).toBe(false);
  });
});
