/**
 * The rows of a hierarchy of concepts, of which only those looked at are loaded. A concept with several broader ones is shown below each of
 * them; a concept that is broader than itself is not opened again.
 */
import { NARROWER_PAGE, type TermNode, type TermNodes } from '@/api/resources/terms';

/** The concepts below one, as far as they are loaded. */
export interface LoadedConcepts {
  readonly total: number;
  readonly byIndex: ReadonlyMap<number, TermNode>;
}

/** By identifier of the broader concept; '' for those without one. */
export type LoadedTree = ReadonlyMap<string, LoadedConcepts>;

export interface TreeRow {
  /** The identifiers from the root to the concept; of a row that is not loaded, its number below the broader concept. */
  readonly path: string;
  /** Undefined while it is not loaded. */
  readonly concept: TermNode | undefined;
  /** Identifier of the broader concept. */
  readonly parent: string;
  /** Path of the broader concept; '' for the first level. */
  readonly parentPath: string;
  readonly index: number;
  readonly size: number;
  /** From 1. */
  readonly level: number;
  /** Undefined for a concept without narrower ones. */
  readonly open: boolean | undefined;
}

const SEPARATOR = '\n';
export const childPath = (path: string, identifier: string): string => `${path}${SEPARATOR}${identifier}`;
const isInPath = (path: string, identifier: string): boolean => path.split(SEPARATOR).includes(identifier);

/** The tree with another page of the concepts below one. */
export function withPage(tree: LoadedTree, parent: string, from: number, page: TermNodes): LoadedTree {
  const byIndex = new Map(tree.get(parent)?.byIndex);
  page.terms.forEach((concept, at) => byIndex.set(from + at, concept));
  return new Map(tree).set(parent, { total: page.total, byIndex });
}

interface Branch {
  readonly parent: string;
  readonly path: string;
  readonly level: number;
  /** Number of its concepts while none is loaded. */
  readonly expected: number;
}

/** All rows of the opened part, in order. */
export function rowsOf(tree: LoadedTree, opened: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = ({ parent, path, level, expected }: Branch): void => {
    const loaded = tree.get(parent);
    const size = loaded?.total ?? expected;
    for (let index = 0; index < size; index += 1) {
      const concept = loaded?.byIndex.get(index);
      const own = concept === undefined ? `${path}${SEPARATOR}${SEPARATOR}${index}` : childPath(path, concept.identifier);
      const narrower = concept?.narrowerCount ?? 0;
      const opens = concept !== undefined && narrower > 0 && !isInPath(path, concept.identifier);
      const open = opens ? opened.has(own) : undefined;
      rows.push({ path: own, concept, parent, parentPath: path, index, size, level, open });
      if (open === true && concept !== undefined) add({ parent: concept.identifier, path: own, level: level + 1, expected: narrower });
    }
  };
  add({ parent: '', path: '', level: 1, expected: 1 });
  return rows;
}

export interface PageOfConcepts {
  readonly parent: string;
  readonly from: number;
}

/** The pages that the given rows lack, each once. */
export function missingPages(rows: readonly TreeRow[]): readonly PageOfConcepts[] {
  const pages = new Map<string, PageOfConcepts>();
  for (const { concept, parent, index } of rows) {
    if (concept !== undefined) continue;
    const from = Math.floor(index / NARROWER_PAGE) * NARROWER_PAGE;
    pages.set(`${from} ${parent}`, { parent, from });
  }
  return [...pages.values()];
}

/** What a key does in the tree: the row to go to, or the row to open or close. */
export type TreeMove = { readonly go: number } | { readonly toggle: number } | { readonly choose: number } | null;

const SIDEWAYS = { rtl: { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' } as Readonly<Record<string, string>>, ltr: {} } as const;

function sideways(rows: readonly TreeRow[], at: number, inwards: boolean): TreeMove {
  const row = rows[at];
  if (row === undefined) return null;
  if (inwards) return row.open === false ? { toggle: at } : row.open === true ? { go: at + 1 } : null;
  if (row.open === true) return { toggle: at };
  const parent = rows.findIndex(({ path }) => path === row.parentPath);
  return parent < 0 ? null : { go: parent };
}

/** The keys of an ARIA tree. */
export function moveInTree(
  rows: readonly TreeRow[],
  at: number,
  key: string,
  pageRows: number,
  direction: 'ltr' | 'rtl' = 'ltr',
): TreeMove {
  const last = rows.length - 1;
  const go = (row: number): TreeMove => ({ go: Math.max(0, Math.min(last, row)) });
  switch ((SIDEWAYS[direction] as Readonly<Record<string, string>>)[key] ?? key) {
    case 'ArrowDown':
      return go(at + 1);
    case 'ArrowUp':
      return go(at - 1);
    case 'Home':
      return go(0);
    case 'End':
      return go(last);
    case 'PageDown':
      return go(at + pageRows);
    case 'PageUp':
      return go(at - pageRows);
    case 'ArrowRight':
      return sideways(rows, at, true);
    case 'ArrowLeft':
      return sideways(rows, at, false);
    case 'Enter':
    case ' ':
      return { choose: at };
    default:
      return null;
  }
}
