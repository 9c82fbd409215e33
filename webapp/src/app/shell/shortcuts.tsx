import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { KeyCap } from '@/components/badge';
import { SwitchRow } from '@/components/choices';
import { Dialog } from '@/components/dialog';
import { isTyping } from '@/components/keys';
import { useChoice } from '@/state/layout-store';
import { ROUTES } from '../routes';
import styles from './shell.module.css';

interface Shortcuts {
  openHelp(): void;
}

const ShortcutsContext = createContext<Shortcuts>({ openHelp: () => undefined });

export function useShortcuts(): Shortcuts {
  return useContext(ShortcutsContext);
}

/** `G` then a letter. */
const GO: Readonly<Record<string, string>> = {
  h: 'home',
  d: 'documents',
  e: 'explore',
  l: 'labels',
  s: 'suggestions',
  x: 'experiments',
  p: 'plans',
  t: 'test',
  b: 'dashboard',
  j: 'jobs',
};
const GO_WINDOW_MS = 1200;

function focusSearch(): void {
  document.getElementById('studio-search')?.focus();
}

/** Keys of the whole studio; single letters only outside text fields, and switchable. */
export function ShortcutsProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const [help, setHelp] = useState(false);
  const [letters, setLetters] = useChoice<'on' | 'off'>('shortcuts.letters', 'on');
  const goAt = useRef(0);
  useEffect(() => {
    const plain = (event: KeyboardEvent) => !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
    const letter = (event: KeyboardEvent) => {
      const going = Date.now() - goAt.current < GO_WINDOW_MS;
      goAt.current = event.key === 'g' ? Date.now() : 0;
      const target = going ? ROUTES.find((row) => row.id === GO[event.key]) : undefined;
      if (target !== undefined) void navigate(target.to ?? target.path);
      else if (event.key === '?') setHelp(true);
      else if (event.key === '/') {
        event.preventDefault();
        focusSearch();
      }
    };
    const listen = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        focusSearch();
      } else if (letters === 'on' && plain(event) && !isTyping(event)) letter(event);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [navigate, letters]);
  const value = useMemo<Shortcuts>(() => ({ openHelp: () => setHelp(true) }), []);
  const rows: readonly (readonly [string, string])[] = [
    ['/', t('keys.search')],
    ['?', t('keys.help')],
    ['[  ]', t('keys.drawers')],
    ['C', t('keys.create')],
    ['Esc', t('keys.close')],
    ...Object.entries(GO)
      .filter(([, id]) => ROUTES.some((row) => row.id === id))
      .map(([key, id]) => [`G ${key.toUpperCase()}`, t(`title.${id}`)] as const),
  ];
  return (
    <ShortcutsContext.Provider value={value}>
      {children}
      <Dialog open={help} width="small" title={t('keys.title')} onClose={() => setHelp(false)}>
        <dl className={styles['keys']}>
          {rows.map(([key, what]) => (
            <div key={key}>
              <dt>
                {key
                  .split(' ')
                  .filter(Boolean)
                  .map((part) => (
                    <KeyCap key={part}>{part}</KeyCap>
                  ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <SwitchRow label={t('keys.letters')} checked={letters === 'on'} onChange={(on) => setLetters(on ? 'on' : 'off')} />
      </Dialog>
    </ShortcutsContext.Provider>
  );
}
