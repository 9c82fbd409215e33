import type { ReactNode } from 'react';
import type { CodePointRange } from '@/api/resources/search';
import { buildOffsetIndex } from '@/text/offsets';
import styles from './search.module.css';

/** A short text with highlighted matches; ranges in code points, ascending. */
export function HighlightedText({ text, ranges }: { readonly text: string; readonly ranges: readonly CodePointRange[] }): ReactNode {
  const index = buildOffsetIndex(text);
  const parts: ReactNode[] = [];
  let at = 0;
  for (const range of ranges) {
    const start = index.toUnits(range.start);
    const end = index.toUnits(range.end);
    if (start < at || end <= start) continue;
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  parts.push(text.slice(at));
  return (
    <span className={styles['marked']} dir="auto">
      {parts}
    </span>
  );
}
