import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/**
 * Sections of the catalogue `messages` that reports of jobs and later screens use. The build puts them into a file of their own, which is
 * read as `messages.json?later` (`src/app/i18n.ts`); in development and in tests `messages.json` stays whole.
 */
const LATER_SECTIONS: ReadonlySet<string> = new Set([
  ...['archive', 'column', 'component', 'condition', 'cut', 'damaged', 'experiment', 'file', 'gate', 'import', 'mail', 'note', 'noText'],
  ...['obo', 'outcome', 'plan', 'question', 'rdf', 'split', 'table', 'term', 'topics', 'train', 'trial', 'what'],
]);

const MESSAGES = /[\\/]locales[\\/]\w+[\\/]messages\.json(\?.*\blater\b.*)?$/;

function partOfMessages(catalogue: Readonly<Record<string, unknown>>, later: boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(catalogue).filter(([section]) => LATER_SECTIONS.has(section) === later));
}

let building = false;

export const laterMessages: Plugin = {
  name: 'later-messages',
  enforce: 'pre',
  configResolved({ command }) {
    building = command === 'build';
  },
  async load(id) {
    const found = MESSAGES.exec(id);
    if (found === null || (!building && found[1] === undefined)) return null;
    const [path = ''] = id.split('?');
    const catalogue = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    const part = JSON.stringify(partOfMessages(catalogue, found[1] !== undefined));
    return { code: `export default JSON.parse(${JSON.stringify(part)})`, moduleType: 'js' };
  },
};
