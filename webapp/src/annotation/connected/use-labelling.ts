import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { LabellingCache } from '@/api/labelling-cache';
import { savedState } from './edits';
import { useEdits } from './edits-store';
import { Labelling } from './labelling';

/** The one that saves, for a screen of the project; undo goes back as far as the screen was opened. `onNamed` must be stable. */
export function useLabelling(project: string, onNamed: (from: string, to: string) => void): Labelling {
  const queryClient = useQueryClient();
  const labelling = useMemo(
    () => new Labelling(project, new LabellingCache(queryClient, project), onNamed),
    [project, queryClient, onNamed],
  );
  useLeaveGuard(project);
  return labelling;
}

/** The browser asks before it closes the page while something is not saved. */
function useLeaveGuard(project: string): void {
  const unsaved = savedState(useEdits(project)) !== 'saved';
  useEffect(() => {
    if (!unsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);
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
