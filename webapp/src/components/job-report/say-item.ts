import type { ReportItem } from '@/api/resources/uploads';

/** Parts as sentences, one after the other. */
function sentences(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

/** Message and what to do as sentences; servers may put both in the message. */
export function sayItem({ message = '', fix = '' }: Pick<ReportItem, 'message' | 'fix'>): string {
  return sentences(message.includes(fix) ? [message] : [message, fix]);
}

/** What happened, and apart from it what to do; an advice that the message holds already is not said twice. */
export function sayApart({ message = '', fix = '' }: Pick<ReportItem, 'message' | 'fix'>): { readonly why: string; readonly todo: string } {
  return { why: sentences([message]), todo: message.includes(fix) ? '' : sentences([fix]) };
}
