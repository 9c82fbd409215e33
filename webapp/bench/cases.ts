/** Documents of the bench: the text of the design picture, large generated ones, hard scripts. */
import type { SentenceCategory, Span, SpanStatus, TextRange } from '../src/annotation/model';
import type { SegmentRange } from '../src/text/rows';

export const LABELS: readonly (readonly [string, string, string, string, string])[] = [
  ['PER', 'Person', 'PER', '#017D7E', '1'],
  ['ORG', 'Organisation', 'ORG', '#A25703', '2'],
  ['LOC', 'Location', 'LOC', '#7A54BA', '3'],
  ['EVT', 'Event', 'EVT', '#0DA39B', '4'],
  ['ROLE', 'Role or title', 'ROLE', '#BF8610', '5'],
  ['AMT', 'Amount of money', 'AMT', '#313E8C', '6'],
  ['DATE', 'Date or period', 'DATE', '#7C2700', '7'],
  ['LAW', 'Law or regulation', 'LAW', '#957EE5', '8'],
  ['SITE', 'Site or building', 'SITE', '#9E4594', '9'],
  ['POL', 'Political group', 'POL', '#D76695', 'p'],
];

export interface BenchCase {
  readonly title?: string;
  readonly text: string;
  readonly segments: readonly SegmentRange[];
  readonly spans: readonly Span[];
  readonly hits: readonly TextRange[];
  readonly categories: readonly SentenceCategory[];
  readonly focusedId?: string | undefined;
}

const PICTURE = [
  'PORT ELLERY, 14 March — After nine hours of debate, the city council of Port Ellery voted on Tuesday to build the Ellery Gate, a movable barrier meant to keep the lower town dry until the end of the century.',
  'Marianne Dussault, former deputy mayor of Port Ellery and now chair of the Harbour Resilience Board, called the vote “the least bad of three bad evenings”.',
  'The works are priced at 318 million crowns, a third more than the figure given under the Coastal Defence Act 2029 budget, and the national treasury will cover only half of the difference.',
  'Oskar Lindqvist, who runs the chandlery on Mole Street, said his insurer, Baltic Mutual, had already declined to renew his flood cover for next winter.',
  'Opponents from the Green Quays group want the money spent on raising the quays instead; their leader, Ines Okafor-Lund, will appeal to the Regional Water Court in Halden before the summer recess.',
  'Engineers expect to sink the first caisson in May 2028, once the herring run has passed. They will employ about four hundred people and close the inner basin for two seasons, says the Coastal Protection Fund, which holds the contract.',
];

const MARKS: readonly (readonly [string, string, SpanStatus?, number?])[] = [
  ['PORT ELLERY', 'LOC'],
  ['14 March', 'DATE'],
  ['city council of Port Ellery', 'ORG'],
  ['Port Ellery', 'LOC'],
  ['Tuesday', 'DATE', 'suggested', 0.91],
  ['Ellery Gate', 'SITE'],
  ['the end of the century', 'DATE', 'suggested', 0.58],
  ['Marianne Dussault', 'PER'],
  ['former deputy mayor of Port Ellery', 'ROLE'],
  ['chair of the Harbour Resilience Board', 'ROLE'],
  ['Harbour Resilience Board', 'ORG'],
  ['318 million crowns', 'AMT'],
  ['a third more', 'AMT', 'rejected'],
  ['Coastal Defence Act 2029', 'LAW'],
  ['2029 budget', 'EVT'],
  ['2029', 'DATE'],
  ['national treasury', 'ORG', 'suggested', 0.77],
  ['Oskar Lindqvist', 'PER'],
  ['Mole Street', 'LOC'],
  ['Baltic Mutual', 'ORG', 'saving'],
  ['next winter', 'DATE', 'suggested', 0.83],
  ['Green Quays group', 'POL'],
  ['Ines Okafor-Lund', 'PER'],
  ['Regional Water Court in Halden', 'ORG'],
  ['Halden', 'LOC'],
  ['the summer recess', 'DATE'],
  ['May 2028', 'DATE'],
  ['two seasons', 'DATE', 'suggested', 0.66],
];

function joined(sentences: readonly string[], glue: string): { text: string; segments: SegmentRange[] } {
  const segments: SegmentRange[] = [];
  let text = '';
  for (const sentence of sentences) {
    segments.push({ start: text.length, end: text.length + sentence.length });
    text += sentence + glue;
  }
  return { text, segments };
}

