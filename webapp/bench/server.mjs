/** Builds the bench page, serves it on a free port, opens headless Chromium. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { chromium } from 'playwright';
import { build, preview } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export async function openBench() {
  if (!existsSync(executablePath)) {
    console.info(`Annotation surface: skipped, there is no Chromium at ${executablePath} (CHROMIUM names another)`);
    process.exit(0);
  }
  const outDir = await mkdtemp(join(tmpdir(), 'annotation-bench-'));
  const alias = { '@': fileURLToPath(new URL('../src', import.meta.url)) };
  const shared = { configFile: false, root, logLevel: 'warn' };
  await build({
    ...shared,
    plugins: [react()],
    resolve: { alias },
    build: { outDir, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 2000 },
  });
  const server = await preview({ ...shared, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return {
    browser,
    url: (query) => `http://127.0.0.1:${server.httpServer.address().port}/?${new URLSearchParams(query)}`,
    close: async () => {
      await browser.close();
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
