/** Relations and fragments on the surface, by keys and by pointer, with the real catalogues. */
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { currentCommands } from '@/ui/command-registry';
import { usePaletteStore } from '@/ui/palette-store';
import words from '@/locales/en/relations.json';
import { RelationList } from './relation-list';
import { matchNames } from './relation-name-picker';
import type { RelationProps, SpanRelation } from './relations';
import { AnnotationSurface } from '@/annotation/surface/surface';
import type { AnnotationSurfaceProps } from '@/annotation/surface/surface-types';
import { WithAppearance, span } from '@/annotation/testing/fixtures';

const TEXT = 'Ines Okafor leads the Harbour Board of Halden.';
const at = (part: string, id: string, label: string) => span(id, TEXT.indexOf(part), TEXT.indexOf(part) + part.length, label);
const SPANS = [at('Ines Okafor', 'ines', 'person'), at('Harbour Board', 'board', 'organisation'), at('Halden', 'halden', 'location')];
const LEADS: SpanRelation = { id: 'r1', name: 'leads', source: 'ines', target: 'board', status: 'saved', creator: 'marie' };
const STYLE = { line: 'purple', ink: 'indigo' };
const NO_SEGMENTS: readonly never[] = [];

const callbacks = { onLink: vi.fn(), onRename: vi.fn(), onReverse: vi.fn(), onUnlink: vi.fn() };
const onResize = vi.fn();
let surfaceProps: Partial<AnnotationSurfaceProps> = {};

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { relations: words } }, interpolation: { escapeValue: false } });
  // jsdom has no layout: the virtual list needs some height.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(200);
});
beforeEach(() => {
  surfaceProps = {};
  for (const act of [...Object.values(callbacks), onResize]) act.mockReset();
});

function Host({
  relations = [LEADS],
  more = {},
}: {
  readonly relations?: readonly SpanRelation[];
  readonly more?: Partial<RelationProps>;
}) {
  const [focusedId, setFocused] = useState<string | undefined>(undefined);
  const [relation, setRelation] = useState<string | undefined>(undefined);
  const [names] = useState(() => ['leads', 'lies in'].map((name) => ({ name, style: STYLE })));
  const [styleOf] = useState(() => () => STYLE);
  const drawn: RelationProps = { relations, names, styleOf, focusedId: relation, onFocus: setRelation, ...callbacks, ...more };
  return (
    <WithAppearance>
      <AnnotationSurface
        text={TEXT}
        segments={NO_SEGMENTS}
        spans={SPANS}
        extension="none"
        focusedId={focusedId}
        onFocusSpan={setFocused}
        onResize={onResize}
        relations={drawn}
        {...surfaceProps}
      />
    </WithAppearance>
  );
}

const announced = () => screen.getByRole('status').textContent;
const shownText = () => [...document.querySelectorAll('[data-start]')].map((block) => block.textContent).join('');

