import { render, screen } from '@testing-library/react';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShortenedText, splitForEllipsis } from './shortened-text';

describe('texts shortened by width', () => {
  it('short ones are one piece', () => {
    expect(splitForEllipsis('card arrival')).toEqual(['card arrival', '']);
    render(<ShortenedText text="card arrival" />);
    expect(screen.getByText('card arrival')).toBeInTheDocument();
  });

  it('names that differ at their ends keep different ends', () => {
    const [, bank] = splitForEllipsis('balance not updated after bank transfer');
    const [, cash] = splitForEllipsis('balance not updated after cheque or cash deposit');
    expect(bank).not.toBe(cash);
  });

  it('nothing is lost, and no character is divided', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const [head, tail] = splitForEllipsis(text);
        expect(head + tail).toBe(text);
      }),
    );
    expect(splitForEllipsis(`${'a'.repeat(30)}👩🏽‍🚀`)[1]).toBe(`${'a'.repeat(11)}👩🏽‍🚀`);
  });

  it('the complete text is there', () => {
    const { container } = render(<ShortenedText text="cash withdrawal charge not recognised" />);
    expect(container).toHaveTextContent('cash withdrawal charge not recognised');
  });
});
