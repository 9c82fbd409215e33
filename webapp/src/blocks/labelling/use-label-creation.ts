/** Creates labels where they are needed: in the picker at a selection, and in the label drawer. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '@/api/errors';
import { createLabel, DEFAULT_LABEL_SET, labelKeys } from '@/api/resources/labels';
import type { LabelSetContent } from '@/annotation/labels/label-drawer-props';
import type { LabelCreation } from '@/annotation/labels/label-creation';
import { useCan, useProjectWritable } from '@/state/session-store';
import { useProjectLabels } from './project-labels';

/** Creates a label in a set and returns its name once the list has it. E-054: failures are reported, the form keeps its input. */
export function useCreateLabel(projectName: string): (label: string, labelSetName?: string) => Promise<string> {
  const queryClient = useQueryClient();
  return useCallback(
    async (label, labelSetName) => {
      try {
        const { name } = await createLabel(projectName, { label, ...(labelSetName !== undefined && { labelSetName }) });
        await queryClient.invalidateQueries({ queryKey: labelKeys.all });
        return name;
      } catch (error) {
        notifyFailure(error, 'saveLabel');
        throw error;
      }
    },
    [projectName, queryClient],
  );
}

/** The set that a label created while labelling belongs to. None: the server makes the default set. */
export const setForNewLabel = (sets: readonly LabelSetContent[]): string | undefined =>
  (sets.find(({ name }) => name === DEFAULT_LABEL_SET) ?? sets[0])?.name;

/** For a picker over the labels of these sets. Whoever may not create labels is told who can. */
export function useLabelCreation(projectName: string, sets: readonly LabelSetContent[]): LabelCreation {
  const { t } = useTranslation('labelling');
  const { project } = useProjectLabels();
  const writable = useProjectWritable();
  const mayWrite = useCan('writeLabel') && writable;
  const create = useCreateLabel(projectName);
  const set = setForNewLabel(sets);
  const owner = project?.owner?.profilename ?? project?.owner?.username;
  return useMemo(
    () =>
      mayWrite
        ? { create: (label) => create(label, set) }
        : { refused: owner === undefined ? t('create.refused') : t('create.refusedAsk', { owner }) },
    [mayWrite, create, set, owner, t],
  );
}
