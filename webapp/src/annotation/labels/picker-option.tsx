/** Options of the label picker: a label, or the offer to create one. */
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LabelAppearance } from '@/annotation/drawing/label-style';
import { useAnnotationStrings } from '@/annotation/strings';
import { matchRange } from './label-search';
import { LabelTag } from './label-tag';

export interface OptionFrameProps {
  readonly id: string;
  readonly active: boolean;
  /** Shown, but not to be picked. */
  readonly disabled?: boolean;
  readonly onPick: () => void;
  readonly children: ReactNode;
}

/** Keeps the focus in the box, and the active option in view. */
export function OptionFrame({ id, active, disabled = false, onPick, children }: OptionFrameProps): ReactNode {
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      aria-disabled={disabled || undefined}
      className="ann-option"
      ref={(element) => {
        if (active) element?.scrollIntoView?.({ block: 'nearest' });
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={disabled ? undefined : onPick}
    >
      {children}
    </div>
  );
}

interface LabelOptionProps extends Omit<OptionFrameProps, 'children' | 'onPick'> {
  readonly label: LabelAppearance;
  readonly query: string;
  readonly likely: boolean;
  readonly hotkey: string | undefined;
  readonly onPick: (name: string) => void;
}

export function LabelOption({ id, label, query, active, likely, hotkey, onPick }: LabelOptionProps): ReactNode {
  const strings = useAnnotationStrings();
  const place = matchRange(label.label, query);
  return (
    <OptionFrame {...{ id, active }} onPick={() => onPick(label.name)}>
      <LabelTag label={label} />{' '}
      <span className="ann-option-name" title={label.label}>
        {place === undefined ? (
          // C-030: long names differ at their ends, so they are cut in the middle; the filter matches the whole name.
          label.label
        ) : (
          <>
            {label.label.slice(0, place.start)}
            <b>{label.label.slice(place.start, place.end)}</b>
            {label.label.slice(place.end)}
          </>
        )}
      </span>
      {likely && ' '}
      {likely && <span className="ann-note">{strings.likely}</span>}
      {hotkey !== undefined && (
        <kbd className="ann-key" aria-hidden>
          {hotkey.toUpperCase()}
        </kbd>
      )}
    </OptionFrame>
  );
}

interface CreateOptionProps extends Omit<OptionFrameProps, 'children'> {
  readonly text: string;
  readonly creating: boolean;
}

export function CreateOption({ text, creating, ...frame }: CreateOptionProps): ReactNode {
  const strings = useAnnotationStrings();
  return (
    <OptionFrame {...frame}>
      <Plus size={14} strokeWidth={1.75} aria-hidden />
      <span className="ann-option-name" dir="auto">
        {creating ? strings.creatingLabel(text) : strings.createLabel(text)}
      </span>
      {!creating && frame.active && (
        <kbd className="ann-key" aria-hidden>
          ↵
        </kbd>
      )}
    </OptionFrame>
  );
}
