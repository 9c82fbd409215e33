import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AnnotationDetails } from '@/annotation/annotation-details';
import { LabelDrawerContent } from './label-drawer';
import type { LabelAppearance } from '@/annotation/drawing/label-style';
import { SegmentText } from '@/annotation/surface/segment-text';
import { LABELS, WithAppearance, span } from '@/annotation/testing/fixtures';

afterEach(cleanup);

const many = (count: number): LabelAppearance[] =>
  Array.from({ length: count }, (_, n) => ({ ...LABELS[0]!, name: `l${String(n)}`, label: `Label ${String(n)}` }));
const sets = (labels: readonly LabelAppearance[]) => [{ name: 'news', label: 'News entities', exclusive: false, labels }];
const rows = () => screen.getAllByRole('button').filter((button) => button.hasAttribute('aria-pressed'));

describe('LabelDrawerContent (W-018)', () => {
  it('has a filter box above 5 labels only (C-028)', async () => {
    const user = userEvent.setup();
    const { rerender } = render(<LabelDrawerContent labelSets={sets(many(5))} onPick={vi.fn()} />);
    expect(screen.queryByRole('searchbox')).toBeNull();
    rerender(<LabelDrawerContent labelSets={sets(many(6))} onPick={vi.fn()} />);
    await user.type(screen.getByRole('searchbox', { name: 'Filter labels' }), '3');
    expect(rows()).toHaveLength(1);
  });

  it('truncates only when the cap is above 0 (C-029)', () => {
    const { rerender } = render(<LabelDrawerContent labelSets={sets(many(120))} onPick={vi.fn()} />);
    expect(rows()).toHaveLength(100);
    expect(screen.getByText('20 more: use the filter to find them')).toBeInTheDocument();
    rerender(<LabelDrawerContent labelSets={sets(many(120))} maxLabelsCount={0} onPick={vi.fn()} />);
    expect(rows()).toHaveLength(120);
  });

  it('picks, folds, and shows counts', async () => {
    const user = userEvent.setup();
    const onPick = vi.fn();
    render(<LabelDrawerContent labelSets={sets(LABELS)} counts={new Map([['person', 3]])} onPick={onPick} />);
    await user.click(screen.getByRole('button', { name: /Person 3 annotations/u }));
    expect(onPick).toHaveBeenCalledWith('person');
    const toggle = screen.getByRole('button', { name: 'News entities' });
    await user.click(toggle);
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
    expect(screen.queryByRole('button', { name: /Person/u })).toBeNull();
  });

  it('offers the first label of an empty set by name', async () => {
    const user = userEvent.setup();
    const onAddLabel = vi.fn(() => Promise.resolve());
    render(<LabelDrawerContent labelSets={sets([])} onPick={vi.fn()} onAddLabel={onAddLabel} />);
    await user.click(screen.getByRole('button', { name: 'Create the first label' }));
    await user.keyboard('Ship{Enter}');
    expect(onAddLabel).toHaveBeenCalledExactlyOnceWith('news', 'Ship');
    expect(screen.queryByRole('button', { name: 'Create the first label' })).toBeNull();
  });

  it('adds a label: Enter saves and empties, a refusal shows its cause, Escape closes', async () => {
    const user = userEvent.setup();
    const onAddLabel = vi.fn().mockRejectedValueOnce(new Error('A label with this name exists.')).mockResolvedValue(undefined);
    render(<LabelDrawerContent labelSets={sets(LABELS)} onPick={vi.fn()} onAddLabel={onAddLabel} />);
    await user.click(screen.getByRole('button', { name: 'Add a label to News entities' }));
    const box = screen.getByRole('textbox', { name: 'New label' });
    await user.type(box, 'Event{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('A label with this name exists.');
    expect(box).toHaveValue('Event');
    await user.type(box, '{Enter}');
    expect(onAddLabel).toHaveBeenLastCalledWith('news', 'Event');
    expect(box).toHaveValue('');
    await user.type(box, '{Escape}');
    expect(screen.queryByRole('textbox', { name: 'New label' })).toBeNull();
  });

  it('shows the guideline of a label on demand, and that of the focused span by itself', async () => {
    const user = userEvent.setup();
    const guidelines = new Map([['person', 'Names of people, no pronouns']]);
    const shared = { labelSets: sets(LABELS), onPick: vi.fn(), guidelines, setGuidelines: new Map([['news', 'Only what is named']]) };
    const { rerender } = render(<LabelDrawerContent {...shared} />);
    expect(screen.getByText('Only what is named')).toBeVisible();
    const button = screen.getByRole('button', { name: 'Guideline of Person' });
    expect(screen.getByText('Names of people, no pronouns')).not.toBeVisible();
    await user.click(button);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    expect(screen.getByText('Names of people, no pronouns')).toBeVisible();
    await user.click(button);
    rerender(<LabelDrawerContent {...shared} current="person" />);
    expect(screen.getByText('Names of people, no pronouns')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Guideline of Location' })).toBeNull();
  });

  it('hides and shows labels of sets that mark text, and reports that something is hidden', async () => {
    const user = userEvent.setup();
    const onHide = vi.fn();
    const shared = { labelSets: sets(LABELS), onPick: vi.fn(), onHide, onLayoutFilter: vi.fn() };
    const { rerender } = render(<LabelDrawerContent {...shared} hideable={new Set()} />);
    expect(screen.queryByRole('button', { name: 'Hide Person' })).toBeNull();
    rerender(<LabelDrawerContent {...shared} hideable={new Set(['news'])} />);
    await user.click(screen.getByRole('button', { name: 'Hide Person' }));
    expect(onHide).toHaveBeenLastCalledWith('person', true);
    rerender(<LabelDrawerContent {...shared} hideable={new Set(['news'])} hidden={['person']} filtered />);
    await user.click(screen.getByRole('button', { name: 'Show Person' }));
    expect(onHide).toHaveBeenLastCalledWith('person', false);
    expect(screen.getByRole('button', { name: /some are hidden/u })).toBeVisible();
  });

  it('offers the extension for sequence labelling only (C-066)', async () => {
    const user = userEvent.setup();
    const onExtension = vi.fn();
    const { rerender } = render(<LabelDrawerContent labelSets={sets(LABELS)} onPick={vi.fn()} />);
    expect(screen.queryByRole('combobox')).toBeNull();
    rerender(<LabelDrawerContent labelSets={sets(LABELS)} onPick={vi.fn()} extension="space-or-punctuation" onExtension={onExtension} />);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Extend the selection' }), 'none');
    expect(onExtension).toHaveBeenCalledWith('none');
  });
});

describe('AnnotationDetails', () => {
  it('shows what it contains and its position, and offers the actions of its state', async () => {
    const user = userEvent.setup();
    const onRetry = vi.fn();
    const failed = span('a', 0, 12, 'role', { status: 'failed' });
    render(
      <WithAppearance>
        <AnnotationDetails
          span={failed}
          text="mayor Halden"
          characters={{ start: 229, end: 241 }}
          spans={[failed, span('b', 6, 12, 'location')]}
          onRetry={onRetry}
        />
      </WithAppearance>,
    );
    expect(screen.getByText('229–241')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'LOC Halden' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(onRetry).toHaveBeenCalledWith('a');
    expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull();
  });
});

describe('SegmentText', () => {
  it('draws marks and hits over the exact text, out of the tab order when read-only', () => {
    render(
      <WithAppearance>
        <SegmentText text="Baltic Mutual 😀 flood" spans={[span('a', 0, 13, 'organisation')]} hits={[{ start: 17, end: 22 }]} />
      </WithAppearance>,
    );
    expect(document.querySelector('.ann-text')?.textContent).toBe('Baltic Mutual 😀 flood');
    expect(document.querySelector('.ann-hit')).toHaveTextContent('flood');
    expect(document.querySelector('[tabindex]')).toBeNull();
  });

  it('can be annotated by keyboard when it has a picker', async () => {
    const user = userEvent.setup();
    const onLabel = vi.fn();
    render(
      <WithAppearance>
        <SegmentText text="Baltic Mutual" spans={[]} onLabel={onLabel} renderPicker={() => null} />
      </WithAppearance>,
    );
    await user.tab();
    await user.keyboard('{ArrowRight}{Shift>}{ArrowRight}{/Shift}1');
    expect(onLabel).toHaveBeenCalledWith('person', { kind: 'selection', start: 0, end: 13 });
  });
});
