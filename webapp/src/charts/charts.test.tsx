import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { saveFile } from '@/ui/save-file';
import { startTestI18n } from '@/test/render';
import { BarChart } from './bar-chart';
import { ChartCard } from './chart-card';
import { toCsv } from './csv';
import { indexesWithGap, cumulativeCounts, axisTicks } from './scales';

vi.mock('@/ui/save-file', () => ({ saveFile: vi.fn() }));

const show = (element: React.ReactElement) => render(<RouterProvider router={createMemoryRouter([{ path: '*', element }])} />);

describe('CSV export', () => {
  it('quotes where necessary and disarms formulas', () => {
    const text = toCsv({
      columns: ['Label', 'Number'],
      rows: [
        ['a, "b"', 2],
        ['=1+1', -3],
      ],
    });
    expect(text).toBe('\uFEFFLabel,Number\r\n"a, ""b""",2\r\n\'=1+1,-3\r\n');
  });

  it('keeps cells separate', () => {
    const cell = fc.string().filter((text) => !/^[=+\-@\t\r]/u.test(text));
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 2 }), (row) => {
        const line = toCsv({ columns: ['a', 'b'], rows: [row] }).slice('\uFEFFa,b\r\n'.length, -2);
        const read = [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/gu)].map(([, quoted, plain]) =>
          quoted === undefined ? plain : quoted.replaceAll('""', '"'),
        );
        expect(read).toEqual(row);
      }),
    );
  });
});

describe('axes', () => {
  it('has few round ticks that reach the maximum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (top) => {
        const lines = axisTicks(top);
        expect(lines[0]).toBe(0);
        expect(lines.at(-1)).toBeGreaterThanOrEqual(top);
        expect(lines.length).toBeLessThanOrEqual(6);
        expect(lines.every(Number.isInteger)).toBe(true);
      }),
    );
    expect(axisTicks(0)).toEqual([0]);
  });

  it('accumulates counts and drops ticks', () => {
    const counts = [1, 2, 3].map((count, date) => ({ date, count }));
    expect(cumulativeCounts(counts).map(({ y }) => y)).toEqual([1, 3, 6]);
  });

  it('spaces labels, with the first and the last where there is room', () => {
    expect(indexesWithGap([0, 10, 50, 95, 100], 40)).toEqual([0, 2, 4]);
    expect(indexesWithGap([0, 10], 40)).toEqual([0]);
    const ascending = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1 }).map((all) => all.sort((a, b) => a - b));
    fc.assert(
      fc.property(ascending, (positions) => {
        const kept = indexesWithGap(positions, 100).map((place) => positions[place] as number);
        expect(kept[0]).toBe(positions[0]);
        kept.slice(1).forEach((position, place) => expect(position - (kept[place] as number)).toBeGreaterThanOrEqual(100));
      }),
    );
  });
});

describe('a chart', () => {
  beforeAll(() => startTestI18n());
  const table = { columns: ['Name', 'Documents'], rows: [['press', 1200] as const] };

  it('shows its numbers as a table and exports them', async () => {
    show(
      <ChartCard title="Sources" summary="One source" file="sources" table={table}>
        <i>drawing</i>
      </ChartCard>,
    );
    expect(screen.getByText('One source')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Show Sources as a table' }));
    expect(within(screen.getByRole('table', { name: 'Sources' })).getByRole('cell')).toHaveTextContent('1,200');
    expect(screen.queryByText('drawing')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Download Sources (CSV)' }));
    expect(saveFile).toHaveBeenCalledWith('sources.csv', expect.stringContaining('press,1200'), expect.stringContaining('csv'));
  });

  it('shows an empty state, without an export', () => {
    show(
      <ChartCard title="Sources" summary="" file="sources" table={{ columns: [], rows: [] }} empty="No sources">
        <i>drawing</i>
      </ChartCard>,
    );
    expect(screen.getByText('No sources')).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('draws bars as links with their parts, and the remaining ones on request', async () => {
    const rows = Array.from({ length: 20 }, (_row, place) => ({
      key: String(place),
      name: `Row ${place}`,
      parts: [
        { name: 'Confirmed', value: 20 - place, look: 'solid' as const },
        { name: 'Rejected', value: 1, look: 'faint' as const },
      ],
      to: `/explore/${place}`,
    }));
    show(<BarChart rows={rows} />);
    expect(screen.getAllByRole('link')).toHaveLength(12);
    const first = screen.getByRole('link', { name: /Row 0/ });
    expect(first).toHaveAttribute('href', '/explore/0');
    expect(first).toHaveTextContent('21Confirmed: 20, Rejected: 1');
    await userEvent.click(screen.getByRole('button', { name: '8 more' }));
    expect(screen.getAllByRole('link')).toHaveLength(20);
  });
});
