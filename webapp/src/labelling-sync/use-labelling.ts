import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { editQueue } from './edit-queues';
import { Labelling } from './labelling';

/** What a screen of the project labels with. `onNamed` must be stable. */
export function useLabelling(project: string, onNamed: (from: string, to: string) => void): Labelling {
  const queryClient = useQueryClient();
  const labelling = useMemo(() => new Labelling(editQueue(project, queryClient), onNamed), [project, queryClient, onNamed]);
  useEffect(() => labelling.connect(), [labelling]);
  return labelling;
}
