import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exampleDay, firstWeekday, formatDay, isIsoDay, moveDay, parseDay, weeksOfMonth } from './day-text';

const readersOf = (...languages: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
afterEach(() => vi.restoreAllMocks());

describe('days in the reader’s form', () => {
  it.each([
    ['en-GB', 'en', '31/01/2026'],
    ['en-US', 'en', '01/31/2026'],
    ['fr-FR', 'fr', '31/01/2026'],
    ['de-DE', 'de', '31.01.2026'],
    ['sv-SE', 'sv', '2026-01-31'],
  ])('%s', (reader, language, text) => {
    readersOf(reader);
    expect(formatDay('2026-01-31', language)).toBe(text);
    expect(exampleDay(language)).toBe(text);
    expect(parseDay(text, language)).toBe('2026-01-31');
  });

  it('reads other separators, single digits and the ISO form', () => {
    readersOf('en-GB');
    for (const text of ['1/2/2026', '1.2.2026', ' 01 02 2026 ', '1-2-2026', '2026-02-01']) expect(parseDay(text, 'en')).toBe('2026-02-01');
  });

  it.each(['', '31/02/2026', '1/2/26', '1/2', 'tomorrow', '32/01/2026', '2026-13-01', '1/2/2026 x'])('does not read "%s"', (text) => {
    readersOf('en-GB');
    expect(parseDay(text, 'en')).toBeUndefined();
  });

  it('knows the days of early years and of leap years', () => {
    readersOf('en-GB');
    expect(parseDay('29/02/2024', 'en')).toBe('2024-02-29');
    expect(isIsoDay('2023-02-29')).toBe(false);
    expect(parseDay('05/06/0042', 'en')).toBe('0042-06-05');
  });
});

describe('the calendar', () => {
  beforeEach(() => {
    readersOf('en-GB', 'fr-FR');
  });

  it('moves by days and months, and ends at the last day of a short month', () => {
    expect(moveDay('2026-01-31', { days: 1 })).toBe('2026-02-01');
    expect(moveDay('2026-01-31', { months: 1 })).toBe('2026-02-28');
    expect(moveDay('2024-02-29', { months: -12 })).toBe('2023-02-28');
  });

  it('has the complete weeks of a month, from the first day of the reader’s week', () => {
    expect(firstWeekday('fr')).toBe(1);
    const weeks = weeksOfMonth('2026-11-23', 'fr');
    expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7]);
    expect(weeks[0]?.[0]).toBe('2026-10-26');
    expect(weeks.flat()).toContain('2026-11-30');
  });
});
