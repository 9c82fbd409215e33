import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { currentCommands } from '@/ui/command-registry';
import { LabelPicker } from '@/annotation/labels/label-picker';
import type { Span, LabellingTarget } from '@/annotation/model';
import { AnnotationSurface } from './surface';
import type { AnnotationSurfaceProps } from './surface-types';
import { LABELS, WithAppearance, span } from '@/annotation/testing/fixtures';

const TEXT = 'Ines Okafor-Lund 😀 spoke\tin Halden.\r\nThe chair of the Board of Halden resigned e\u0301arly.';
const at = (part: string, id: string, label: string, more: Partial<Span> = {}): Span => {
  const start = TEXT.lastIndexOf(part);
  return span(id, start, start + part.length, label, more);
};
const SPANS = [
  at('Ines Okafor-Lund', 'ines', 'person'),
  at('chair of the Board of Halden', 'chair', 'role'),
  at('Board of Halden', 'board', 'organisation', { status: 'suggested', score: 0.88 }),
  at('Halden', 'halden', 'location'),
];
const SEGMENTS = [
  { start: 0, end: TEXT.indexOf('\r') },
  { start: TEXT.indexOf('The'), end: TEXT.length },
];

afterEach(cleanup);

beforeAll(() => {
  // jsdom has no layout: the virtual list needs some height.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(200);
});

function Host(props: Partial<AnnotationSurfaceProps>) {
  const [focusedId, setFocused] = useState<string | undefined>(undefined);
  return (
    <WithAppearance>
      <AnnotationSurface
        text={TEXT}
        segments={SEGMENTS}
        spans={SPANS}
        extension="none"
        focusedId={focusedId}
        onFocusSpan={setFocused}
        {...props}
      />
    </WithAppearance>
  );
}

function shownText(): string {
  return [...document.querySelectorAll('[data-start]')].map((block) => block.textContent).join('');
}

const marks = () => [...document.querySelectorAll('mark')];
const liveText = () => screen.getByRole('status').textContent;

