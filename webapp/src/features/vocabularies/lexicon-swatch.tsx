import { useLabelStyle } from '@/theme/mode';
import styles from './vocabularies.module.css';

/** The colour of a lexicon beside its name, as on the labels of annotations. */
export function LexiconSwatch({ color }: { readonly color: string }) {
  return <span className={styles['swatch']} style={useLabelStyle(color)} aria-hidden />;
}
