import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env['ANNOTARIUM_SERVER'] ?? 'http://127.0.0.1:8040';

export default defineConfig({
  plugins: [react()],
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
