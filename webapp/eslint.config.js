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
const SHARED = ['ui', 'blocks', 'labelling-sync', 'annotation', 'api', 'state', 'forms', 'text', 'theme', 'charts', 'test'];
const featuresFolder = fileURLToPath(new URL('./src/features', import.meta.url));
const features = readdirSync(featuresFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** A feature sees itself, the shared folders and the theme: never another feature, never the shell. */
const featureBorders = features.map((name) => ({
  files: [`src/features/${name}/**/*.{ts,tsx}`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          { regex: `^@/features/(?!${name}(/|$))`, message: 'Features never import each other.' },
          { regex: '^(\\.\\./)+features/', message: 'Features never import each other.' },
          { regex: '^@/app/', message: 'Features never import the shell.' },
        ],
      },
    ],
  },
}));

export default tseslint.config(
  { ignores: ['node_modules', 'src/api/schema.d.ts', '*.config.{js,ts}'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      // Ours is not a compiled code base: the virtualiser and refs read in callbacks are intended.
      'react-hooks/incompatible-library': 'off',
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
  // Markup and the hooks behind it are long without being hard: they get more room than functions.
  {
    files: ['**/*.tsx', '**/use-*.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 140, skipBlankLines: true, skipComments: true }], complexity: ['error', { max: 14 }] },
  },
  {
    files: [`src/{${SHARED.join(',')}}/**/*.{ts,tsx}`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^@/features/', message: 'Shared folders never import features.' },
            { regex: '/features/', message: 'Shared folders never import features.' },
            { regex: '^@/app/', message: 'Shared folders never import the shell.' },
          ],
        },
      ],
    },
  },
  ...featureBorders,
  { files: ['src/theme/**', '**/*.test.{ts,tsx}', 'src/test/**', 'e2e/**', 'bench/**'], rules: { 'no-restricted-syntax': 'off', 'max-lines-per-function': 'off' } },
  { files: ['src/test/**', '**/*.test.{ts,tsx}'], rules: { 'no-restricted-imports': 'off' } },
);
