/** Days in the reader's form: `31/01/2026`, in the United States `01/31/2026`; kept as `2026-01-31`. */
import { readerLocale } from './format';

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/u;

type Part = 'day' | 'month' | 'year';
const DIGITS: Record<Part, number> = { day: 2, month: 2, year: 4 };

/** Undefined for a day that no calendar has, such as 31 February. */
function isoDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real && year >= 1 && year <= 9999 ? date.toISOString().slice(0, 10) : undefined;
}

export function isIsoDay(text: string): boolean {
  const found = ISO_DAY.exec(text);
  return found !== null && isoDay(Number(found[1]), Number(found[2]), Number(found[3])) !== undefined;
}

/** Order and separators of the reader's form. */
const dayParts = (language: string) =>
  new Intl.DateTimeFormat(readerLocale(language), { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' }).formatToParts(
    Date.UTC(2026, 0, 31),
  );

const isPart = (type: string): type is Part => type === 'day' || type === 'month' || type === 'year';

/** An ISO day in the reader's form; other text stays as it is. */
export function formatDay(iso: string, language: string): string {
  const found = ISO_DAY.exec(iso);
  if (found === null) return iso;
  const values: Record<Part, string> = { year: found[1] ?? '', month: found[2] ?? '', day: found[3] ?? '' };
  return dayParts(language)
    .map(({ type, value }) => (isPart(type) ? values[type] : value))
    .join('');
}

/** The form as an example, which is a day that cannot be read in two ways. */
export const exampleDay = (language: string): string => formatDay('2026-01-31', language);

/** Reads the reader's form, with any separators and without leading zeros, and `2026-01-31`; undefined for anything else. */
export function parseDay(text: string, language: string): string | undefined {
  const trimmed = text.trim();
  if (isIsoDay(trimmed)) return trimmed;
  const numbers = trimmed.split(/[^\d]+/u).filter((one) => one !== '');
  const order = dayParts(language).flatMap(({ type }) => (isPart(type) ? [type] : []));
  if (numbers.length !== order.length || !/^[\d\s./-]+$/u.test(trimmed)) return undefined;
  const values: Record<Part, number> = { year: 0, month: 0, day: 0 };
  for (const [at, part] of order.entries()) {
    const digits = numbers[at] ?? '';
    if (digits.length > DIGITS[part] || (part === 'year' && digits.length < 4)) return undefined;
    values[part] = Number(digits);
  }
  return isoDay(values.year, values.month, values.day);
}

/** The same day some days or months later; a month that is too short has its last day instead. */
export function moveDay(iso: string, { days = 0, months = 0 }: { readonly days?: number; readonly months?: number }): string {
  const found = ISO_DAY.exec(iso);
  if (found === null) return iso;
  const [year, month, day] = [Number(found[1]), Number(found[2]) - 1 + months, Number(found[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month + 1, 0);
  const last = date.getUTCDate();
  date.setUTCFullYear(year, month, Math.min(day, last) + days);
  const moved = date.toISOString().slice(0, 10);
  return isIsoDay(moved) ? moved : iso;
}

/** Today where the reader is. */
export function today(now = new Date()): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${String(now.getFullYear())}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

interface WeekInfo {
  readonly firstDay: number;
}

/** 1 for Monday to 7 for Sunday. */
export function firstWeekday(language: string): number {
  const locale = new Intl.Locale(readerLocale(language)) as Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo };
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

/** The weeks of the month of a day, each of seven days; days of the months beside it complete them. */
export function weeksOfMonth(iso: string, language: string): string[][] {
  const first = `${iso.slice(0, 8)}01`;
  const weekday = new Date(`${first}T00:00:00Z`).getUTCDay() || 7;
  const start = moveDay(first, { days: -((weekday - firstWeekday(language) + 7) % 7) });
  return Array.from({ length: 6 }, (_week, week) => Array.from({ length: 7 }, (_day, day) => moveDay(start, { days: week * 7 + day })));
}
