import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { decodePathState, encodePathState, pathWithState } from './path-state';

export interface ChangeOptions {
  /** Adds a history entry instead of replacing the current one: for changes that the Back button should undo. */
  readonly push?: boolean;
}

interface Held<T> {
  readonly text: string;
  readonly state: T;
  /** Addresses that were requested but not reached yet: an older one arriving late must not undo newer input. */
  readonly written: readonly string[];
}

function adoptArrivedAddress<T>(held: Held<T>, text: string, state: T): Held<T> {
  if (text === held.text) return { ...held, written: [] };
  return held.written.includes(text) ? held : { text, state, written: [] };
}

/**
 * State of a screen that is stored in its path. The screen sees its own changes immediately; the address follows after the
 * navigation. A change of the address from outside (Back, a link) is adopted.
 * @param param name of the path parameter, by default `searchParams`.
 */
export function usePathState<T extends object>(
  path: string,
  defaults: T,
  param = 'searchParams',
): readonly [T, (part: Partial<T>, options?: ChangeOptions) => void] {
  const text = useParams()[param] ?? '';
  const navigate = useNavigate();
  const decoded = useMemo(() => decodePathState(text, defaults), [text, defaults]);
  const [seen, setSeen] = useState(text);
  const [held, setHeld] = useState<Held<T>>({ text, state: decoded, written: [] });
  if (seen !== text) {
    setSeen(text);
    setHeld(adoptArrivedAddress(held, text, decoded));
  }
  const latest = useRef(held);
  useLayoutEffect(() => {
    latest.current = held;
  }, [held]);
  const change = useCallback(
    (part: Partial<T>, { push = false }: ChangeOptions = {}) => {
      const { state: before, written } = latest.current;
      const state = { ...before, ...part };
      const next = encodePathState(state, defaults);
      // A value, not a function of the state before: React may give such a function the state of a transition that was never shown, in
      // which an older address had arrived. That address would then undo this change when it is shown.
      latest.current = { text: next, state, written: [...written, next] };
      setHeld(latest.current);
      void navigate(pathWithState(path, state, defaults), { replace: !push });
    },
    [navigate, path, defaults],
  );
  return [held.state, change];
}
