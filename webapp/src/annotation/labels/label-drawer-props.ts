/** Props of the label drawer. */
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
  /** Explains the effect of picking a label, where that is not obvious. */
  readonly note?: string | undefined;
  /** False: hotkeys of labels have no effect here. */
  readonly keys?: boolean | undefined;
  /** Labels picked so far. */
  readonly chosen?: ReadonlySet<string> | undefined;
  /** Annotations per label name in the shown content. */
  readonly counts?: ReadonlyMap<string, number> | undefined;
  /** Text of a count; "annotations" by default. */
  readonly countText?: ((count: number) => string) | undefined;
  /** A missing count means unknown, not zero. */
  readonly partlyCounted?: boolean | undefined;
  /** Cap of each list; 0 or less: no cap (C-029). */
  readonly maxLabelsCount?: number | undefined;
  /** Label of the focused span. */
  readonly current?: string | undefined;
  readonly onPick: (label: string) => void;
  /** Absent: labels cannot be added. Rejects with an Error whose message is shown next to the field. */
  readonly onAddLabel?: ((labelSet: string, label: string) => Promise<void>) | undefined;
  readonly onLayoutFilter?: (() => void) | undefined;
  /** Something is hidden: shown on the button of the layout filter. */
  readonly filtered?: boolean | undefined;
  /** Guidelines by label or set name. */
  readonly guidelines?: ReadonlyMap<string, string> | undefined;
  readonly setGuidelines?: ReadonlyMap<string, string> | undefined;
  /** Labels whose annotations are hidden, and the callback to change that; only for labels of `hideable` sets. */
  readonly hidden?: readonly string[] | undefined;
  readonly onHide?: ((label: string, hide: boolean) => void) | undefined;
  readonly hideable?: ReadonlySet<string> | undefined;
  /** Only for sequence labelling. */
  readonly extension?: SelectionExtension | undefined;
  readonly onExtension?: ((extension: SelectionExtension) => void) | undefined;
  readonly onExtensionHelp?: (() => void) | undefined;
}