describe('AnnotationSurface', () => {
  it('keeps the text nodes equal to the document: CRLF, tabs, emoji, nested marks', () => {
    render(<Host />);
    expect(shownText()).toBe(TEXT);
  });

  it('describes each mark with its label, state and what it lies inside', () => {
    render(<Host />);
    const inner = marks().find((mark) => mark.id.endsWith('-halden'));
    expect(inner).toHaveAccessibleDescription('Location, confirmed, inside Organisation, Role or title');
    const board = marks().find((mark) => mark.id.endsWith('-board'));
    expect(board).toHaveAccessibleDescription('Organisation, suggested, score .88, inside Role or title');
    for (const mark of marks()) expect(mark).not.toHaveAttribute('aria-label');
  });

  it('walks spans with Tab, announces them, and leaves after the last', async () => {
    const user = userEvent.setup();
    render(<Host />);
    const surface = screen.getByRole('group', { name: 'Document text' });
    await user.tab();
    expect(surface).toHaveFocus();
    for (const id of ['ines', 'chair', 'board', 'halden']) {
      await user.tab();
      expect(surface.getAttribute('aria-activedescendant')).toMatch(new RegExp(`-${id}$`));
    }
    expect(liveText()).toContain('Location, confirmed, inside Role or title, Organisation: Halden');
    expect(document.getElementById(surface.getAttribute('aria-activedescendant') ?? '')).not.toBeNull();
    await user.tab();
    expect(surface).not.toHaveFocus();
  });

  it('lets Escape and Tab leave from anywhere', async () => {
    const user = userEvent.setup();
    render(<Host />);
    await user.tab();
    await user.tab();
    await user.keyboard('{Escape}{Escape}{Escape}');
    await user.tab();
    expect(screen.getByRole('group', { name: 'Document text' })).not.toHaveFocus();
  });

  it('does not leave when the user continues in the text after Escape', async () => {
    const user = userEvent.setup();
    render(<Host />);
    await user.tab();
    await user.keyboard('{Escape}{Escape}{ArrowRight}');
    await user.tab();
    const surface = screen.getByRole('group', { name: 'Document text' });
    expect(surface).toHaveFocus();
    expect(surface).toHaveAttribute('aria-activedescendant');
  });

  it('selects by token with Shift and arrows and labels with a digit', async () => {
    const user = userEvent.setup();
    const onLabel = vi.fn<(label: string, target: LabellingTarget) => void>();
    const onSelection = vi.fn();
    render(<Host onLabel={onLabel} onSelection={onSelection} />);
    await user.tab();
    await user.keyboard('{ArrowRight}{Shift>}{ArrowRight}{/Shift}');
    expect(onSelection).toHaveBeenLastCalledWith({ start: 0, end: 11 });
    expect(liveText()).toBe('Selected: Ines Okafor');
    expect([...document.querySelectorAll('[data-selected]')].map((run) => run.textContent).join('')).toBe('Ines Okafor');
    expect(shownText()).toBe(TEXT);
    await user.keyboard('2');
    expect(onLabel).toHaveBeenCalledWith('organisation', { kind: 'selection', start: 0, end: 11 });
    expect(document.querySelector('[data-selected]')).toBeNull();
  });

  it('accepts, rejects and removes the focused span', async () => {
    const user = userEvent.setup();
    const calls = { onAccept: vi.fn(), onReject: vi.fn(), onRemove: vi.fn() };
    render(<Host {...calls} />);
    await user.tab();
    await user.tab();
    await user.keyboard('yn{Delete}');
    for (const call of Object.values(calls)) expect(call).toHaveBeenCalledExactlyOnceWith('ines');
  });

  it('announces what was created and where, in code points of the document', async () => {
    const user = userEvent.setup();
    const { unmount } = render(<Host onLabel={vi.fn()} />);
    await user.tab();
    await user.keyboard('{Control>}{End}{/Control}{ArrowLeft}{ArrowLeft}{Shift>}{ArrowLeft}{/Shift}1');
    // An emoji and the line end before it: code points, not UTF-16.
    const start = Array.from(TEXT.slice(0, TEXT.indexOf('Halden resigned'))).length;
    expect(liveText()).toBe(`Person created: Halden resigned, ${String(start)} to ${String(start + 15)}`);
    unmount();
    render(<Host onLabel={vi.fn()} characters={() => ({ start: 100, end: 109 })} />);
    await user.tab();
    await user.keyboard('{ArrowRight}{Shift>}{ArrowRight}{/Shift}2');
    expect(liveText()).toBe('Organisation created: Ines Okafor, 100 to 109');
  });

  it('cycles the spans at the cursor, nested and crossing, and announces when there is none', async () => {
    const user = userEvent.setup();
    render(<Host />);
    await user.tab();
    await user.keyboard('{Control>}{End}{/Control} ');
    expect(liveText()).toBe('No annotation here');
    await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
    expect(liveText()).toBe('Halden');
    const focused: (string | undefined)[] = [];
    for (let n = 0; n < 4; n += 1) {
      await user.keyboard(' ');
      focused.push(screen.getByRole('group', { name: 'Document text' }).getAttribute('aria-activedescendant')?.split('-').at(-1));
    }
    expect(focused).toEqual(['halden', 'board', 'chair', 'halden']);
  });

  it('moves an edge of the focused span by keys, drawn immediately, saved once with Enter', async () => {
    const user = userEvent.setup();
    const onResize = vi.fn();
    render(<Host onResize={onResize} />);
    const drawn = () => [...document.querySelectorAll('[data-spans~="ines"]')].map((mark) => mark.textContent).join('');
    await user.tab();
    await user.tab();
    await user.keyboard('r{ArrowLeft}');
    expect(liveText()).toBe('Ines Okafor-');
    expect(drawn()).toBe('Ines Okafor-');
    await user.keyboard('{Control>}{ArrowLeft}{/Control}r{ArrowRight}');
    expect(drawn()).toBe('Okafor');
    expect(shownText()).toBe(TEXT);
    expect(onResize).not.toHaveBeenCalled();
    await user.keyboard('{Enter}');
    expect(onResize).toHaveBeenCalledExactlyOnceWith('ines', { start: 5, end: 11 });
    expect(liveText()).toBe('Person now on Okafor');
    await user.keyboard('r{ArrowLeft}{Escape}');
    expect(onResize).toHaveBeenCalledOnce();
    expect(drawn()).toBe('Ines Okafor-Lund');
  });

  it('goes to suggestions, sentences and the ends of the text', async () => {
    const user = userEvent.setup();
    render(<Host />);
    await user.tab();
    await user.keyboard('{ArrowRight}j');
    expect(liveText()).toContain('Organisation, suggested');
    await user.keyboard('j');
    expect(liveText()).toBe('No other suggestion in this direction');
    await user.keyboard('{Control>}{Home}{ArrowDown}{/Control}');
    expect(liveText()).toBe('The');
    await user.keyboard('{End}');
    expect(liveText()).toBe('.');
    await user.keyboard('{Control>}{ArrowUp}{ArrowUp}{ArrowRight}{/Control}');
    expect(liveText()).toBe('I');
  });

  it('offers its available commands to the palette and the help sheet, and runs them', async () => {
    const user = userEvent.setup();
    const onAccept = vi.fn();
    render(<Host onAccept={onAccept} />);
    const commandOf = (id: string) => currentCommands().find((command) => command.id === id);
    expect(commandOf('text.accept')?.disabled).toBe(true);
    await user.tab();
    await user.tab();
    expect(commandOf('text.accept')?.disabled).toBe(false);
    expect(commandOf('label.person')?.keys).toEqual(['1']);
    expect(commandOf('text.accept')?.ownKeys).toBe(true);
    screen.getByRole('group', { name: 'Document text' }).blur();
    commandOf('text.accept')?.run?.();
    expect(onAccept).toHaveBeenCalledWith('ines');
    expect(screen.getByRole('group', { name: 'Document text' })).toHaveFocus();
  });

  it('opens the picker with Enter, filters by typing, and returns the focus', async () => {
    const user = userEvent.setup();
    const onLabel = vi.fn();
    render(
      <Host
        onLabel={onLabel}
        renderPicker={({ query, pick, close }) => <LabelPicker labels={LABELS} initialQuery={query} onPick={pick} onClose={close} />}
      />,
    );
    await user.tab();
    await user.tab();
    await user.keyboard('{Enter}');
    const box = screen.getByRole('combobox', { name: 'Filter labels' });
    expect(box).toHaveFocus();
    await user.keyboard('or{ArrowDown}{Enter}');
    expect(onLabel).toHaveBeenCalledWith('role', { kind: 'span', id: 'ines' });
    expect(screen.getByRole('group', { name: 'Document text' })).toHaveFocus();
  });

  it('renders only the touched row when a span is added', () => {
    const text = 'A sentence of some words. '.repeat(200);
    const rows = new Map<number, number>();
    const count = (row: number): void => void rows.set(row, (rows.get(row) ?? 0) + 1);
    const onFocusSpan = vi.fn();
    const segments: [] = [];
    const surface = (spans: Span[]) => (
      <WithAppearance>
        <AnnotationSurface
          text={text}
          segments={segments}
          spans={spans}
          extension="none"
          focusedId={undefined}
          onFocusSpan={onFocusSpan}
          onRowRender={count}
        />
      </WithAppearance>
    );
    const { rerender } = render(surface([span('a', 2, 10)]));
    const before = new Map(rows);
    rerender(surface([span('a', 2, 10), span('b', 4, 20)]));
    const touched = [...rows].filter(([row, times]) => times !== before.get(row)).map(([row]) => row);
    expect(touched).toEqual([0]);
    expect(before.size).toBeGreaterThan(2);
  });

  it('shows the best category of a sentence and shades every second one without (S-009)', () => {
    const categories = [
      { ...SEGMENTS[0]!, label: 'person', score: 0.3, suggested: true },
      { ...SEGMENTS[0]!, label: 'location', score: 0.7, suggested: true },
    ];
    const { rerender } = render(<Host categories={categories} />);
    expect([...document.querySelectorAll('.ann-category')].map((item) => item.getAttribute('data-category'))).toEqual(['Location .70 +1']);
    expect(shownText()).toBe(TEXT);
    rerender(<Host categories={[{ ...SEGMENTS[0]!, label: 'organisation', suggested: false }]} />);
    expect(document.querySelector('.ann-category')).toHaveAttribute('data-category', 'Organisation');
    rerender(<Host alternate />);
    expect([...document.querySelectorAll('.ann-segment')].map((item) => item.classList.contains('ann-alternate'))).toEqual([false, true]);
  });

  it('opens the categories of a sentence from its number and from the name at its end', async () => {
    const user = userEvent.setup();
    const renderSentence = ({ start, close }: { start: number; close: () => void }) => (
      <button type="button" onClick={close}>
        Sentence at {start}
      </button>
    );
    const categories = [{ ...SEGMENTS[1]!, label: 'person', suggested: false }];
    render(<Host renderSentence={renderSentence} categories={categories} />);
    await user.click(screen.getByRole('button', { name: 'Categories of sentence 1' }));
    await user.click(screen.getByRole('button', { name: 'Sentence at 0' }));
    expect(screen.queryByRole('button', { name: 'Sentence at 0' })).toBeNull();
    await user.click(document.querySelector('i[data-sentence]') as Element);
    expect(screen.getByRole('button', { name: `Sentence at ${String(SEGMENTS[1]!.start)}` })).toBeInTheDocument();
    expect(shownText()).toBe(TEXT);
  });

  it('is set from right to left for Arabic (C-039) and names the language', () => {
    const { container } = render(<Host text="مرحبا بالعالم" segments={[]} spans={[]} language="ar" />);
    const surface = screen.getByRole('group', { name: 'Document text' });
    expect(surface).toHaveAttribute('dir', 'rtl');
    expect(container.querySelector('.ann-header')).toHaveAttribute('dir', 'rtl');
    expect(surface).toHaveAttribute('lang', 'ar');
  });

  it('keeps a hit visible under a span', () => {
    const start = TEXT.lastIndexOf('Halden');
    render(<Host hits={[{ start, end: start + 6 }]} />);
    const hit = document.querySelector('mark.ann-hit');
    expect(hit).toHaveTextContent('Halden');
  });
});

