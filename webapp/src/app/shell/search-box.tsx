import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyCap } from '@/ui/badge';
import { useSearchStore, type QuerySyntaxError, type SearchBoxContent } from '@/state/search-store';
import { buildOffsetIndex } from '@/text/offsets';
import { firstListItem } from './first-list-item';
import styles from './shell.module.css';

/** C-004 */
export const SEARCH_DEBOUNCE_MS = 850;

/** Catalogue key for the server's reason; a reason missing in the catalogue is shown as the server sent it. */
const reasonKey = (reason: string) => reason.replace(/\W+/gu, '_').replace(/^_|_$/gu, '');

/** The query with the position of the syntax error. */
function QueryErrorNote({ query, mistake }: { readonly query: string; readonly mistake: QuerySyntaxError }) {
  const { t } = useTranslation('search');
  const at = buildOffsetIndex(query).toUnits(Math.min(mistake.position, [...query].length));
  const rest = query.slice(at);
  return (
    <div className={styles['mistake']} id="studio-search-mistake" role="alert">
      <code dir="auto">
        {query.slice(0, at)}
        <mark>{rest === '' ? '…' : rest}</mark>
      </code>
      <p>{t('mistake', { reason: t(`reasons.${reasonKey(mistake.reason)}`, { defaultValue: mistake.reason }) })}</p>
    </div>
  );
}

function SearchForm({ slot }: { readonly slot: SearchBoxContent }) {
  const { t } = useTranslation('shell');
  const [text, setText] = useState(slot.query);
  const [known, setKnown] = useState(slot.query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);
  if (known !== slot.query) {
    setKnown(slot.query);
    setText(slot.query);
  }
  const setTyping = useSearchStore((state) => state.setTyping);
  const waiting = text !== slot.query;
  useEffect(() => {
    setTyping(waiting);
    return () => setTyping(false);
  }, [waiting, setTyping]);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The error does not apply to a query changed since.
  const mistake = text === slot.query ? slot.queryError : undefined;
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
        aria-invalid={mistake !== undefined || undefined}
        aria-describedby={mistake === undefined ? undefined : 'studio-search-mistake'}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') input.current?.blur();
          // Jump to the results, past everything in between.
          const list = event.key === 'ArrowDown' ? firstListItem() : null;
          if (list === null) return;
          event.preventDefault();
          list.focus();
        }}
      />
      {text === '' ? (
        <KeyCap>/</KeyCap>
      ) : (
        <button type="button" aria-label={t('search.clear')} onClick={() => submit('')}>
          <X size={14} aria-hidden />
        </button>
      )}
      {mistake !== undefined && <QueryErrorNote query={text} mistake={mistake} />}
    </form>
  );
}

/** Present only while the screen provides a search (W-003). */
export function SearchBox() {
  const slot = useSearchStore((state) => state.slot);
  return slot === null ? null : <SearchForm slot={slot} />;
}
