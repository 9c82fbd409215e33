import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestI18n } from '@/test/render';
import { DateInput } from './date-input';

const told = vi.fn();

function Held({ value: first = '' }: { readonly value?: string }) {
  const [value, setValue] = useState(first);
  return (
    <DateInput
      label="From"
      value={value}
      onChange={(next) => {
        told(next);
        setValue(next);
      }}
    />
  );
}

const field = () => screen.getByRole('textbox', { name: 'From' });

beforeEach(async () => {
  await startTestI18n();
  told.mockClear();
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']);
});

describe('a date', () => {
  it('is typed in the form of the reader', async () => {
    render(<Held />);
    await userEvent.type(field(), '1/2/2026');
    expect(told).toHaveBeenLastCalledWith('2026-02-01');
    expect(field()).toHaveValue('1/2/2026');
    await userEvent.tab();
    expect(field()).toHaveValue('01/02/2026');
  });

  it('keeps what is no date, and says how to write it when the field is left', async () => {
    render(<Held value="2026-02-01" />);
    await userEvent.clear(field());
    expect(told).toHaveBeenLastCalledWith('');
    await userEvent.type(field(), '31/02/2026');
    expect(told).toHaveBeenLastCalledWith('31/02/2026');
    expect(screen.queryByText(/Write the date as/)).not.toBeInTheDocument();
    await userEvent.tab();
    expect(screen.getByText('Write the date as 31/01/2026')).toBeVisible();
    expect(field()).toHaveValue('31/02/2026');
    expect(field()).toBeInvalid();
  });

  it('is chosen in the calendar by keys', async () => {
    render(<Held value="2026-01-31" />);
    await userEvent.click(screen.getByRole('button', { name: 'Choose a date' }));
    const day = (name: string) => screen.findByRole('button', { name });
    await waitFor(async () => expect(await day('Saturday, 31 January 2026')).toHaveFocus());
    await userEvent.keyboard('{ArrowRight}');
    await waitFor(async () => expect(await day('Sunday, 1 February 2026')).toHaveFocus());
    await userEvent.keyboard('{PageDown}{Enter}');
    expect(told).toHaveBeenLastCalledWith('2026-03-01');
    expect(field()).toHaveValue('01/03/2026');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('keeps the focus on the button that turns the month', async () => {
    render(<Held value="2026-01-31" />);
    await userEvent.click(screen.getByRole('button', { name: 'Choose a date' }));
    const next = await screen.findByRole('button', { name: 'Next month' });
    await userEvent.click(next);
    await userEvent.click(next);
    expect(screen.getByText('March 2026')).toBeVisible();
    expect(next).toHaveFocus();
  });
});
