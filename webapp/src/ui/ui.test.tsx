import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestI18n } from '@/test/render';
import { DataTable } from './data-table';
import { DeleteDialog } from './delete-dialog';
import { Dialog } from './dialog';
import { FacetList, isLongFacetLabel } from './facet-list';
import { formatFacet, nextSelector, parseFacet, type SelectedFacet } from '@/state/facet-selection';
import { hasExtension } from './file-drop-zone';
import {
  formatBytes,
  formatClock,
  formatMoment,
  formatNumber,
  formatScore,
  formatWhen,
  formatWhenInSentence,
  initials,
  readerLocale,
} from './format';
import { When } from './when';

beforeAll(() => startTestI18n());
afterEach(() => vi.restoreAllMocks());

describe('facets', () => {
  it('C-067 a click cycles empty, include, exclude', () => {
    expect([nextSelector(''), nextSelector('+'), nextSelector('-')]).toEqual(['+', '-', '']);
    expect([nextSelector('', true), nextSelector('-', true)]).toEqual(['-', '']);
  });
  it('C-014 long labels', () => {
    expect(isLongFacetLabel('x'.repeat(22))).toBe(false);
    expect(isLongFacetLabel('x'.repeat(23))).toBe(true);
    expect(isLongFacetLabel('x', 155)).toBe(true);
  });
  it('serialises as [+|-]name:value, including values with colons', () => {
    const facet: SelectedFacet = { facetName: 'label', facetValue: 'a:b', facetSelector: '-' };
    expect(formatFacet(facet)).toBe('-label:a:b');
    expect(parseFacet('-label:a:b')).toEqual(facet);
    expect(parseFacet('label:x')).toEqual({ facetName: 'label', facetValue: 'x', facetSelector: '+' });
    expect(parseFacet('nothing')).toBeNull();
  });
  function Host() {
    const [selected, setSelected] = useState<readonly SelectedFacet[]>([]);
    const values = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((value) => ({ value, label: `Label ${value}`, count: 3 }));
    return (
      <>
        <FacetList
          screen="explore"
          facets={[
            { name: 'label', label: 'Label', values },
            { name: 'none', label: 'Empty one', values: [] },
          ]}
          selected={selected}
          onChange={setSelected}
        />
        <output>{selected.map(formatFacet).join()}</output>
      </>
    );
  }
  it('V-021 drops empty facets, shows five values and the rest on demand, works by keyboard', async () => {
    render(<Host />);
    expect(screen.queryByText('Empty one')).toBeNull();
    expect(screen.getAllByRole('checkbox')).toHaveLength(5);
    await userEvent.click(screen.getByRole('button', { name: '2 more' }));
    expect(screen.getAllByRole('checkbox')).toHaveLength(7);
    await userEvent.click(screen.getByRole('checkbox', { name: /Label a/ }));
    fireEvent.click(screen.getByRole('checkbox', { name: /Label b/ }), { altKey: true });
    fireEvent.keyDown(screen.getByRole('checkbox', { name: /Label c/ }), { key: 'X', shiftKey: true });
    expect(screen.getByRole('status')).toHaveTextContent('+label:a,-label:b,-label:c');
  });
});

describe('table', () => {
  const rows = Array.from({ length: 3 }, (_row, index) => ({ id: `r${index}` }));
  it('moves with arrows, selects with Space, opens with Enter', async () => {
    const open = vi.fn();
    const select = vi.fn();
    render(
      <DataTable
        label="T"
        columns={[{ key: 'id', header: 'Id', cell: (row) => row.id, sortable: true }]}
        rows={rows}
        rowKey={(row) => row.id}
        onOpen={open}
        selected={new Set()}
        onSelect={select}
        onSort={() => undefined}
      />,
    );
    const first = screen.getAllByRole('row')[1] as HTMLElement;
    first.focus();
    await userEvent.keyboard('{ArrowDown}{Enter} ');
    expect(open).toHaveBeenCalledExactlyOnceWith(rows[1]);
    expect(select).toHaveBeenCalledWith(new Set(['r1']));
  });
  it('sorts by header, a second press reverses', async () => {
    const sort = vi.fn();
    render(
      <DataTable
        label="T"
        columns={[{ key: 'id', header: 'Id', cell: (row) => row.id, sortable: true }]}
        rows={rows}
        rowKey={(row) => row.id}
        sort={{ key: 'id', descending: false }}
        onSort={sort}
      />,
    );
    expect(screen.getByRole('columnheader')).toHaveAttribute('aria-sort', 'ascending');
    await userEvent.click(screen.getByRole('button', { name: 'Id' }));
    expect(sort).toHaveBeenCalledWith({ key: 'id', descending: true });
  });
});

describe('dialogs', () => {
  it('C-005 opens after 150 ms', () => {
    vi.useFakeTimers();
    render(
      <Dialog open title="Task" onClose={() => undefined}>
        body
      </Dialog>,
    );
    expect(screen.queryByRole('dialog')).toBeNull();
    vi.useRealTimers();
  });
});

