import type { ReportItem } from '@/api/resources/document-imports';
import { translatedMessageOf } from '@/api/server-messages';

type ItemTexts = Pick<ReportItem, 'message' | 'fix' | 'said'>;
const messageAndFix = (item: ItemTexts) => ({
  message: translatedMessageOf(item, 'message') ?? '',
  fix: translatedMessageOf(item, 'fix') ?? '',
});

/** Joins the parts as sentences. */
function joinAsSentences(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

/** Message and fix as sentences; servers may put both in the message. */
export function itemMessage(item: ItemTexts): string {
  const { message, fix } = messageAndFix(item);
  return joinAsSentences(message.includes(fix) ? [message] : [message, fix]);
}

/** Message and fix separately; a fix that the message already contains is not repeated. */
export function itemMessageAndFix(item: ItemTexts): { readonly why: string; readonly todo: string } {
  const { message, fix } = messageAndFix(item);
  return { why: joinAsSentences([message]), todo: message.includes(fix) ? '' : joinAsSentences([fix]) };
}
