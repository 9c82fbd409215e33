import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { editQueue } from './edit-queues';
import { LabellingEditor } from './labelling-editor';

/** The labelling editor of a project. `onNamed` must be a stable reference. */
export function useLabellingEditor(project: string, onNamed: (from: string, to: string) => void): LabellingEditor {
  const queryClient = useQueryClient();
  const labelling = useMemo(() => new LabellingEditor(editQueue(project, queryClient), onNamed), [project, queryClient, onNamed]);
  useEffect(() => labelling.connect(), [labelling]);
  return labelling;
}
