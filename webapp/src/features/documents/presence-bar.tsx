/** Shows the other users in the document. */
import { useEffect, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePersonName } from '@/blocks/projects/person-name';
import { Tooltip } from '@/ui/tooltip';
import { usePresenceStore } from '@/state/presence-store';
import { useSessionStore } from '@/state/session-store';
import styles from '@/blocks/labelling/labelling.module.css';

const PRUNE_MS = 2000;
const SHOWN = 5;

/** Announces that this window has the document open until it is unmounted; returns the names of the other users, each once. */
export function usePresence(project: string, document: string): readonly string[] {
  const own = useSessionStore(({ principal }) => principal?.username);
  const people = usePresenceStore((state) => state.people);
  useEffect(() => {
    const { enter, leave, prune } = usePresenceStore.getState();
    enter({ project, document });
    const timer = setInterval(() => prune(), PRUNE_MS);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, [project, document]);
  return useMemo(() => [...new Set([...people.values()].map(({ user }) => user))].filter((user) => user !== own).sort(), [people, own]);
}

/** `marie.curie` -> MC. */
export function initials(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter((word) => word !== '');
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? name)].slice(0, 2);
  return letters.join('').toLocaleUpperCase();
}

export function PresenceBar({ project, document }: { readonly project: string; readonly document: string }): ReactNode {
  const { t } = useTranslation('labelling');
  const personName = usePersonName();
  const others = usePresence(project, document);
  return (
    <div role="status" aria-live="polite" className={styles['people']}>
      {others.length > 0 && (
        <ul aria-label={t('alsoHere')}>
          {others.slice(0, SHOWN).map((user) => (
            <li key={user}>
              <Tooltip title={t('isHere', { user: personName(user) })}>
                <span className={styles['person']} role="img" aria-label={t('isHere', { user: personName(user) })}>
                  {initials(personName(user))}
                </span>
              </Tooltip>
            </li>
          ))}
          {others.length > SHOWN && (
            <li
              title={others
                .slice(SHOWN)
                .map((user) => personName(user))
                .join(', ')}
            >
              +{others.length - SHOWN}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
