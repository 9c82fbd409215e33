/** The dialog that is open on the labels screen. */
import type { Label, LabelSet } from '@/api/resources/labels';
import { LabelDialog } from './label-dialog';
import { MergeLabelsDialog, MergeSetsDialog } from './merge-dialog';
import { MoveLabelsDialog } from './move-labels-dialog';
import { PasteLabelsDialog } from './paste-labels-dialog';
import { RemoveLabelsDialog, RemoveSetDialog } from './remove-dialog';
import { LabelSetDialog } from './label-set-dialog';
import { SplitLabelDialog } from './split-label-dialog';

export type OpenLabelDialog =
  | { readonly kind: 'label'; readonly set: string; readonly label?: Label }
  | { readonly kind: 'paste'; readonly set: string }
  | { readonly kind: 'set'; readonly set?: LabelSet }
  | { readonly kind: 'split'; readonly label: Label }
  | { readonly kind: 'move' | 'merge' | 'delete'; readonly labels: readonly Label[] }
  | { readonly kind: 'mergeSets' | 'deleteSet'; readonly set: LabelSet };

export interface LabelDialogsProps {
  readonly open: OpenLabelDialog;
  readonly project: string;
  readonly nature: string | undefined;
  readonly sets: readonly LabelSet[];
  readonly onClose: () => void;
  /** Called when the selection can be cleared. */
  readonly onDone: () => void;
  readonly onNewSet: (name: string) => void;
}

export function LabelDialogs({ open, project, nature, sets, onClose, onDone, onNewSet }: LabelDialogsProps) {
  const shared = { project, onClose };
  const labels = sets.flatMap((set) => set.labels ?? []);
  switch (open.kind) {
    case 'label':
      return <LabelDialog {...shared} set={open.set} sets={sets} {...(open.label !== undefined && { label: open.label })} />;
    case 'paste':
      return <PasteLabelsDialog {...shared} set={open.set} sets={sets} />;
    case 'set':
      return <LabelSetDialog {...shared} nature={nature} onSaved={onNewSet} {...(open.set !== undefined && { set: open.set })} />;
    case 'split':
      return <SplitLabelDialog {...shared} label={open.label} labels={labels} />;
    case 'move':
      return <MoveLabelsDialog {...shared} labels={open.labels} sets={sets} onDone={onDone} />;
    case 'merge':
      return <MergeLabelsDialog {...shared} labels={labels} selected={open.labels.map(({ name }) => name)} onDone={onDone} />;
    case 'delete':
      return <RemoveLabelsDialog {...shared} labels={open.labels} onDone={onDone} />;
    case 'mergeSets':
      return <MergeSetsDialog {...shared} sets={sets} selected={[open.set.name ?? '']} />;
    case 'deleteSet':
      return <RemoveSetDialog {...shared} set={open.set} />;
  }
}
