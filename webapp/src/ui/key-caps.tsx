import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyCap } from './badge';
import { keyCapTexts } from './key-chords';
import styles from './command-palette.module.css';

/** Draws the keys of a command: `Mod+K` as two caps, with key names in the user's language. */
export function KeyCaps({ keys }: { readonly keys: string }): ReactNode {
  const { t, i18n } = useTranslation('keys');
  const word = (name: string) => (i18n.exists(`keys:cap.${name}`) ? t(`cap.${name}`) : name);
  return (
    <span className={styles['caps']}>
      {keyCapTexts(keys, word).map((cap, n) => (
        <KeyCap key={n}>{cap}</KeyCap>
      ))}
    </span>
  );
}
