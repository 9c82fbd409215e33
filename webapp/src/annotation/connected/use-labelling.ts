import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { actQueue } from './act-queues';
import { Labelling } from './labelling';

/** What a screen of the project labels with; undo goes back as far as the screen was opened. `onNamed` must be stable. */
export function useLabelling(project: string, onNamed: (from: string, to: string) => void): Labelling {
  const queryClient = useQueryClient();
  const labelling = useMemo(() => new Labelling(actQueue(project, queryClient), onNamed), [project, queryClient, onNamed]);
  useEffect(() => labelling.connect(), [labelling]);
  return labelling;
}

const inField = (event: KeyboardEvent) =>
  (event.target as HTMLElement | null)?.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]') !== null;

/** `Ctrl Z` outside text fields. */
export function useUndoKey(labelling: Labelling): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'z' || event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey) || inField(event)) return;
      event.preventDefault();
      labelling.undo();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [labelling]);
}
