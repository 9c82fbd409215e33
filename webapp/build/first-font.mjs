/**
 * Writes `src/theme/inter-first.woff2`: the characters, weights and features of Inter that the first page and most texts need, in less than
 * half of the size of the complete Latin file. Run `npm run font` after an update of @fontsource-variable/inter.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);
const source = require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
const style = new URL('../src/theme/fonts.css', import.meta.url);
const target = new URL('../src/theme/inter-first.woff2', import.meta.url);

/** The characters are those of `unicode-range` in the style sheet, so that the two cannot differ. */
function charactersOf(css) {
  const [, list = ''] = /unicode-range:([^;]+);/.exec(css) ?? [];
  return list
    .split(',')
    .map((part) => part.trim().replace(/^U\+/, '').split('-'))
    .flatMap(([first, last = first]) => {
      const start = parseInt(first, 16);
      return Array.from({ length: parseInt(last, 16) - start + 1 }, (_, index) => String.fromCodePoint(start + index));
    })
    .join('');
}

const characters = charactersOf(await readFile(style, 'utf8'));
const font = await subsetFont(await readFile(source), characters, {
  targetFormat: 'woff2',
  // Lighter and heavier text is not used.
  variationAxes: { wght: { min: 400, max: 700 } },
  // Pairs of letters and figures of one width. No signs that change with their neighbours (`calt`): texts are shown as they are, and `->` is
  // not an arrow.
  keepFeatures: ['kern', 'tnum', 'ccmp', 'locl'],
  preserveNameIds: [0, 13, 14],
  noHinting: true,
});
await writeFile(target, font);
console.info(`${font.length} bytes`);
