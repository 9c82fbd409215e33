import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { editQueue } from './edit-queues';
import { LabellingEditor } from './labelling-editor';

/** What a screen of the project labels with. `onNamed` must be stable. */
export function useLabellingEditor(project: string, onNamed: (from: string, to: string) => void): LabellingEditor {
  const queryClient = useQueryClient();
  const labelling = useMemo(() => new LabellingEditor(editQueue(project, queryClient), onNamed), [project, queryClient, onNamed]);
  useEffect(() => labelling.connect(), [labelling]);
  return labelling;
}
