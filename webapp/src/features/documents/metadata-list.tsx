import type { ReactNode } from 'react';
import { useMetadataTitle } from '@/blocks/search/metadata-titles';
import styles from './documents.module.css';

/** A metadata value as text; lists are joined. */
export function metadataText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(metadataText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const isLink = (text: string) => /^https?:\/\/\S+$/u.test(text);

/** S-013: all metadata of a document. */
export function MetadataList({
  metadata,
  actions,
}: {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly actions?: (name: string) => ReactNode;
}): ReactNode {
  const metadataTitle = useMetadataTitle();
  return (
    <dl className={styles['metadata']}>
      {Object.entries(metadata).map(([name, value]) => {
        const text = metadataText(value);
        return (
          <div key={name}>
            <dt title={name}>{metadataTitle(name)}</dt>
            <dd dir="auto">
              {isLink(text) ? (
                <a href={text} target="_blank" rel="noreferrer">
                  {text}
                </a>
              ) : (
                text
              )}
              {actions?.(name)}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
