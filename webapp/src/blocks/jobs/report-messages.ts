import type { ReportItem } from '@/api/resources/document-imports';
import { translatedMessageOf } from '@/api/server-messages';

type ItemTexts = Pick<ReportItem, 'message' | 'fix' | 'said'>;
const messageAndFix = (item: ItemTexts) => ({
  message: translatedMessageOf(item, 'message') ?? '',
  fix: translatedMessageOf(item, 'fix') ?? '',
});

/** Parts as sentences, one after the other. */
function joinAsSentences(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

/** Message and what to do as sentences; servers may put both in the message. */
export function itemMessage(item: ItemTexts): string {
  const { message, fix } = messageAndFix(item);
  return joinAsSentences(message.includes(fix) ? [message] : [message, fix]);
}

/** What happened, and apart from it what to do; an advice that the message holds already is not said twice. */
export function itemMessageAndFix(item: ItemTexts): { readonly why: string; readonly todo: string } {
  const { message, fix } = messageAndFix(item);
  return { why: joinAsSentences([message]), todo: message.includes(fix) ? '' : joinAsSentences([fix]) };
}
