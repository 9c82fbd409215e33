import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = process.env['ANNOTARIUM_SERVER'] ?? 'http://127.0.0.1:8040';

/** Copies the French catalogue of server messages into the build: the server translates e-mails with it (`annotarium/mail/translation.py`). */
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
    // public/.gitkeep is copied to the output folder, so that git keeps the folder after each build.
    emptyOutDir: true,
    target: 'es2022',
    // Inlined data URLs would have to be allowed by the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/api': { target: server, ws: true } } },
});
