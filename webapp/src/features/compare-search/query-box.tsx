import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/ui/icon-button';
import { TextInput } from '@/ui/field';
import type { ComparedSearch } from './use-compared-search';

/** C-004 */
const DEBOUNCE_MS = 850;
/** Id of the query of the first search. */
export const FIRST_QUERY = 'compare-query';

/** The link of the first result below a query. */
const firstResult = (query: Element) => query.closest('section')?.querySelector<HTMLElement>('ol > li h2 a') ?? null;

/** The query of one search: sent with Enter, or 850 ms after the last key. */
export function QueryBox({ search }: { readonly search: ComparedSearch }): ReactNode {
  const { side, letter, state, change } = search;
  const { t } = useTranslation('compare');
  const [text, setText] = useState(state.query);
  const [known, setKnown] = useState(state.query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  }, [change]);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (known !== state.query) {
    setKnown(state.query);
    setText(state.query);
  }
  const send = (query: string, explicitSubmit: boolean) => {
    clearTimeout(timer.current);
    setText(query);
    latest.current({ query, explicitSubmit }, { replace: !explicitSubmit });
  };
  const type = (query: string) => {
    setText(query);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(query, false), DEBOUNCE_MS);
  };
  return (
    <form
      role="search"
      aria-label={t('query', { letter })}
      onSubmit={(event) => {
        event.preventDefault();
        send(text, true);
      }}
    >
      <TextInput
        hideLabel
        label={t('query', { letter })}
        placeholder={t('placeholder')}
        autoComplete="off"
        value={text}
        onChange={type}
        onKeyDown={(event) => {
          const result = event.key === 'ArrowDown' ? firstResult(event.currentTarget) : null;
          if (result === null) return;
          event.preventDefault();
          result.focus();
        }}
        start={<Search size={16} aria-hidden />}
        {...(side === 'explore1' && { id: FIRST_QUERY })}
        {...(text !== '' && { end: <IconButton small label={t('clear', { letter })} icon={X} onClick={() => send('', true)} /> })}
      />
    </form>
  );
}
