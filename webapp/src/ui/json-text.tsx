import styles from './ui.module.css';

/** JSON to read: it scrolls in its box, also by keys. */
export function JsonText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <pre className={styles['json']} tabIndex={0} aria-label={label}>
      {text}
    </pre>
  );
}
