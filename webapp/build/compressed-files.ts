import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Images and fonts are compressed already. */
const TEXTS = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest']);
/** Below this gain a compressed form is not worth a file: a response fits into one packet either way. */
const LEAST_GAIN = 120;

export const brotliOf = (content: Uint8Array): Promise<Buffer> =>
  brotli(content, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    },
  });

async function writeForms(file: string): Promise<void> {
  const content = await readFile(file);
  const forms = [
    [`${file}.br`, await brotliOf(content)],
    [`${file}.gz`, await gzipped(content, { level: constants.Z_BEST_COMPRESSION })],
  ] as const;
  for (const [name, form] of forms) if (form.byteLength + LEAST_GAIN <= content.byteLength) await writeFile(name, form);
}

/** Writes a `.br` and a `.gz` beside the texts of the build; the server sends them (`core/annotarium/http/static_files.py`). */
export function compressedFiles(folder: string): Plugin {
  return {
    name: 'compressed-files',
    apply: 'build',
    writeBundle: {
      order: 'post',
      async handler() {
        const entries = await readdir(folder, { recursive: true, withFileTypes: true });
        const texts = entries.filter((entry) => entry.isFile() && TEXTS.has(extname(entry.name)));
        // At once: zlib works in threads.
        await Promise.all(texts.map((entry) => writeForms(join(entry.parentPath, entry.name))));
      },
    },
  };
}
