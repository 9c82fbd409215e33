// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/u.test(name) && !name.includes('.test.') && name !== join('api', 'schema.d.ts'))
  .sort();
const known = new Set(files);

/** Imports and re-exports of a file, including types; without `import()`, which is evaluated later. */
function importsOf(file: string): readonly string[] {
  return ts
    .preProcessFile(readFileSync(join(SRC, file), 'utf8'), true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.') || name.startsWith('@/'));
}

function fileOf(importer: string, name: string): string | undefined {
  const base = name.startsWith('@/') ? name.slice(2) : normalize(join(dirname(importer), name));
  return [base, `${base}.ts`, `${base}.tsx`].find((path) => known.has(path));
}

type Graph = ReadonlyMap<string, readonly string[]>;

/** Import cycles (Tarjan's strongly connected components with more than one file). */
function circlesOf(graph: Graph): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const number = order.size;
    order.set(file, number);
    open.push(file);
    let low = number;
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === number) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) found.push(group.sort());
    }
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found.sort();
}

const graph: Graph = new Map(files.map((file) => [file, importsOf(file).flatMap((name) => fileOf(file, name) ?? [])] as const));

describe('imports of the web app', () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(300);
    expect([...graph.values()].flat().length).toBeGreaterThan(1000);
    expect(
      circlesOf(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['a', 'd']],
          ['d', []],
        ]),
      ),
    ).toEqual([['a', 'b', 'c']]);
  });

  it('contain no cycles, including type imports', () => {
    expect(circlesOf(graph)).toEqual([]);
  });

  it('are written ./x within a folder and @/... across folders', () => {
    const other = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => (name.startsWith('@/') ? dirname(name.slice(2)) === dirname(file) : name.startsWith('..')))
        .map((name) => `${file}: ${name}`),
    );
    expect(other).toEqual([]);
  });
});
