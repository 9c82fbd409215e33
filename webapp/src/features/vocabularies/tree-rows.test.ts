// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TermNode } from '@/api/resources/terms';
import { missingPages, moveInTree, rowsOf, withPage, type LoadedTree } from './tree-rows';

const concept = (identifier: string, narrowerCount = 0): TermNode => ({ identifier, preferredForm: identifier, narrowerCount });
const page = (total: number, ...terms: TermNode[]) => ({ total, terms });
const NO_TREE: LoadedTree = new Map();

const TREE = withPage(withPage(NO_TREE, '', 0, page(2, concept('a', 2), concept('b'))), 'a', 0, page(2, concept('c', 1), concept('d')));
const pathsOf = (tree: LoadedTree, ...opened: string[]) => rowsOf(tree, new Set(opened)).map(({ path }) => path);

describe('the rows of a hierarchy', () => {
  it('are one to load while nothing is known', () => {
    const rows = rowsOf(NO_TREE, new Set());
    expect(rows.map(({ concept: known }) => known)).toEqual([undefined]);
    expect(missingPages(rows)).toEqual([{ parent: '', from: 0 }]);
  });

  it('are those of the opened concepts, with their level and position', () => {
    expect(pathsOf(TREE)).toEqual(['\na', '\nb']);
    expect(pathsOf(TREE, '\na')).toEqual(['\na', '\na\nc', '\na\nd', '\nb']);
    const [, below] = rowsOf(TREE, new Set(['\na']));
    expect(below).toMatchObject({ level: 2, index: 0, size: 2, parent: 'a', parentPath: '\na', open: false });
  });

  it('have as many rows as a concept announces before they are loaded', () => {
    const tree = withPage(NO_TREE, '', 0, page(1, concept('a', 250)));
    const rows = rowsOf(tree, new Set(['\na']));
    expect(rows).toHaveLength(251);
    expect(missingPages(rows.slice(0, 40))).toEqual([{ parent: 'a', from: 0 }]);
    expect(missingPages(rows.slice(95, 110))).toEqual([
      { parent: 'a', from: 0 },
      { parent: 'a', from: 100 },
    ]);
  });

  it('end where a concept is broader than itself', () => {
    const tree = withPage(withPage(NO_TREE, '', 0, page(1, concept('a', 1))), 'a', 0, page(1, concept('a', 1)));
    const rows = rowsOf(tree, new Set(['\na', '\na\na']));
    expect(rows.map(({ open }) => open)).toEqual([true, undefined]);
  });

  it('show a concept below each of its broader ones, opened on its own', () => {
    const shared = concept('x', 1);
    let tree = withPage(NO_TREE, '', 0, page(2, concept('a', 1), concept('b', 1)));
    tree = withPage(withPage(withPage(tree, 'a', 0, page(1, shared)), 'b', 0, page(1, shared)), 'x', 0, page(1, concept('y')));
    expect(pathsOf(tree, '\na', '\nb', '\na\nx')).toEqual(['\na', '\na\nx', '\na\nx\ny', '\nb', '\nb\nx']);
  });

  it('are a hundred thousand without loading them', () => {
    const tree = withPage(NO_TREE, '', 0, page(100_000, concept('a')));
    const rows = rowsOf(tree, new Set());
    expect(rows).toHaveLength(100_000);
    expect(missingPages(rows.slice(99_980))).toEqual([{ parent: '', from: 99_900 }]);
  });

  it('have paths of their own', () => {
    const edges = fc.array(fc.tuple(fc.constantFrom('', 'a', 'b', 'c'), fc.constantFrom('a', 'b', 'c')), { maxLength: 9 });
    fc.assert(
      fc.property(edges, fc.array(fc.constantFrom('\na', '\nb', '\na\nb', '\na\nc', '\nb\na', '\na\nb\nc')), (pairs, opened) => {
        let tree = NO_TREE;
        for (const parent of ['', 'a', 'b', 'c']) {
          const below = [...new Set(pairs.filter(([from]) => from === parent).map(([, to]) => to))];
          tree = withPage(tree, parent, 0, page(below.length, ...below.map((name) => concept(name, 1))));
        }
        const paths = rowsOf(tree, new Set(opened)).map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
      }),
    );
  });
});

describe('the keys of the tree', () => {
  const rows = rowsOf(TREE, new Set(['\na']));

  it('go through the rows', () => {
    expect(moveInTree(rows, 0, 'ArrowDown', 10)).toEqual({ go: 1 });
    expect(moveInTree(rows, 0, 'ArrowUp', 10)).toEqual({ go: 0 });
    expect(moveInTree(rows, 0, 'End', 10)).toEqual({ go: 3 });
    expect(moveInTree(rows, 3, 'Home', 10)).toEqual({ go: 0 });
    expect(moveInTree(rows, 0, 'PageDown', 2)).toEqual({ go: 2 });
    expect(moveInTree(rows, 3, 'PageDown', 2)).toEqual({ go: 3 });
  });

  it('open, enter, leave and close a concept', () => {
    expect(moveInTree(rows, 1, 'ArrowRight', 10)).toEqual({ toggle: 1 });
    expect(moveInTree(rows, 0, 'ArrowRight', 10)).toEqual({ go: 1 });
    expect(moveInTree(rows, 2, 'ArrowLeft', 10)).toEqual({ go: 0 });
    expect(moveInTree(rows, 0, 'ArrowLeft', 10)).toEqual({ toggle: 0 });
    expect(moveInTree(rows, 3, 'ArrowRight', 10)).toBeNull();
    expect(moveInTree(rows, 3, 'ArrowLeft', 10)).toBeNull();
  });

  it('are mirrored in a right-to-left page', () => {
    expect(moveInTree(rows, 1, 'ArrowLeft', 10, 'rtl')).toEqual({ toggle: 1 });
    expect(moveInTree(rows, 2, 'ArrowRight', 10, 'rtl')).toEqual({ go: 0 });
  });

  it('choose, and leave other keys alone', () => {
    expect(moveInTree(rows, 2, 'Enter', 10)).toEqual({ choose: 2 });
    expect(moveInTree(rows, 2, ' ', 10)).toEqual({ choose: 2 });
    expect(moveInTree(rows, 2, 'x', 10)).toBeNull();
  });
});
