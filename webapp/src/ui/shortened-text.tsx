import { useMemo } from 'react';
import styles from './shortened-text.module.css';

/** Texts up to this length are cut at their end; longer ones in the middle. */
const PLAIN_LIMIT = 24;
/** Graphemes at the end that stay visible. */
const TAIL = 12;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The part that is cut by the available width, and the end that is not; the end is empty for short texts. */
export function splitForEllipsis(text: string): readonly [head: string, tail: string] {
  const all = Array.from(graphemes.segment(text), ({ segment }) => segment);
  if (all.length <= PLAIN_LIMIT) return [text, ''];
  return [all.slice(0, -TAIL).join(''), all.slice(-TAIL).join('')];
}

/**
 * One line of text that is shortened only where the width requires it. Long names often differ at their ends: they are cut in the middle,
 * so that two of them never look alike. The complete text stays readable for search and screen readers.
 */
export function ShortenedText({ text }: { readonly text: string }) {
  const [head, tail] = useMemo(() => splitForEllipsis(text), [text]);
  // The element around it cuts a short text at its end.
  if (tail === '') return <>{text}</>;
  return (
    <span className={styles['line']} dir="auto">
      <span className={styles['head']}>{head}</span>
      <span className={styles['tail']}>{tail}</span>
    </span>
  );
}
