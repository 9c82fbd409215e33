/**
 * The user's hotkeys for the labels of a project, stored on the server, so that they are the same on every machine. Keys that an earlier
 * version stored in the browser are migrated once, unless the server already has some.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { changePreferences, preferencesQuery } from '@/api/resources/preferences';
import { useStoredChoice, useLayoutStore } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import type { Hotkeys } from '@/annotation/keyboard/hotkeys';

const NONE = '{}';

/** The stored value may come from another version of the web app. */
function parseLabelHotkeys(stored: string): Hotkeys {
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
    );
  } catch {
    return {};
  }
}

/** Hotkeys that only this browser has. */
function useLocalLabelHotkeys(project: string) {
  const username = useSessionStore((state) => state.principal?.username ?? '');
  const name = `hotkeys/${username}/${project}`;
  const [stored] = useStoredChoice(name, NONE);
  const here = useMemo(() => parseLabelHotkeys(stored), [stored]);
  const forget = useCallback(() => useLayoutStore.getState().setChoice(name, NONE), [name]);
  return { here, forget };
}

export function useLabelHotkeys(project: string): readonly [Hotkeys, (hotkeys: Hotkeys) => void] {
  const client = useQueryClient();
  const { data } = useQuery(preferencesQuery(project));
  const { here, forget } = useLocalLabelHotkeys(project);
  const { queryKey } = preferencesQuery(project);
  const { mutate } = useMutation({
    mutationFn: (hotkeys: Hotkeys) => changePreferences(project, { hotkeys }),
    onMutate: async (hotkeys) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (before = {}) => ({ ...before, hotkeys }));
    },
    onSuccess: (answer) => {
      client.setQueryData(queryKey, answer);
      forget();
    },
    onError: () => client.invalidateQueries({ queryKey }),
    meta: { errorTitle: 'saveHotkeys' },
  });
  return [data?.hotkeys ?? here, (hotkeys) => mutate(hotkeys)];
}

/** Migrates the hotkeys of this browser to the server. A failure is ignored; the next visit tries again. */
export function useLabelHotkeyMigration(project: string): void {
  const client = useQueryClient();
  const { data } = useQuery(preferencesQuery(project));
  const { here, forget } = useLocalLabelHotkeys(project);
  useEffect(() => {
    if (data === undefined || Object.keys(here).length === 0) return;
    if (data.hotkeys !== undefined) {
      forget();
      return;
    }
    changePreferences(project, { hotkeys: here }).then(
      (answer) => client.setQueryData(preferencesQuery(project).queryKey, answer),
      () => undefined,
    );
  }, [project, client, data, here, forget]);
}
