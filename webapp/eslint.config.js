import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const COLOUR = String.raw`/(#[0-9a-fA-F]{3,8}\b|\b(rgb|rgba|hsl|hsla|oklch|oklab)\()/`;
const colourRule = {
  selector: `:matches(Literal[value=${COLOUR}], TemplateElement[value.raw=${COLOUR}])`,
  message: 'Colours live in src/theme only: use a CSS variable of the theme.',
};
const defaultExportRule = { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' };

/**
 * The layers of src/, highest first: a folder may import from the rows below, never from its own row or above.
 * `except`: lower folders that it may not import either.
 */
const LAYERS = [
  { folders: ['app'] },
  { folders: ['features'] },
  { folders: ['blocks'] },
  { folders: ['labelling-sync'], except: ['forms', 'charts', 'ui'] },
  { folders: ['annotation'], except: ['api'] },
  { folders: ['forms', 'charts'] },
  { folders: ['ui'], except: ['api'] },
  { folders: ['api'] },
  { folders: ['state'] },
  { folders: ['text', 'theme'] },
];
const FOLDERS = LAYERS.flatMap(({ folders }) => folders);
const source = fileURLToPath(new URL('./src', import.meta.url));
const foldersOf = (folder) =>
  readdirSync(`${source}/${folder}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const unplaced = foldersOf('.').filter((name) => !FOLDERS.includes(name) && !['locales', 'test'].includes(name));
if (unplaced.length > 0) throw new Error(`No layer in eslint.config.js: ${unplaced.join(', ')}`);

/** Imports are `./...` within a folder, `@/...` across folders. */
const oneStyle = { regex: String.raw`^\.\.`, message: 'Other folders are imported as @/...' };
const restricted = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns: [oneStyle, ...patterns] }] });

const layerBorders = LAYERS.flatMap(({ folders, except = [] }, row) =>
  folders.map((folder) => {
    const above = LAYERS.slice(0, row + 1).flatMap((layer) => layer.folders);
    const unseen = [...above.filter((name) => name !== folder), ...except];
    return {
      files: [`src/${folder}/**/*.{ts,tsx}`],
      rules: restricted({
        regex: `^@/(${unseen.join('|')})/`,
        message: `${folder}/ does not see that folder: LAYERS in eslint.config.js.`,
      }),
    };
  }),
);

/** Features never import other features. */
const featureBorders = foldersOf('features').map((name) => ({
  files: [`src/features/${name}/**/*.{ts,tsx}`],
  rules: restricted(
    { regex: '^@/app/', message: 'Features never import the shell.' },
    { regex: `^@/features/(?!${name}(/|$))`, message: 'Features never import each other.' },
  ),
}));

/** Type-checked rules that are off: they report test mocks, displayed `unknown` values, and the RJSF forms. */
const TYPED_OFF = {
  '@typescript-eslint/no-base-to-string': 'off',
  '@typescript-eslint/no-unnecessary-type-assertion': 'off',
  '@typescript-eslint/no-unsafe-argument': 'off',
  '@typescript-eslint/no-unsafe-assignment': 'off',
  '@typescript-eslint/unbound-method': 'off',
};

export default tseslint.config(
  { ignores: ['node_modules', 'src/api/schema.d.ts', '*.config.{js,ts}'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...reactHooks.configs.recommended.rules,
      // The React compiler is not used: the virtualiser, and refs that are read in callbacks, are intended.
      'react-hooks/incompatible-library': 'off',
      ...TYPED_OFF,
      // The router evaluates the status of thrown responses.
      '@typescript-eslint/only-throw-error': ['error', { allow: [{ from: 'lib', name: 'Response' }] }],
      'no-restricted-syntax': ['error', colourRule, defaultExportRule],
      'max-lines': ['error', { max: 500 }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      complexity: ['error', { max: 14 }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-globals': ['error', { name: 'eval', message: 'The content policy forbids it.' }],
      'no-console': ['error', { allow: ['warn', 'error', 'info'] }],
    },
  },
  // Files to be split: remove them from this list once they are short enough.
  {
    files: ['src/annotation/surface/use-pointer.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 95, skipBlankLines: true, skipComments: true }] },
  },
  ...layerBorders,
  ...featureBorders,
  {
    files: ['src/theme/**', '**/*.test.{ts,tsx}', 'src/test/**', 'e2e/**', 'bench/**'],
    rules: { 'no-restricted-syntax': 'off', 'max-lines-per-function': 'off' },
  },
  // Tests may import from any folder, in the same style.
  { files: ['src/test/**', '**/*.test.{ts,tsx}'], rules: restricted() },
);
