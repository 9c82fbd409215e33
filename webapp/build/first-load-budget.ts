import type { Plugin, Rolldown } from 'vite';
import { brotliOf } from './compressed-files.ts';

export interface Budget {
  /** What is opened: `sign-in`. */
  readonly name: string;
  /** Modules that it loads at once, below `src/`; what they import belongs to them. */
  readonly modules: readonly string[];
  /** Files that style sheets name and that it needs, by the beginning of their names: fonts. */
  readonly files: readonly string[];
  /** Requests besides these files: the page, its icon, calls of the API. */
  readonly otherRequests: number;
  /** Of their answers with the headers, in bytes. */
  readonly otherBytes: number;
  readonly maxRequests?: number;
  readonly maxBytes: number;
}

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

const chunksOf = (bundle: Bundle) => Object.values(bundle).filter((file): file is Chunk => file.type === 'chunk');

/** The chunk with the module, and the chunks that it imports. */
function addClosure(bundle: Bundle, chunk: Chunk, found: Set<string>): void {
  if (found.has(chunk.fileName)) return;
  found.add(chunk.fileName);
  for (const name of chunk.imports) {
    const imported = bundle[name];
    if (imported?.type === 'chunk') addClosure(bundle, imported, found);
  }
}

const ofModule = (chunk: Chunk, module: string) => chunk.moduleIds.some((id) => id.endsWith(`/src/${module}`));

/** Names of the files that a page loads: chunks, their style sheets, fonts. */
function loadedFiles(bundle: Bundle, budget: Budget): Set<string> {
  const found = new Set<string>();
  for (const module of budget.modules) {
    const chunk = chunksOf(bundle).find((one) => ofModule(one, module));
    if (chunk === undefined) throw new Error(`First load of ${budget.name}: no chunk has src/${module}`);
    addClosure(bundle, chunk, found);
  }
  for (const name of [...found]) {
    const chunk = bundle[name];
    const sheets = chunk?.type === 'chunk' ? chunk.viteMetadata?.importedCss : undefined;
    for (const sheet of sheets ?? []) found.add(sheet);
  }
  for (const start of budget.files) {
    const file = Object.keys(bundle).find((name) => name.includes(start));
    if (file === undefined) throw new Error(`First load of ${budget.name}: there is no file ${start}`);
    found.add(file);
  }
  return found;
}

/** Of an answer: content policy, entity tag and the like, as browsers count them. */
const HEADER_BYTES = 780;

/** Size as sent: fonts as they are, texts as brotli. */
async function sentSize(file: Bundle[string]): Promise<number> {
  const content = file.type === 'chunk' ? file.code : file.source;
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return HEADER_BYTES + (file.fileName.endsWith('.woff2') ? bytes : await brotliOf(bytes)).byteLength;
}

interface Measured {
  readonly requests: number;
  readonly bytes: number;
  /** Largest first. */
  readonly files: readonly (readonly [name: string, bytes: number])[];
}

export async function measureFirstLoad(bundle: Bundle, budget: Budget): Promise<Measured> {
  const names = [...loadedFiles(bundle, budget)];
  const sizes = await Promise.all(names.map(async (name) => [name, await sentSize(bundle[name] as Bundle[string])] as const));
  return {
    requests: sizes.length + budget.otherRequests,
    bytes: sizes.reduce((sum, [, bytes]) => sum + bytes, budget.otherBytes),
    files: sizes.sort(([, a], [, b]) => b - a),
  };
}

/** What is too much, with the files that are sent; undefined within the budget. */
export function excess(budget: Budget, measured: Measured): string | undefined {
  const many = budget.maxRequests !== undefined && measured.requests > budget.maxRequests;
  if (!many && measured.bytes <= budget.maxBytes) return undefined;
  const limit = `${budget.maxRequests === undefined ? '' : `${budget.maxRequests} requests, `}${budget.maxBytes} bytes`;
  const files = measured.files.map(([name, bytes]) => `  ${bytes} ${name}`).join('\n');
  return `First load of ${budget.name}: ${measured.requests} requests, ${measured.bytes} bytes; at most ${limit}\n${files}`;
}

/**
 * Fails the build when a page needs more than its budget before it is usable. The browser's own count is in
 * `e2e/first-load.spec.ts`; what is loaded while nothing else is to do does not count.
 */
export function firstLoadBudget(budgets: readonly Budget[]): Plugin {
  return {
    name: 'first-load-budget',
    apply: 'build',
    writeBundle: {
      order: 'post',
      async handler(_options, bundle) {
        for (const budget of budgets) {
          const measured = await measureFirstLoad(bundle, budget);
          const said = excess(budget, measured);
          if (said !== undefined) this.error(said);
          console.info(`First load of ${budget.name}: ${measured.requests} requests, ${measured.bytes} bytes`);
        }
      },
    },
  };
}
