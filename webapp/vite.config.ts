import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = process.env['ANNOTARIUM_SERVER'] ?? 'http://127.0.0.1:8040';

/** The server writes e-mail from the catalogues of the studio: it reads them beside the pages (`annotarium/mail/translation.py`). */
const serverMessages: Plugin = {
  name: 'server-messages',
  apply: 'build',
  generateBundle() {
    const source = readFileSync(new URL('./src/locales/fr/messages.json', import.meta.url));
    this.emitFile({ type: 'asset', fileName: 'words/fr/messages.json', source });
  },
};

export default defineConfig({
  plugins: [react(), serverMessages],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    outDir: '../core/annotarium/webapp',
    // public/.gitkeep is copied back, so the folder stays known to git after each build.
    emptyOutDir: true,
    target: 'es2022',
    // Inlined data URLs would be one more origin for the content policy to allow.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/api': { target: server, ws: true } } },
});
