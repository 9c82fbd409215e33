import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressedFiles } from './build/compressed-files.ts';
import { firstLoadBudget, type Budget } from './build/first-load-budget.ts';
import { laterMessages } from './build/later-messages.ts';

const server = process.env['ANNOTARIUM_SERVER'] ?? 'http://127.0.0.1:8040';
const outDir = fileURLToPath(new URL('../core/annotarium/webapp', import.meta.url));

/** Copies the French catalogue of server messages into the build: the server translates e-mails with it (`annotarium/mail/translation.py`). */
const serverMessages: Plugin = {
  name: 'server-messages',
  apply: 'build',
  generateBundle() {
    const source = readFileSync(new URL('./src/locales/fr/messages.json', import.meta.url));
    this.emitFile({ type: 'asset', fileName: 'words/fr/messages.json', source });
  },
};

/** `FIRST_NAMESPACES` of `src/app/i18n.ts`. */
const FIRST_WORDS = new Set(['common', 'shell', 'errors', 'keys', 'signin']);
/** Catalogues on their own: those of the first screen after signing in, and the largest. */
const SEPARATE_WORDS = new Set(['home', 'messages']);

/** One file with the texts of the first page, one with those of all others, of each language. */
function catalogueFileName(id: string): string | null {
  const [, language, name] = /[\\/]locales[\\/](\w+)[\\/]([\w-]+)\.json/.exec(id) ?? [];
  if (language === undefined || name === undefined || SEPARATE_WORDS.has(name)) return null;
  return FIRST_WORDS.has(name) ? `first-words-${language}` : `words-${language}`;
}

const FONT = ['inter-first'];
/** French is longer than English. */
const catalogueOf = (...names: string[]) => names.map((name) => `locales/fr/${name}.json`);
const SIGN_IN = ['main.tsx', 'features/signin/signin-screen.tsx', ...catalogueOf('common', 'signin')];

/** The studio up to its first screen: signing in, shell, home. */
const STUDIO = /[\\/]src[\\/](app[\\/]studio-start|app[\\/]shell[\\/]shell|features[\\/]home[\\/]home-screen)\.tsx?$/;

/** Libraries that only generated forms need. */
const SCHEMA_FORM = /[\\/]node_modules[\\/](@rjsf|@cfworker|@x0k|fast-uri|fast-equals|markdown-to-jsx)[\\/]/;

/** Budgets of the first load (issue 13, point 14). The other requests: page, icon, configuration, user, build; then projects, theme, jobs. */
const BUDGETS: readonly Budget[] = [
  { name: 'sign-in', modules: SIGN_IN, files: FONT, otherRequests: 6, otherBytes: 4_700, maxRequests: 12, maxBytes: 150_000 },
  {
    name: 'sign-in and home',
    modules: [...SIGN_IN, 'app/shell/shell.tsx', 'features/home/home-screen.tsx', ...catalogueOf('home', 'messages')],
    files: FONT,
    otherRequests: 14,
    otherBytes: 13_000,
    maxRequests: 30,
    maxBytes: 250_000,
  },
];

export default defineConfig({
  plugins: [react(), laterMessages, serverMessages, compressedFiles(outDir), firstLoadBudget(BUDGETS)],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    outDir,
    // public/.gitkeep is copied to the output folder, so that git keeps the folder after each build.
    emptyOutDir: true,
    target: 'es2022',
    // Inlined data URLs would have to be allowed by the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: catalogueFileName, debugName: 'words', test: /[\\/]locales[\\/]/, priority: 40 },
            // What the page itself imports, in one file.
            { name: 'start', tags: ['$initial'], priority: 30 },
            // What the first screen after signing in needs, in one file, with all that it imports.
            { name: 'studio', test: STUDIO, priority: 20 },
            // Forms made of a JSON schema: large, and on few screens.
            { name: 'schema-form', test: SCHEMA_FORM, priority: 10, includeDependenciesRecursively: false },
            // Small parts that several screens share go with their neighbours.
            {
              name: 'shared',
              test: /[\\/](node_modules|src[\\/](ui|api|state|text|theme|annotation|charts|labelling-sync))[\\/]/,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 4_000,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: server, ws: true } } },
});