describe('relations on the surface', () => {
  it('are drawn next to the text, which does not change', () => {
    render(<Host />);
    expect(document.querySelector('.ann-relations')).toHaveAttribute('aria-hidden', 'true');
    const raised = [...document.querySelectorAll('mark')].map((mark) => mark.querySelector('.ann-rise-1') !== null);
    expect(raised).toEqual([true, true, false]);
    expect(shownText()).toBe(TEXT);
  });

  it('leave no trace where there are none', () => {
    render(<Host relations={[]} />);
    expect(document.querySelector('.ann-relations, .ann-rise, .ann-linked')).toBeNull();
  });

  it('are created by keys: from the focused span to another one, with a name', async () => {
    const user = userEvent.setup();
    render(<Host />);
    await user.tab();
    await user.keyboard('{Tab}{Tab}l');
    expect(announced()).toBe('Relation from Harbour Board: go to the target annotation and press Enter; Escape cancels');
    // Other commands are off meanwhile.
    await user.keyboard('{Delete}');
    await user.keyboard('{Enter}');
    expect(announced()).toBe('Choose another annotation first');
    await user.keyboard('{Tab}{Enter}');
    const name = screen.getByRole('combobox', { name: 'Name of the relation' });
    expect(name).toHaveFocus();
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['leads', 'lies in']);
    await user.keyboard('in{Enter}');
    expect(callbacks.onLink).toHaveBeenCalledExactlyOnceWith('board', 'halden', 'lies in');
    expect(screen.getByRole('group', { name: 'Document text' })).toHaveFocus();
  });

  it('are cancelled with Escape, and by the button', async () => {
    const user = userEvent.setup();
    render(<Host />);
    await user.tab();
    await user.keyboard('{Tab}l');
    expect(screen.getByText(/^From “Ines Okafor”/u)).toBeInTheDocument();
    await user.keyboard('{Escape}');
    expect(screen.queryByText(/^From “Ines Okafor”/u)).toBeNull();
    await user.keyboard('l');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByText(/^From “Ines Okafor”/u)).toBeNull();
    expect(callbacks.onLink).not.toHaveBeenCalled();
  });

  it('are stepped through, reversed, renamed and removed by keys', async () => {
    const user = userEvent.setup();
    render(<Host />);
    await user.tab();
    await user.keyboard('{Tab}{Shift>}L{/Shift}');
    expect(announced()).toBe('leads: Ines Okafor → Harbour Board, 1 of 1');
    expect(screen.getByRole('toolbar', { name: 'Actions on the relation leads' })).toBeInTheDocument();
    await user.keyboard('x');
    expect(callbacks.onReverse).toHaveBeenCalledExactlyOnceWith('r1');
    await user.keyboard('o');
    expect(screen.getByRole('group', { name: 'Document text' }).getAttribute('aria-activedescendant')).toMatch(/-board$/u);
    await user.keyboard('{Enter}');
    await user.keyboard('runs{Enter}');
    expect(callbacks.onRename).toHaveBeenCalledExactlyOnceWith('r1', 'runs');
    await user.keyboard('{Delete}');
    expect(callbacks.onUnlink).toHaveBeenCalledExactlyOnceWith('r1');
    await user.keyboard('{Tab}{Shift>}L{/Shift}');
    expect(announced()).toBe('This annotation has no relations');
  });

  it('can only be viewed in a read-only text', async () => {
    const user = userEvent.setup();
    surfaceProps = { readOnly: true };
    render(<Host more={{ onLink: undefined, onRename: undefined, onReverse: undefined, onUnlink: undefined }} />);
    await user.tab();
    await user.keyboard('{Tab}l{Shift>}L{/Shift}');
    expect(announced()).toBe('leads: Ines Okafor → Harbour Board, 1 of 1');
    await user.keyboard('x{Delete}');
    expect(within(screen.getByRole('toolbar')).queryAllByRole('button')).toEqual([]);
    const ids = currentCommands().map(({ id }) => id);
    expect(ids).toContain('text.relationFollow');
    expect(ids).not.toContain('text.link');
  });
});

