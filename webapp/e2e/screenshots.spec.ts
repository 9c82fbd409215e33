/** Screenshots of the annotation surface with real texts, light and dark, for visual review: only if SHOTS names a folder. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { expectAccessible, importDocuments, makeProject, shot, signIn } from './studio';

test.describe.configure({ mode: 'serial' });

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CORPORA = process.env['ANNOTARIUM_CORPORA'] ?? join(ROOT, '..', 'shared', 'data');

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly labelName: string;
  readonly text?: string;
}
interface Source {
  readonly identifier: string;
  readonly title?: string;
  readonly text: string;
  readonly annotations: readonly Mark[];
}

/** Consecutive sentences of a CoNLL file as one document: those with the most spans. */
function densest(path: string, sentences: number): Source | undefined {
  if (!existsSync(join(CORPORA, path))) return undefined;
  const output = join(mkdtempSync(join(tmpdir(), 'pictures-')), 'documents.json');
  const script = join(ROOT, 'examples', 'corpora', 'to_documents.py');
  const options = ['--output', output, '--sentences-per-document', String(sentences)];
  execFileSync(process.env['PYTHON'] ?? 'python3', [script, 'conll', join(CORPORA, path), ...options]);
  const all = JSON.parse(readFileSync(output, 'utf8')) as Source[];
  const emoji = (text: string) => text.match(/\p{Extended_Pictographic}/gu)?.length ?? 0;
  const weight = ({ annotations, text }: Source) => annotations.length + (path.includes('wnut') ? 20 * emoji(text) : 0);
  return all.toSorted((a, b) => weight(b) - weight(a))[0];
}

/** Offsets of the API count code points. */
const codePoints = (text: string, units: number) => Array.from(text.slice(0, units)).length;

/** Adds nested and crossing spans to those of the corpus: a body part in a disease, a finding that continues after it. */
function overlapping(source: Source | undefined): Source | undefined {
  if (source === undefined) return undefined;
  const signs = Array.from(source.text);
  const more = source.annotations.flatMap(({ start, end }): Mark[] => {
    const own = signs.slice(start, end).join('');
    const space = own.indexOf(' ');
    if (space < 0) return [];
    const next = signs.indexOf(' ', end + 1);
    return [
      { start, end: start + space, labelName: 'body_part' },
      { start: start + space + 1, end: next > 0 && next < end + 20 ? next : end, labelName: 'finding' },
    ];
  });
  return { ...source, annotations: [...source.annotations, ...more] };
}

/** A long agreement, written for the tests: numbered clauses with parties, dates, amounts, cross references. */
function contract(): Source {
  const parties = ['Northwind Harbour Ltd', 'the Supplier', 'Mole Street Holdings', 'the Customer'];
  const clauses = Array.from({ length: 220 }, (_, n) => {
    const [one, other] = [parties[n % 4] ?? '', parties[(n + 1) % 4] ?? ''];
    const amount = `EUR ${((n + 3) * 1250).toLocaleString('en')}.00`;
    const day = `${String(1 + (n % 28))} March 20${String(26 + (n % 5))}`;
    return `${String(n + 1)}. Subject to Clause ${String(1 + ((n * 7) % 220))}, ${one} shall pay ${other} the sum of ${amount} on or before ${day}, failing which interest accrues daily at the rate set out in Schedule ${String(1 + (n % 6))}.`;
  });
  const text = clauses.join('\n');
  const marks: [RegExp, string][] = [
    [/Northwind Harbour Ltd|the Supplier|Mole Street Holdings|the Customer/gu, 'party'],
    [/EUR [\d,.]+\d/gu, 'amount'],
    [/\d+ March \d{4}/gu, 'date'],
    [/Clause \d+|Schedule \d+/gu, 'reference'],
    [/shall pay .*? the sum of EUR [\d,.]+\d/gu, 'obligation'],
  ];
  const annotations = marks.flatMap(([pattern, labelName]) =>
    [...text.matchAll(pattern)].map((found): Mark => {
      const start = codePoints(text, found.index);
      return { start, end: start + Array.from(found[0]).length, labelName };
    }),
  );
  return { identifier: 'contract', text, annotations };
}

const CASES: readonly (readonly [string, string, () => Source | undefined])[] = [
  ['contract', 'en', contract],
  ['news-es', 'es', () => densest('conll2002-es/esp.testa', 30)],
  ['diseases', 'en', () => overlapping(densest('NCBI-disease/train.tsv', 12))],
  ['tweets', 'en', () => densest('wnut17/emerging.dev.conll', 25)],
];

let page: Page;
test.beforeAll(async ({ browser }) => {
  test.skip(process.env['SHOTS'] === undefined, 'Only for people to look at: name a folder for the pictures in SHOTS');
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signIn(page);
});
test.afterAll(() => page?.context().close());

for (const [name, language, make] of CASES) {
  test(`${name}, light and dark`, async () => {
    const source = make();
    test.skip(source === undefined, `No such corpus in ${CORPORA}: name a folder with the public corpora in ANNOTARIUM_CORPORA`);
    if (source === undefined) return;
    const project = await makeProject(page, `Picture ${name}`, 'sequence_labelling', language);
    const signs = Array.from(source.text);
    const annotations = source.annotations.map((one, at) => ({
      ...one,
      text: signs.slice(one.start, one.end).join(''),
      ...(at % 5 === 4 ? { creationMode: 'automatic', score: 0.8 } : { status: 'OK', creationMode: 'manual' }),
    }));
    await importDocuments(page, project, [{ ...source, identifier: 'd1', title: `Picture of ${name}`, annotations }]);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(`/openProject/${project}/documents`);
      await expect(page.getByText('1 document', { exact: true })).toBeVisible();
      await page.goto(`/document/${Buffer.from(JSON.stringify({ documentIdentifier: 'd1' })).toString('base64url')}`);
      await page.locator('.ann-mark').first().waitFor();
      await page.locator('.ann-mark').nth(3).click();
      await expect(page.locator('.ann-focused').first()).toBeVisible();
      await shot(page, `picture-${name}-${scheme}`);
      await expectAccessible(page);
    }
  });
}