describe('formats', () => {
  it('writes numbers and scores as each language does', () => {
    expect(formatNumber(4182, 'en')).toBe('4,182');
    expect(formatNumber(4182, 'fr')).toBe('4\u202F182');
    expect([formatScore(0.87, 'en'), formatScore(0.87, 'fr'), formatScore(1, 'en'), formatScore(0, 'en')]).toEqual([
      '.87',
      '0,87',
      '1',
      '.00',
    ]);
    expect(formatBytes(8_100_000, 'en')).toBe('8.1\u202FMB');
    expect(formatBytes(8_100_000, 'fr')).toBe('8,1\u202FMo');
    expect(formatClock(3725)).toBe('01:02:05');
  });
  it('writes dates by distance', () => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB', 'fr-FR']);
    const now = new Date(2026, 5, 15, 12, 0);
    const at = (ms: number) => formatWhen(new Date(now.getTime() - ms), 'en', now);
    expect(at(4_000)).toBe('now');
    expect(at(120_000)).toBe('2 min ago');
    expect(at(3 * 3_600_000)).toBe('09:00');
    expect(at(24 * 3_600_000)).toBe('Yesterday');
    expect(at(95 * 24 * 3_600_000)).toBe('12 March');
    expect(formatWhen('nonsense', 'en', now)).toBe('');
    const within = (language: string) =>
      [4_000, 120_000, 3 * 3_600_000, 24 * 3_600_000, 95 * 24 * 3_600_000].map((ms) =>
        formatWhenInSentence(new Date(now.getTime() - ms), language, now),
      );
    expect(within('en')).toEqual(['now', '2 min ago', 'at 09:00', 'yesterday', 'on 12 March']);
    expect(within('fr')).toEqual(['maintenant', 'il y a 2 min', 'à 09:00', 'hier', 'le 12 mars']);
  });
  it("has the reader's variant of the language for dates", () => {
    expect(readerLocale('en', ['fr-FR', 'en-US'])).toBe('en-US');
    expect(readerLocale('fr', ['en-US', 'fr-CA'])).toBe('fr-CA');
    expect(readerLocale('en', ['de-DE', 'en'])).toBe('en-GB');
    expect(readerLocale('fr', ['en-GB'])).toBe('fr');
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
    const now = new Date(2026, 5, 15, 12, 0);
    expect(formatWhen(new Date(2026, 2, 12), 'en', now)).toBe('March 12');
    expect(formatWhenInSentence(new Date(2026, 2, 12), 'en', now)).toBe('on March 12');
  });
  it('shows the complete date on hover', () => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']);
    render(<When at={new Date(2026, 2, 12, 14, 31)} />);
    expect(screen.getByText(/12 March/)).toHaveAttribute('title', expect.stringMatching(/12 March 2026.*14:31/));
    expect(formatMoment('nonsense', 'en')).toBe('');
  });
  it('takes initials', () =>
    expect([initials('Malik Larbi'), initials('malik.larbi'), initials('x'), initials('')]).toEqual(['ML', 'ML', 'X', '']));
  it('C-046 checks extensions whatever their case', () => {
    expect(hasExtension('A.SPA', ['spa'])).toBe(true);
    expect(hasExtension('spa', ['spa'])).toBe(false);
    expect(hasExtension('any.bin', [])).toBe(true);
  });
});

describe('D-010 delete confirmation', () => {
  const dialog = (open: boolean, onDelete: () => Promise<unknown>, strong?: string) => (
    <DeleteDialog
      {...{ open, onDelete, ...(strong === undefined ? {} : { strong }) }}
      title="Delete it?"
      keepLabel="Keep it"
      deleteLabel="Delete it"
      onClose={() => undefined}
    >
      It goes.
    </DeleteDialog>
  );
  const remove = () => screen.findByRole('button', { name: 'Delete it' });

  it('asks, with the focus on the safe button', async () => {
    const onDelete = vi.fn().mockResolvedValue(undefined);
    render(dialog(true, onDelete));
    expect(await screen.findByRole('button', { name: 'Keep it' })).toHaveFocus();
    expect(onDelete).not.toHaveBeenCalled();
    await userEvent.click(await remove());
    expect(onDelete).toHaveBeenCalledOnce();
  });

  it('can require a checkbox, again on each opening', async () => {
    const onDelete = vi.fn().mockRejectedValue(new Error('no'));
    const { rerender } = render(dialog(true, onDelete, 'I know that it goes.'));
    expect(await remove()).toBeDisabled();
    await userEvent.click(screen.getByRole('checkbox', { name: 'I know that it goes.' }));
    await userEvent.click(await remove());
    expect(onDelete).toHaveBeenCalledOnce();
    rerender(dialog(false, onDelete, 'I know that it goes.'));
    rerender(dialog(true, onDelete, 'I know that it goes.'));
    expect(await remove()).toBeDisabled();
  });
});
