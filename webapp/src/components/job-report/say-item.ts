import type { ReportItem } from '@/api/resources/uploads';
import { saidOf } from '@/api/said';

type Words = Pick<ReportItem, 'message' | 'fix' | 'said'>;
const wordsOf = (item: Words) => ({ message: saidOf(item, 'message') ?? '', fix: saidOf(item, 'fix') ?? '' });

/** Parts as sentences, one after the other. */
function sentences(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

/** Message and what to do as sentences; servers may put both in the message. */
export function sayItem(item: Words): string {
  const { message, fix } = wordsOf(item);
  return sentences(message.includes(fix) ? [message] : [message, fix]);
}

/** What happened, and apart from it what to do; an advice that the message holds already is not said twice. */
export function sayApart(item: Words): { readonly why: string; readonly todo: string } {
  const { message, fix } = wordsOf(item);
  return { why: sentences([message]), todo: message.includes(fix) ? '' : sentences([fix]) };
}
