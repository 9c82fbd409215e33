/** The keys a person gave to the labels of a project. The published API has no place for what belongs to a person in a project: they stay in this browser. */
import { useMemo } from 'react';
import { useChoice } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import type { Hotkeys } from '../hotkeys';

/** What is stored may come from another version of the studio. */
function read(stored: string): Hotkeys {
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}

export function useHotkeys(project: string): readonly [Hotkeys, (hotkeys: Hotkeys) => void] {
  const username = useSessionStore((state) => state.principal?.username ?? '');
  const [stored, store] = useChoice(`hotkeys/${username}/${project}`, '{}');
  const hotkeys = useMemo(() => read(stored), [stored]);
  return [hotkeys, (next) => store(JSON.stringify(next))];
}