describe('fragments on the surface', () => {
  it('are added by keys from the words after the span', async () => {
    const user = userEvent.setup();
    render(<Host />);
    await user.tab();
    await user.keyboard('{Tab}a{ArrowRight}{ArrowRight}{Shift>}{ArrowRight}{/Shift}{Enter}');
    expect(onResize).toHaveBeenCalledExactlyOnceWith('ines', {
      start: 0,
      end: 29,
      fragments: [
        { start: 0, end: 11 },
        { start: 18, end: 29 },
      ],
    });
  });

  it('are removed one by one; a continuous span keeps its only one', async () => {
    const user = userEvent.setup();
    const fragments = [
      { start: 0, end: 11 },
      { start: 22, end: 35 },
    ];
    surfaceProps = { spans: [span('both', 0, 35, 'person', { fragments }), SPANS[2]!] };
    render(<Host relations={[]} />);
    await user.tab();
    await user.keyboard('{Tab}{Shift>}A{/Shift}');
    const choices = usePaletteStore.getState().palette?.commands ?? [];
    expect(choices.map(({ title }) => title)).toEqual(['Ines Okafor', 'Harbour Board']);
    choices[0]?.run?.();
    expect(onResize).toHaveBeenCalledExactlyOnceWith('both', { start: 22, end: 35, fragments: undefined });
    await user.keyboard('{Tab}{Shift>}A{/Shift}');
    expect(announced()).toBe('The annotation has only one fragment');
  });

  it('have edges of their own that keys move, never into the next fragment', async () => {
    const user = userEvent.setup();
    const fragments = [
      { start: 0, end: 4 },
      { start: 12, end: 17 },
    ];
    surfaceProps = { spans: [span('both', 0, 17, 'person', { fragments })] };
    render(<Host relations={[]} />);
    await user.tab();
    // The end of the last fragment, its start, the end of the first.
    await user.keyboard('{Tab}rrr{ArrowRight}{ArrowRight}{Enter}');
    expect(onResize).toHaveBeenCalledExactlyOnceWith('both', { start: 0, end: 17, fragments: [{ start: 0, end: 11 }, fragments[1]] });
  });
});

describe('the list of relations', () => {
  const list = (relations: readonly SpanRelation[], handlers: Partial<Parameters<typeof RelationList>[0]> = {}) => (
    <RelationList
      relations={relations}
      drawn={{ relations, names: [], styleOf: () => STYLE, focusedId: 'r1', onFocus: vi.fn(), ...callbacks }}
      spans={SPANS}
      text={TEXT}
      shown
      onShown={vi.fn()}
      onJump={vi.fn()}
      onRename={vi.fn()}
      {...handlers}
    />
  );

  it('shows ends and author, jumps to a relation, changes it', async () => {
    const user = userEvent.setup();
    const onJump = vi.fn();
    const onShown = vi.fn();
    render(list([LEADS, { ...LEADS, id: 'lost', target: 'gone' }], { onJump, onShown }));
    const rows = screen.getAllByRole('listitem');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toHaveTextContent('leadsmarieInes Okafor→Harbour Board');
    await user.click(screen.getByRole('button', { name: 'leads: Ines Okafor → Harbour Board' }));
    expect(onJump).toHaveBeenCalledExactlyOnceWith(LEADS);
    await user.click(screen.getByRole('button', { name: /^Reverse/u }));
    await user.click(screen.getByRole('button', { name: /^Remove leads/u }));
    expect([callbacks.onReverse.mock.calls, callbacks.onUnlink.mock.calls]).toEqual([[['r1']], [['r1']]]);
    await user.click(screen.getByRole('button', { name: 'Hide relations' }));
    expect(onShown).toHaveBeenCalledExactlyOnceWith(false);
  });

  it('explains how to create the first one, and has a filter when it is long', async () => {
    const user = userEvent.setup();
    const { rerender } = render(list([]));
    expect(screen.getByText(/^No relation yet/u)).toBeInTheDocument();
    rerender(list(Array.from({ length: 7 }, (_, n) => ({ ...LEADS, id: `r${String(n)}`, name: `name ${String(n)}` }))));
    await user.type(screen.getByRole('searchbox', { name: 'Filter relations' }), 'NAME 3');
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    await user.type(screen.getByRole('searchbox', { name: 'Filter relations' }), 'x');
    expect(screen.getByText('No relations match')).toBeInTheDocument();
  });
});

it('finds a name in any case, and offers it as new only when it is', () => {
  const names = ['is a', 'Part of'].map((name) => ({ name, style: STYLE }));
  expect(matchNames(names, 'PART')).toEqual([
    { name: 'Part of', isNew: false },
    { name: 'PART', isNew: true },
  ]);
  expect(matchNames(names, ' part of ')).toEqual([{ name: 'Part of', isNew: false }]);
  expect(matchNames(names, '')).toHaveLength(2);
});
