/** What the label drawer shows and answers. */
import type { SelectionExtension } from '@/text/extend-selection';
import type { LabelAppearance } from '@/annotation/drawing/label-style';

export interface LabelSetContent {
  readonly name: string;
  readonly label: string;
  readonly exclusive: boolean;
  readonly labels: readonly LabelAppearance[];
}

export interface LabelDrawerProps {
  readonly labelSets: readonly LabelSetContent[];
  /** What a pick does here, where that is not plain. */
  readonly note?: string | undefined;
  /** False: the keys of labels do nothing here. */
  readonly keys?: boolean | undefined;
  /** Labels picked before. */
  readonly chosen?: ReadonlySet<string> | undefined;
  /** Annotations per label name in what is shown. */
  readonly counts?: ReadonlyMap<string, number> | undefined;
  /** What is counted, in words; annotations unless told. */
  readonly countText?: ((count: number) => string) | undefined;
  /** A label without a count was not counted, rather than not found. */
  readonly partlyCounted?: boolean | undefined;
  /** Cap of each list; 0 or less: no cap (C-029). */
  readonly maxLabelsCount?: number | undefined;
  /** Label of the focused span. */
  readonly current?: string | undefined;
  readonly onPick: (label: string) => void;
  /** Absent: labels cannot be added. Rejects with an Error whose message is shown at the field. */
  readonly onAddLabel?: ((labelSet: string, label: string) => Promise<void>) | undefined;
  readonly onLayoutFilter?: (() => void) | undefined;
  /** Something is not shown: said at the button of the layout filter. */
  readonly filtered?: boolean | undefined;
  /** What belongs under a label or in a set, by name. */
  readonly guidelines?: ReadonlyMap<string, string> | undefined;
  readonly setGuidelines?: ReadonlyMap<string, string> | undefined;
  /** Labels whose annotations are not drawn, and how to change that; only for labels of `hideable` sets. */
  readonly hidden?: readonly string[] | undefined;
  readonly onHide?: ((label: string, hide: boolean) => void) | undefined;
  readonly hideable?: ReadonlySet<string> | undefined;
  /** Given for sequence labelling only. */
  readonly extension?: SelectionExtension | undefined;
  readonly onExtension?: ((extension: SelectionExtension) => void) | undefined;
  readonly onExtensionHelp?: (() => void) | undefined;
}
