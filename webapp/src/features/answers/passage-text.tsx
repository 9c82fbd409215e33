import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DocumentSerializer } from '@/annotation/document-serializer';
import { textDirection } from '@/text/direction';
import { Button } from '@/ui/button';

/** A range of code points of a passage. */
export interface CitedRange {
  readonly start: number;
  readonly end: number;
}

/** Characters of an excerpt, and those before its first cited sentence. */
const EXCERPT = 420;
const BEFORE = 120;

interface Part {
  readonly text: string;
  readonly cited: boolean;
}

/** The text in parts, those that are cited apart; ranges that overlap an earlier one are left out. */
export function passageParts(text: string, cited: readonly CitedRange[]): readonly Part[] {
  const offsets = new DocumentSerializer(text);
  const ranges = cited.map(({ start, end }) => offsets.range(start, end)).sort((one, other) => one.start - other.start);
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    if (start < at || end <= start) continue;
    parts.push({ text: text.slice(at, start), cited: false }, { text: text.slice(start, end), cited: true });
    at = end;
  }
  parts.push({ text: text.slice(at), cited: false });
  return parts.filter((part) => part.text !== '');
}

/** The nearest start of a word at or after `position`. */
function wordAfter(text: string, position: number): number {
  const space = text.indexOf(' ', position);
  return space === -1 || space - position > 40 ? position : space + 1;
}

/** Parts of about `EXCERPT` characters that contain the start of the first cited sentence; undefined where the text is hardly longer. */
export function excerptParts(parts: readonly Part[]): readonly Part[] | undefined {
  const length = parts.reduce((sum, part) => sum + part.text.length, 0);
  if (length <= EXCERPT * 1.3) return undefined;
  const before = parts[0]?.cited === false && parts.length > 1 ? parts[0].text : '';
  const from = before.length > BEFORE ? wordAfter(before, before.length - BEFORE) : 0;
  const kept: Part[] = [];
  let left = EXCERPT;
  for (const [index, part] of parts.entries()) {
    const text = index === 0 ? part.text.slice(from) : part.text;
    if (left <= 0) break;
    const end = text.length > left ? wordAfter(text, left) : text.length;
    kept.push({ ...part, text: text.slice(0, end) });
    left -= end;
  }
  return [...(from > 0 ? [{ text: '…', cited: false }] : []), ...kept, { text: '…', cited: false }];
}

/** The text of a passage with its cited sentences marked; a long one is an excerpt until it is opened. */
export function PassageText({ text, cited }: { readonly text: string; readonly cited: readonly CitedRange[] }): ReactNode {
  const { t } = useTranslation('answers');
  const [open, setOpen] = useState(false);
  const parts = passageParts(text, cited);
  const excerpt = excerptParts(parts);
  return (
    <>
      <p dir={textDirection(text)}>
        {(open ? parts : (excerpt ?? parts)).map((part, index) =>
          part.cited ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
        )}
      </p>
      {excerpt !== undefined && (
        <span>
          <Button small kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'showExcerpt' : 'showWhole')}
          </Button>
        </span>
      )}
    </>
  );
}
