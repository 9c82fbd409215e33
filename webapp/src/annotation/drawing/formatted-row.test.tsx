import { cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestI18n } from '@/test/render';
import { buildLaidOutRows, type LayoutMark } from '@/text/layout';
import { assignSpanLanes } from '@/text/span-runs';
import { offsetOfPosition } from './dom-offset';
import type { SentenceCategory, Span } from '@/annotation/model';
import { useAnnotationStrings } from '@/annotation/strings';
import { TextRow } from './text-row';
import { APPEARANCE, WithAppearance, span } from '@/annotation/testing/fixtures';

beforeAll(async () => {
  await startTestI18n();
});
afterEach(cleanup);

interface ShownProps {
  readonly text: string;
  readonly layout: readonly LayoutMark[];
  readonly spans?: readonly Span[];
  readonly categories?: readonly SentenceCategory[];
}

const NO_LAYERS = { selectionStart: -1, selectionEnd: -1, caretStart: -1, caretEnd: -1, focusedId: undefined, hoveredId: undefined };

function Rows({ text, layout, spans = [], categories = [] }: ShownProps): ReactNode {
  const strings = useAnnotationStrings();
  const context = { appearance: APPEARANCE, strings, rtl: false, idPrefix: 'x' };
  const placed = assignSpanLanes(spans);
  return buildLaidOutRows(text, layout).map((row) => (
    <TextRow
      key={row.index}
      {...{ text, row, placed, categories, context }}
      {...NO_LAYERS}
      hits={[]}
      currentSegment={-1}
      alternate={false}
    />
  ));
}

const show = (text: string, layout: readonly LayoutMark[], spans: readonly Span[], categories: readonly SentenceCategory[] = []) =>
  render(
    <WithAppearance>
      <Rows {...{ text, layout, spans, categories }} />
    </WithAppearance>,
  );

const TEXT = 'The 😀 town\n\nAda Lovelace met\tshe\r\nsaid.\n\nCity\tYear\nZürich\t\n\nx = 1\n  y';
const at = (words: string, kind: LayoutMark['kind'], more: Partial<LayoutMark> = {}): LayoutMark => ({
  kind,
  start: TEXT.indexOf(words),
  end: TEXT.indexOf(words) + words.length,
  ...more,
});
const LAYOUT: LayoutMark[] = [
  at('The 😀 town', 'heading', { level: 2 }),
  at('Ada Lovelace met\tshe\r\nsaid.', 'paragraph'),
  at('Ada Lovelace', 'strong'),
  at('Lovelace', 'link', { href: 'https://example.org/' }),
  { kind: 'image', start: TEXT.indexOf(' met'), end: TEXT.indexOf(' met'), alt: 'A map' },
  at('City\tYear\nZürich\t', 'table'),
  at('City\tYear', 'row'),
  at('City', 'cell', { header: true }),
  at('Year', 'cell', { header: true }),
  at('Zürich\t', 'row'),
  at('Zürich', 'cell'),
  { kind: 'cell', start: TEXT.indexOf('Zürich\t') + 7, end: TEXT.indexOf('Zürich\t') + 7 },
  at('x = 1\n  y', 'preformatted'),
];

describe('formatted rows', () => {
  it('S-011: are elements of their own whose text is their slice of the document, marks included', () => {
    const spans = [span('a', 4, 6), span('b', 17, 29, 'location'), span('c', 21, 45)];
    const { container } = show(TEXT, LAYOUT, spans);
    const blocks = [...container.querySelectorAll<HTMLElement>('[data-start]')];
    expect(blocks.map(({ tagName }) => tagName)).toEqual(['H3', 'DIV', 'DIV', 'DIV', 'DIV', 'PRE']);
    for (const block of blocks) {
      const [start, end] = [Number(block.dataset['start']), Number(block.dataset['end'])];
      expect(block.textContent).toBe(TEXT.slice(start, end));
      const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
      let passed = start;
      for (let node = walker.nextNode() as globalThis.Text | null; node !== null; node = walker.nextNode() as globalThis.Text | null) {
        expect(offsetOfPosition(container, node, 0)).toBe(passed);
        passed += node.data.length;
      }
    }
    expect(screen.getByRole('heading', { level: 3, name: /town/u })).toBeInTheDocument();
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['City', 'Year']);
    expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['Zürich', '']);
    expect([...container.querySelectorAll('strong')].map(({ textContent }) => textContent).join('')).toBe('Ada Lovelace');
    expect(screen.getByRole('img', { name: 'A map' })).toBeInTheDocument();
    expect(container.querySelector('a, img, script')).toBeNull();
    for (const id of ['a', 'b', 'c']) expect(container.querySelectorAll(`[id="x-${id}"]`)).toHaveLength(1);
  });

  it('shows the category of a sentence at its end, inside the block', () => {
    const end = TEXT.indexOf(' met');
    const category = { start: TEXT.indexOf('Ada'), end, label: 'role', suggested: false };
    const { container } = show(TEXT, LAYOUT, [], [category]);
    const tags = [...container.querySelectorAll<HTMLElement>('.ann-category')];
    expect(tags.map(({ dataset }) => dataset['category'])).toEqual(['Role or title']);
    expect(tags[0]?.nextSibling?.textContent ?? tags[0]?.parentElement?.textContent).toContain(' met');
  });

  it('sets the direction of a block only where its script differs', () => {
    const text = 'A town\n\nשלום עולם.\n\nשלום Ada';
    const paragraphs = text.split('\n\n').map((words) => ({
      kind: 'paragraph' as const,
      start: text.indexOf(words),
      end: text.indexOf(words) + words.length,
    }));
    const { container } = show(text, [...paragraphs, { kind: 'strong', start: 0, end: 1 }], []);
    const directions = [...container.querySelectorAll('.ann-text')].map((block) => block.getAttribute('dir'));
    expect(directions).toEqual([null, 'rtl', null]);
  });
});
