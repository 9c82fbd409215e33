import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabelAppearance } from '@/annotation/drawing/label-style';
import type { TextRange } from '@/annotation/model';
import type { BulkSearch } from '@/api/resources/bulk-actions';
import type { AnnotatedDocument } from '@/api/resources/documents';
import type { UndoRedo } from '@/labelling-sync/use-undo-redo';
import { useCommands } from '@/ui/command-registry';
import { LabelOccurrencesDialog, type TextToLabel } from './label-occurrences-dialog';

const LONGEST = 1000;

interface LabelOccurrencesInput {
  readonly project: string;
  readonly document: AnnotatedDocument;
  readonly labels: readonly LabelAppearance[];
  readonly selection: TextRange | undefined;
  readonly search: BulkSearch | undefined;
  /** Spans can be annotated. */
  readonly enabled: boolean;
  readonly onDone: UndoRedo['notifyDone'];
}

export interface LabelOccurrencesControl {
  /** Undefined: not permitted, or there is no label. */
  readonly start: ((wanted: TextToLabel) => void) | undefined;
  readonly dialog: ReactNode;
}

/** The dialog that labels all places of words, and the command that opens it for the selected words. */
export function useLabelOccurrencesDialog(input: LabelOccurrencesInput): LabelOccurrencesControl {
  const { project, document, labels, selection, search, enabled, onDone } = input;
  const { t } = useTranslation('documents');
  const [wanted, setWanted] = useState<TextToLabel | undefined>(undefined);
  useCommands(() => {
    const words = selection === undefined ? '' : document.text.slice(selection.start, selection.end).trim();
    if (!enabled || words === '' || words.length > LONGEST) return [];
    const run = () => setWanted({ words, exact: true });
    return [{ id: 'document.labelAll', section: 'annotation', title: t('labelAll.command'), keys: ['Mod+Shift+L'], run }];
  });
  const dialog = wanted && (
    <LabelOccurrencesDialog
      {...{ project, wanted, labels, search, onDone }}
      document={document.identifier}
      onClose={() => setWanted(undefined)}
    />
  );
  return { start: enabled ? setWanted : undefined, dialog };
}
