/** One label of the drawer: picks it, shows its key, count and guideline, hides its annotations. */
import { Eye, EyeOff, Info } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import type { LabelDrawerProps } from './label-drawer-props';
import type { LabelAppearance } from '@/annotation/drawing/label-style';
import { LabelTag } from './label-tag';
import { useAnnotationStrings } from '@/annotation/strings';

interface LabelRowProps {
  readonly label: LabelAppearance;
  readonly hotkey: string | undefined;
  readonly drawer: LabelDrawerProps;
  readonly hideable: boolean;
}

/** Keeps the selection in the text over a click. */
const preventSelectionLoss = (event: { preventDefault(): void }): void => event.preventDefault();

function Count({ label, drawer }: { readonly label: string; readonly drawer: LabelDrawerProps }): ReactNode {
  const strings = useAnnotationStrings();
  const { counts, countText = strings.annotationCount, partlyCounted = false } = drawer;
  const count = counts?.get(label) ?? (partlyCounted ? undefined : 0);
  if (counts === undefined || count === undefined) return null;
  return (
    <span className="ann-count">
      <span aria-hidden>{count}</span>
      <span className="ann-hidden">{countText(count)}</span>
    </span>
  );
}

interface HideProps {
  readonly label: string;
  readonly hidden: boolean;
  readonly onHide: () => void;
}

function HideButton({ label, hidden, onHide }: HideProps): ReactNode {
  const strings = useAnnotationStrings();
  const name = hidden ? strings.showLabel(label) : strings.hideLabel(label);
  return (
    <button
      type="button"
      className={hidden ? 'ann-icon-button ann-on' : 'ann-icon-button ann-quiet'}
      aria-label={name}
      title={name}
      onMouseDown={preventSelectionLoss}
      onClick={onHide}
    >
      {hidden ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
    </button>
  );
}

interface GuidelineProps {
  readonly label: string;
  /** Renders an empty space of the same size, so that counts and keys are aligned. */
  readonly absent: boolean;
  readonly expanded: boolean;
  readonly guidelineId: string;
  readonly onToggle: () => void;
}

function GuidelineButton({ label, absent, expanded, guidelineId, onToggle }: GuidelineProps): ReactNode {
  const strings = useAnnotationStrings();
  if (absent) return <span className="ann-icon-space" />;
  return (
    <button
      type="button"
      className="ann-icon-button"
      aria-label={strings.guidelineOf(label)}
      title={strings.guidelineOf(label)}
      aria-expanded={expanded}
      aria-controls={guidelineId}
      onMouseDown={preventSelectionLoss}
      onClick={onToggle}
    >
      <Info size={14} aria-hidden />
    </button>
  );
}

/** The key of a label as displayed. */
const formatHotkey = (hotkey: string | undefined) => hotkey?.toUpperCase();

function KeyMark({ hotkey }: { readonly hotkey: string | undefined }) {
  if (hotkey === undefined) return null;
  return (
    <kbd className="ann-key" aria-hidden>
      {formatHotkey(hotkey)}
    </kbd>
  );
}

export function LabelRow({ label, hotkey, drawer, hideable }: LabelRowProps): ReactNode {
  const guidelineId = useId();
  const [open, setOpen] = useState(false);
  const { guidelines } = drawer;
  const guideline = guidelines?.get(label.name);
  const anyGuideline = guidelines !== undefined && guidelines.size > 0;
  const current = drawer.current === label.name;
  const hidden = drawer.hidden?.includes(label.name) ?? false;
  const { onHide, onPick, chosen } = drawer;
  const expanded = guideline !== undefined && (open || current);
  return (
    <li>
      <div className="ann-label-item" data-hidden={hidden || undefined}>
        <button
          type="button"
          className="ann-label-row"
          aria-pressed={current || chosen?.has(label.name) === true}
          aria-keyshortcuts={formatHotkey(hotkey)}
          title={label.label}
          onMouseDown={preventSelectionLoss}
          onClick={() => onPick(label.name)}
        >
          <LabelTag label={label} /> <span className="ann-option-name">{label.label}</span> <Count label={label.name} drawer={drawer} />
          <KeyMark hotkey={hotkey} />
        </button>
        {anyGuideline && (
          <GuidelineButton
            {...{ expanded, guidelineId }}
            label={label.label}
            absent={guideline === undefined}
            onToggle={() => setOpen(!open)}
          />
        )}
        {hideable && onHide && <HideButton label={label.label} hidden={hidden} onHide={() => onHide(label.name, !hidden)} />}
      </div>
      {guideline !== undefined && (
        <p id={guidelineId} className="ann-guideline" hidden={!expanded}>
          {guideline}
        </p>
      )}
    </li>
  );
}
