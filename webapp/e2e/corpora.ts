/** Texts for the journeys: from public corpora if their folder is available (ANNOTARIUM_CORPORA), else samples written for the project. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CORPORA = process.env['ANNOTARIUM_CORPORA'] ?? join(ROOT, '..', 'shared', 'data');
const PYTHON = process.env['PYTHON'] ?? 'python3';
const EXAMPLES = join(ROOT, 'examples', 'corpora');

export interface SourceDocument {
  readonly identifier: string;
  readonly title: string;
  readonly text: string;
  readonly annotations?: readonly { start: number; end: number; labelName: string }[] | undefined;
  readonly categories?: readonly { labelName: string }[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly reviewed?: boolean | undefined;
}

export interface Corpus {
  /** A JSON file to upload. */
  readonly file: string;
  readonly documents: readonly SourceDocument[];
  /** Two labels that occur in the documents. */
  readonly labels: readonly [string, string];
  /** A word that some, not all, of the documents contain. */
  readonly word: string;
}

function converted(format: string, source: string, options: readonly string[]): SourceDocument[] | null {
  const path = join(CORPORA, source);
  if (!existsSync(path)) return null;
  const output = join(mkdtempSync(join(tmpdir(), 'corpus-')), 'documents.json');
  execFileSync(PYTHON, [join(EXAMPLES, 'to_documents.py'), format, path, '--output', output, ...options]);
  return JSON.parse(readFileSync(output, 'utf8')) as SourceDocument[];
}

export const films = (): SourceDocument[] =>
  JSON.parse(readFileSync(join(EXAMPLES, 'films', 'documents.json'), 'utf8')) as SourceDocument[];

function temporaryFile(content: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'corpus-')), 'corpus.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** The documents of examples/corpora/samples.py, written for the project. */
function sample(kind: string, count: number): SourceDocument[] {
  const output = join(mkdtempSync(join(tmpdir(), 'corpus-')), 'documents.json');
  execFileSync(PYTHON, [join(EXAMPLES, 'samples.py'), kind, '--count', String(count), '--output', output]);
  return JSON.parse(readFileSync(output, 'utf8')) as SourceDocument[];
}

/** A few hundred documents with spans, some of them not annotated yet. */
export function spanCorpus(): Corpus {
  const posts = converted('conll', 'wnut17/wnut17train.conll', ['--split', 'train', '--name', 'wnut']) ?? sample('posts', 700);
  // Documents with spans are best for training. An empty list means that a reviewer found nothing; every fourth
  // document has no list, so it is not annotated yet.
  const marked = posts.filter(({ annotations }) => (annotations ?? []).length > 0).slice(0, 340);
  const plain = posts.filter(({ annotations, text }) => (annotations ?? []).length === 0 && text.length > 20).slice(0, 80);
  const documents = [
    ...marked.map((one, index) => (index % 4 === 3 ? { ...one, annotations: undefined, reviewed: undefined } : one)),
    ...plain,
  ];
  return { file: temporaryFile(documents), documents, labels: ['person', 'location'], word: 'love' };
}

/** Short texts with one of six categories each; every third has none. */
export function categoryCorpus(): SourceDocument[] {
  const questions = converted('banking77', 'banking77/train.csv', ['--split', 'train', '--name', 'bank']) ?? sample('questions', 300);
  const wanted = new Set<string>();
  const kept: SourceDocument[] = [];
  for (const document of questions) {
    const label = document.categories?.[0]?.labelName;
    if (label === undefined || (wanted.size === 6 && !wanted.has(label))) continue;
    wanted.add(label);
    kept.push(kept.length % 3 === 2 ? { ...document, categories: [] } : document);
    if (kept.length === 300) break;
  }
  return kept;
}

const CONCEPT = 'http://example.org/';

/** Concepts in the form of the UNESCO thesaurus. */
const SMALL_THESAURUS = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<${CONCEPT}1> a skos:Concept ; skos:prefLabel "Education"@en, "Éducation"@fr ; skos:narrower <${CONCEPT}2> .
<${CONCEPT}2> a skos:Concept ; skos:prefLabel "Teaching"@en, "Enseignement"@fr ; skos:altLabel "Instruction"@fr ; skos:broader <${CONCEPT}1> .
<${CONCEPT}3> a skos:Concept ; skos:prefLabel "Libraries"@en, "Bibliothèque"@fr ; skos:altLabel "Médiathèque"@fr ;
  skos:definition "Collection organisée de livres et de périodiques."@fr .
`;

export interface Thesaurus {
  /** A SKOS file in Turtle. */
  readonly file: string;
  /** The least number of its concepts. */
  readonly concepts: number;
}

/** A thesaurus in English and French with concepts named éducation, enseignement and bibliothèque. */
export function thesaurus(): Thesaurus {
  const unesco = join(CORPORA, 'unesco-thesaurus', 'unescothes.ttl');
  if (existsSync(unesco)) return { file: unesco, concepts: 4000 };
  const file = join(mkdtempSync(join(tmpdir(), 'thesaurus-')), 'unescothes.ttl');
  writeFileSync(file, SMALL_THESAURUS);
  return { file, concepts: 3 };
}

interface Article {
  readonly paragraphs: readonly { readonly qas: readonly unknown[] }[];
}

export interface AnswersCorpus {
  /** A SQuAD file. */
  readonly file: string;
  readonly documents: number;
  readonly questions: number;
  /** One of its questions, and the title and a word of what answers it. */
  readonly question: string;
  readonly title: string;
  readonly answer: string;
}

/** Articles in English with questions about their paragraphs: the first twelve of XQuAD, undefined without it. */
export function answersCorpus(): AnswersCorpus | undefined {
  const xquad = join(CORPORA, 'xquad', 'xquad.en.json');
  if (!existsSync(xquad)) return undefined;
  const { data } = JSON.parse(readFileSync(xquad, 'utf8')) as { data: Article[] };
  const articles = data.slice(0, 12);
  const questions = articles.flatMap(({ paragraphs }) => paragraphs.flatMap(({ qas }) => qas)).length;
  const file = temporaryFile({ data: articles });
  const question = 'How many career sacks did Jared Allen have?';
  return { file, documents: articles.length, questions, question, title: 'Super_Bowl_50', answer: '136' };
}
