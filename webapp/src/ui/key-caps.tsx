import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyCap } from './badge';
import { keyCapTexts } from './key-chords';
import styles from './command-palette.module.css';

/** The keys of an act, drawn: `Mod+K` as two caps, in the words of the keyboards of the language. */
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
