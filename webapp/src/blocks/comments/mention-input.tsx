import { useQuery } from '@tanstack/react-query';
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mentionablePeopleQuery, type MentionablePerson } from '@/api/resources/comments';
import { useSessionStore } from '@/state/session-store';
import { TextInput, type TextInputProps } from '@/ui/field';
import styles from './comments.module.css';
import { mentionAt, withMention, type TypedMention } from './mention';

const NOBODY: readonly MentionablePerson[] = [];

interface Typing extends TypedMention {
  readonly cursor: number;
}

/** The people whose name is being typed, while the list is open. */
function usePeople(text: string, cursor: number | undefined) {
  const project = useSessionStore((state) => state.projectName) ?? '';
  // Where the list was closed by Escape.
  const [closedAt, setClosedAt] = useState<number>();
  const typed = cursor === undefined ? undefined : mentionAt(text, cursor);
  const wanted = typed !== undefined && typed.start !== closedAt;
  const { data } = useQuery({ ...mentionablePeopleQuery(project, typed?.query ?? ''), enabled: wanted && project !== '' });
  const typing: Typing | undefined = wanted && cursor !== undefined ? { ...typed, cursor } : undefined;
  return { typing, people: wanted ? (data ?? NOBODY) : NOBODY, close: () => setClosedAt(typed?.start) };
}

/** A text in which people are chosen after an @, by arrows and Enter or Tab; Escape closes the list only. */
export function MentionInput({ value, onChange, onKeyDown, ...rest }: TextInputProps): ReactNode {
  const { t } = useTranslation('comments');
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<number>();
  const [moveTo, setMoveTo] = useState<number>();
  const [active, setActive] = useState(0);
  const { typing, people, close } = usePeople(value, cursor);
  const at = Math.min(active, people.length - 1);
  const area = () => box.current?.querySelector('textarea') ?? undefined;
  useLayoutEffect(() => {
    if (moveTo !== undefined) area()?.setSelectionRange(moveTo, moveTo);
  }, [moveTo]);
  const choose = (person: MentionablePerson | undefined) => {
    if (typing === undefined || person === undefined) return;
    const next = withMention(value, typing.cursor, typing, person.username);
    onChange(next.text);
    setCursor(next.cursor);
    setMoveTo(next.cursor);
    setActive(0);
    area()?.focus();
  };
  const listKey = (event: KeyboardEvent): boolean => {
    if (people.length === 0 || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return false;
    if (event.key === 'ArrowDown') setActive((at + 1) % people.length);
    else if (event.key === 'ArrowUp') setActive((at - 1 + people.length) % people.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(people[at]);
    else if (event.key === 'Escape') close();
    else return false;
    return true;
  };
  return (
    <div
      ref={box}
      className={styles['mention']}
      onSelect={(event) => event.target instanceof HTMLTextAreaElement && setCursor(event.target.selectionStart)}
      onBlur={() => setCursor(undefined)}
    >
      <TextInput
        {...rest}
        value={value}
        onChange={(text) => {
          setCursor(area()?.selectionStart);
          setMoveTo(undefined);
          setActive(0);
          onChange(text);
        }}
        onKeyDown={(event) => {
          if (!listKey(event)) return onKeyDown?.(event);
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {people.length > 0 && (
        <ul className={styles['people']} role="listbox" aria-label={t('people')}>
          {people.map((person, index) => (
            <li
              key={person.username}
              id={`${id}${person.username}`}
              role="option"
              aria-selected={index === at}
              onMouseDown={(event) => {
                event.preventDefault();
                choose(person);
              }}
            >
              <b>{person.profilename}</b>
              {person.profilename !== person.username && <span>@{person.username}</span>}
            </li>
          ))}
        </ul>
      )}
      <span className="visually-hidden" role="status">
        {people[at] === undefined ? '' : t('person', { name: people[at].profilename, at: at + 1, count: people.length })}
      </span>
    </div>
  );
}