function picture(): BenchCase {
  const { text, segments } = joined(PICTURE, '\n');
  const spans = MARKS.map(([part, label, status = 'confirmed', score], n): Span => {
    const start = text.indexOf(part);
    return { id: `s${String(n)}`, start, end: start + part.length, label, status, creationMode: 'manual', score, creator: 'Malik Larbi' };
  });
  const inner = text.indexOf('Port Ellery', text.indexOf('former'));
  spans.push({ id: 'inner', start: inner, end: inner + 11, label: 'LOC', status: 'confirmed', creationMode: 'manual' });
  return {
    title: 'Council clears the tide barrier, but the bill keeps rising',
    text,
    segments,
    spans,
    hits: [],
    categories: [],
    focusedId: 's8',
  };
}

const RTL = [
  'بدأ مجلس المدينة في القاهرة جلسته يوم الثلاثاء بحضور أحمد زكي رئيس هيئة الميناء.',
  'وقال أحمد زكي إن مشروع Ellery Gate يكلف 318 مليون جنيه وفقا لقانون حماية السواحل لعام 2029.',
];

function rightToLeft(): BenchCase {
  const { text, segments } = joined(RTL, '\n');
  const parts: readonly (readonly [string, string])[] = [
    ['مجلس المدينة في القاهرة', 'ORG'],
    ['القاهرة', 'LOC'],
    ['أحمد زكي رئيس هيئة الميناء', 'ROLE'],
    ['أحمد زكي', 'PER'],
    ['هيئة الميناء', 'ORG'],
    ['Ellery Gate', 'SITE'],
    ['318 مليون جنيه', 'AMT'],
    ['قانون حماية السواحل لعام 2029', 'LAW'],
    ['2029', 'DATE'],
  ];
  const spans = parts.map(([part, label], n): Span => ({
    id: `r${String(n)}`,
    start: text.indexOf(part),
    end: text.indexOf(part) + part.length,
    label,
    status: n === 5 ? 'suggested' : 'confirmed',
    creationMode: 'manual',
    score: n === 5 ? 0.64 : undefined,
  }));
  return {
    text,
    segments,
    spans,
    hits: [{ start: text.indexOf('الميناء'), end: text.indexOf('الميناء') + 7 }],
    categories: [
      { ...segments[0]!, label: 'EVT', score: 0.7, suggested: true },
      { ...segments[1]!, label: 'POL', suggested: false },
    ],
    focusedId: 'r2',
  };
}

const WORDS =
  'the harbour council voted to build a movable barrier meant keep lower town dry until end century Marianne Dussault Oskar Lindqvist Halden Mole Street 😀 crowns treasury'.split(
    ' ',
  );

/** Reproducible random numbers (mulberry32). */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

function longText(size: number, random: (limit: number) => number): { text: string; segments: SegmentRange[] } {
  const sentences: string[] = [];
  for (let length = 0; length < size;) {
    const sentence = `${Array.from({ length: 8 + random(14) }, () => WORDS[random(WORDS.length)]).join(' ')}.`;
    sentences.push(sentence);
    length += sentence.length + 1;
  }
  return joined(sentences, ' ');
}

/** Deterministic document of `size` UTF-16 units with `count` spans in the server's order: 70 % single, 18 % nested, 12 % crossing. */
function large(size: number, count: number): BenchCase {
  const random = randomNumbers(42);
  const { text, segments } = longText(size, random);
  const slot = Math.floor(text.length / count);
  const length = Math.max(3, Math.min(24, Math.floor(slot / 2)));
  const spans: Span[] = [];
  const add = (start: number, end: number): void => {
    const label = LABELS[random(LABELS.length)]![0];
    const status = random(5) === 0 ? 'suggested' : 'confirmed';
    spans.push({ id: `g${String(spans.length)}`, start, end, label, status, creationMode: 'automatic', score: 0.8 });
  };
  while (spans.length + 1 < count) {
    const start = spans.length * slot + random(Math.max(1, slot - length));
    const kind = random(1000);
    // A pair has two spans, so 18 and 12 of 100 spans are 9 and 6 pairs besides 70 single ones.
    if (kind < 824) add(start, start + length);
    else if (kind < 930) {
      add(start, start + length + 2);
      add(start + 1, start + Math.ceil(length / 2));
    } else {
      add(start, start + length);
      add(start + Math.ceil(length / 2), start + length + 4);
    }
  }
  add(text.length - length, text.length);
  spans.sort((a, b) => a.start - b.start || a.end - b.end);
  return { text, segments, spans, hits: [], categories: [] };
}

export function benchCase(name: string, query: URLSearchParams): BenchCase {
  if (name === 'plain')
    return { ...benchCase(query.get('of') ?? 'picture', query), spans: [], hits: [], categories: [], focusedId: undefined };
  if (name === 'rtl') return rightToLeft();
  if (name === 'large') return large(Number(query.get('chars')), Number(query.get('spans')));
  if (name === 'text') return { text: query.get('text') ?? '', segments: [], spans: [], hits: [], categories: [] };
  return picture();
}
