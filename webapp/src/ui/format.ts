/** Numbers, scores and dates in the format of each language (visual.md section 9). */
import { useTranslation } from 'react-i18next';

export function formatNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

/** `48%` in English, `48 %` in French; rounded down, so that 100% means all. */
export function formatPercent(share: number, language: string): string {
  const whole = Math.floor(100 * Math.min(1, Math.max(0, share)) + 1e-9) / 100;
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(whole);
}

/** `.87` in English, `0,87` in French; 1 stays `1`. */
export function formatScore(value: number, language: string, digits = 2): string {
  if (value >= 1) return '1';
  const text = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
  return language.startsWith('fr') ? text : text.replace(/^(-?)0\./, '$1.');
}

/** `+.06`, `−.01`; `.00` for less than half of the last digit. */
export function formatSignedScore(value: number, language: string): string {
  const text = formatScore(Math.abs(value), language);
  return Math.abs(value) < 0.005 ? text : `${value > 0 ? '+' : '−'}${text}`;
}

/** `= .012`, `< .001`: the probability of a test, after its name. */
export function formatProbability(value: number, language: string): string {
  const sign = value < 0.001 ? '<' : '=';
  return `${sign}\u00A0${formatScore(Math.max(0.001, value), language, 3)}`;
}

/** `1.2`, `−0.35`: a weight, which may be above 1; `+` on request. */
export function formatWeight(value: number, language: string, signed = false): string {
  const text = new Intl.NumberFormat(language, { maximumFractionDigits: 2, signDisplay: signed ? 'exceptZero' : 'auto' }).format(value);
  return text.replace('-', '−');
}

export function formatBytes(bytes: number, language: string): string {
  const fr = language.startsWith('fr');
  const units = fr ? ['o', 'ko', 'Mo', 'Go'] : ['B', 'kB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  const text = new Intl.NumberFormat(language, { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 }).format(value);
  return `${text}\u202F${units[power]}`;
}

/** `.5 s`, `41 s`, `3 min`, `2 h 05`. */
export function formatDuration(ms: number, language: string): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${formatNumber(seconds, language)}\u202Fs`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}\u202Fmin`;
  return `${Math.floor(minutes / 60)}\u202Fh\u202F${String(minutes % 60).padStart(2, '0')}`;
}

/** `hh:mm:ss` of the session clock (C-016). */
export function formatClock(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds));
  return [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

const MINUTE = 60_000;

/**
 * The reader's variant of the interface language, such as en-US or fr-CA, for dates and times. Plain `en` would write the month before the
 * day, so that it stands for en-GB.
 */
export function readerLocale(language: string, preferred: readonly string[] = navigator.languages): string {
  const base = (locale: string) => locale.toLowerCase().split('-')[0];
  const own = preferred.find((locale) => locale.includes('-') && base(locale) === base(language)) ?? language;
  return own === 'en' ? 'en-GB' : own;
}

const TIME = { hour: '2-digit', minute: '2-digit' } as const;

interface DescribedTime {
  readonly kind: 'none' | 'minutes' | 'time' | 'yesterday' | 'date';
  readonly text: string;
}

function describeTime(date: Date | number | string, language: string, now: Date): DescribedTime {
  const then = new Date(date);
  if (Number.isNaN(then.getTime())) return { kind: 'none', text: '' };
  const locale = readerLocale(language);
  const age = now.getTime() - then.getTime();
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const minutes = Math.round(age / MINUTE);
  if (age >= 0 && minutes === 0) return { kind: 'minutes', text: relative.format(0, 'second') };
  // English abbreviations have a full stop, which looks like the end of a sentence.
  if (age >= 0 && minutes < 60) return { kind: 'minutes', text: relative.format(-minutes, 'minute').replace('min.', 'min') };
  if (then.toDateString() === now.toDateString()) return { kind: 'time', text: then.toLocaleTimeString(locale, TIME) };
  const yesterday = new Date(now.getTime() - 24 * 60 * MINUTE);
  if (then.toDateString() === yesterday.toDateString()) return { kind: 'yesterday', text: relative.format(-1, 'day') };
  const year = then.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const };
  return { kind: 'date', text: then.toLocaleDateString(locale, { day: 'numeric', month: 'long', ...year }) };
}

/** `now`, `2 min ago`, `14:31` today, `Yesterday`, `12 March`, `12 March 2029`; in the reader's form. */
export function formatWhen(date: Date | number | string, language: string, now = new Date()): string {
  const { kind, text } = describeTime(date, language, now);
  return kind === 'yesterday' ? capitalise(text) : text;
}

/** The same inside a sentence: `2 min ago`, `at 14:31`, `yesterday`, `on 12 March`; `à 14:31`, `hier`, `le 12 mars`. */
export function formatWhenInSentence(date: Date | number | string, language: string, now = new Date()): string {
  const { kind, text } = describeTime(date, language, now);
  const fr = language.startsWith('fr');
  if (kind === 'time') return `${fr ? 'à' : 'at'} ${text}`;
  if (kind === 'date') return `${fr ? 'le' : 'on'} ${text}`;
  return text;
}

/** The complete date and time, for tooltips. */
export function formatDateTime(date: Date | number | string, language: string): string {
  const then = new Date(date);
  if (Number.isNaN(then.getTime())) return '';
  return then.toLocaleString(readerLocale(language), { dateStyle: 'long', timeStyle: 'medium' });
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function formatTime(date: Date | number | string, language: string): string {
  return new Date(date).toLocaleTimeString(readerLocale(language), TIME);
}

/** First letters of the first two words, capitals: avatars and project tiles. */
export function initials(name: string): string {
  const words = name.split(/[\s._-]+/u).filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0] ?? '') : [...(words[0] ?? '')].slice(0, 2);
  return letters.join('').toUpperCase();
}

/** The formatters bound to the language of the interface. */
export function useFormat() {
  const { i18n } = useTranslation();
  const language = i18n.language;
  return {
    language,
    number: (value: number) => formatNumber(value, language),
    score: (value: number) => formatScore(value, language),
    signedScore: (value: number) => formatSignedScore(value, language),
    probability: (value: number) => formatProbability(value, language),
    weight: (value: number, signed = false) => formatWeight(value, language, signed),
    percent: (share: number) => formatPercent(share, language),
    bytes: (value: number) => formatBytes(value, language),
    duration: (ms: number) => formatDuration(ms, language),
    when: (date: Date | number | string) => formatWhen(date, language),
    /** For use inside a sentence. */
    whenWithin: (date: Date | number | string) => formatWhenInSentence(date, language),
    /** Date and time, for tooltips. */
    dateTime: (date: Date | number | string) => formatDateTime(date, language),
    time: (date: Date | number | string) => formatTime(date, language),
  };
}
