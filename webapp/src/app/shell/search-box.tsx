import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyCap } from '@/components/badge';
import { useSearchStore, type SearchSlot } from '@/state/search-store';
import styles from './shell.module.css';

/** C-004 */
export const SEARCH_DEBOUNCE_MS = 850;

function Box({ slot }: { readonly slot: SearchSlot }) {
  const { t } = useTranslation('shell');
  const [text, setText] = useState(slot.query);
  const [known, setKnown] = useState(slot.query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);
  if (known !== slot.query) {
    setKnown(slot.query);
    setText(slot.query);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => slot.onSearch(next, false), SEARCH_DEBOUNCE_MS);
  };
  const submit = (next: string) => {
    clearTimeout(timer.current);
    setText(next);
    slot.onSearch(next, true);
  };
  return (
    <form
      role="search"
      className={styles['search']}
      onSubmit={(event) => {
        event.preventDefault();
        submit(text);
      }}
    >
      <Search size={16} aria-hidden />
      <input
        ref={input}
        id="studio-search"
        type="text"
        value={text}
        placeholder={slot.placeholder}
        aria-label={slot.placeholder}
        autoComplete="off"
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') input.current?.blur();
        }}
      />
      {text === '' ? (
        <KeyCap>/</KeyCap>
      ) : (
        <button type="button" aria-label={t('search.clear')} onClick={() => submit('')}>
          <X size={14} aria-hidden />
        </button>
      )}
    </form>
  );
}

/** Present only while the screen shown offers a search (W-003). */
export function SearchBox() {
  const slot = useSearchStore((state) => state.slot);
  return slot === null ? null : <Box slot={slot} />;
}