describe('LabelPicker', () => {
  it('picks by digit, puts the likely first, shows when nothing matches, closes with Escape', async () => {
    const user = userEvent.setup();
    const onPick = vi.fn();
    const onClose = vi.fn();
    render(
      <WithAppearance>
        <LabelPicker labels={LABELS} likely={['location']} onPick={onPick} onClose={onClose} />
      </WithAppearance>,
    );
    expect(within(screen.getByRole('listbox')).getAllByRole('option')[0]).toHaveTextContent('Location');
    await user.keyboard('2');
    expect(onPick).toHaveBeenCalledWith('organisation');
    await user.keyboard('zzz');
    expect(screen.getByText('No labels match')).toBeInTheDocument();
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('offers to create the first label, and picks it once it exists', async () => {
    const user = userEvent.setup();
    const onPick = vi.fn();
    const create = vi.fn((label: string) => Promise.resolve(label.toLowerCase()));
    render(
      <WithAppearance>
        <LabelPicker labels={[]} creation={{ create }} onPick={onPick} onClose={vi.fn()} />
      </WithAppearance>,
    );
    expect(screen.getByText('No label yet. Type a name to create the first one')).toBeInTheDocument();
    await user.keyboard('{Enter}');
    expect(create).not.toHaveBeenCalled();
    await user.keyboard(' Ship  name {Enter}');
    expect(create).toHaveBeenCalledExactlyOnceWith('Ship name');
    await vi.waitFor(() => expect(onPick).toHaveBeenCalledExactlyOnceWith('ship name'));
  });

  it('offers to create an unknown label after those that match; Enter takes the match; a known label is not offered', async () => {
    const user = userEvent.setup();
    const onPick = vi.fn();
    const create = vi.fn(() => Promise.resolve('perso'));
    render(
      <WithAppearance>
        <LabelPicker labels={LABELS} creation={{ create }} onPick={onPick} onClose={vi.fn()} />
      </WithAppearance>,
    );
    await user.keyboard('perso');
    const options = () => within(screen.getByRole('listbox')).getAllByRole('option');
    expect(options().at(-1)).toHaveTextContent('Create “perso”');
    await user.keyboard('{Enter}');
    expect(onPick).toHaveBeenLastCalledWith('person');
    await user.keyboard('{ArrowUp}{Enter}');
    await vi.waitFor(() => expect(onPick).toHaveBeenLastCalledWith('perso'));
    await user.keyboard('n');
    expect(screen.queryByText(/^Create/)).toBeNull();
  });

  it('keeps what was typed when a label cannot be created, and says who may create labels', async () => {
    const user = userEvent.setup();
    const onPick = vi.fn();
    const failing = { create: () => Promise.reject(new Error('The label exists already')) };
    const { rerender } = render(
      <WithAppearance>
        <LabelPicker labels={[]} creation={failing} onPick={onPick} onClose={vi.fn()} />
      </WithAppearance>,
    );
    await user.keyboard('Ship{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('The label exists already');
    expect(screen.getByRole('combobox')).toHaveValue('Ship');
    expect(onPick).not.toHaveBeenCalled();
    rerender(
      <WithAppearance>
        <LabelPicker key="other" labels={[]} creation={{ refused: 'Ask Léa' }} onPick={onPick} onClose={vi.fn()} />
      </WithAppearance>,
    );
    expect(screen.getByText('No label yet. Ask Léa')).toBeInTheDocument();
    await user.keyboard('Ship{Enter}');
    expect(onPick).not.toHaveBeenCalled();
  });

  it('picks a label by its key for a mouse selection; Shift, a click into the box and Enter on the selection filter instead', async () => {
    const user = userEvent.setup();
    const onPick = vi.fn();
    const keyed = LABELS.map((label) => (label.name === 'person' ? { ...label, hotkey: 'o' } : label));
    const picker = (direct: boolean) => (
      <WithAppearance>
        <LabelPicker key={String(direct)} labels={keyed} direct={direct} onPick={onPick} onClose={vi.fn()} />
      </WithAppearance>
    );
    const { rerender } = render(picker(true));
    const box = () => screen.getByRole('combobox', { name: 'Filter labels' });
    await user.keyboard('o');
    expect(onPick).toHaveBeenCalledExactlyOnceWith('person');
    await user.keyboard('{Shift>}O{/Shift}');
    expect(box()).toHaveValue('O');
    await user.keyboard('o');
    expect(box()).toHaveValue('Oo');
    await user.clear(box());
    await user.click(box());
    await user.keyboard('o');
    expect(box()).toHaveValue('o');
    rerender(picker(false));
    await user.keyboard('o');
    expect(box()).toHaveValue('o');
    expect(onPick).toHaveBeenCalledTimes(1);
  });
});
