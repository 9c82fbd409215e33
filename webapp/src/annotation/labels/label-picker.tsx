/** The picker next to a selection: filter box, arrows, digits. Presentational: it only reports the picked label. */
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Search } from 'lucide-react';
import { assignHotkeys, labelOfHotkeyPress } from '@/annotation/keyboard/key-bindings';
import { matchLabels, matchRange } from './label-search';
import type { LabelAppearance } from '@/annotation/drawing/label-style';
import { LabelTag } from './label-tag';
import { handlePickerKey, PickerFrame } from './picker-frame';
import { useAnnotationStrings } from '@/annotation/strings';

interface LabelPickerProps {
  readonly labels: readonly LabelAppearance[];
  /** Names of labels that a model considers likely here. */
  readonly likely?: readonly string[] | undefined;
  readonly initialQuery?: string | undefined;
  /** Opened by the mouse for its selection: while the box is empty, a hotkey picks its label, as it does in the text. */
  readonly direct?: boolean | undefined;
  readonly onPick: (name: string) => void;
  readonly onClose: () => void;
}

export function LabelPicker({ labels, likely = [], initialQuery = '', direct = false, onPick, onClose }: LabelPickerProps): ReactNode {
  const strings = useAnnotationStrings();
  const listId = useId();
  const [query, setQuery] = useState(initialQuery);
  const [active, setActive] = useState(0);
  // A click into the box means that the user wants to type.
  const [clicked, setClicked] = useState(false);
  const hotkeys = assignHotkeys(labels);
  const keyOf = new Map([...hotkeys].map(([key, name]) => [name, key]));
  const found = likelyFirst(matchLabels(labels, query), query === '' ? likely : []);
  const current = found[Math.min(active, found.length - 1)];

  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const name = pickByKey(event, query, hotkeys, direct && !clicked) ?? (event.key === 'Enter' ? current?.name : undefined);
    handlePickerKey(event, { picked: name, active, count: found.length, onPick, onClose, onActive: setActive });
  };

  return (
    <PickerFrame
      icon={Search}
      listId={listId}
      activeOption={current && `${listId}${current.name}`}
      label={strings.filterLabels}
      listLabel={strings.labels}
      note={strings.escCloses}
      none={found.length === 0 ? strings.noLabelMatches : undefined}
      query={query}
      onQuery={(typed) => {
        setQuery(typed);
        setActive(0);
      }}
      onKeyDown={onKeyDown}
      onPress={() => setClicked(true)}
    >
      {found.map((label) => (
        <PickerOption
          key={label.name}
          id={`${listId}${label.name}`}
          label={label}
          query={query}
          active={label === current}
          likely={likely.includes(label.name)}
          hotkey={keyOf.get(label.name)}
          onPick={onPick}
        />
      ))}
    </PickerFrame>
  );
}

function likelyFirst(labels: readonly LabelAppearance[], likely: readonly string[]): readonly LabelAppearance[] {
  if (likely.length === 0) return labels;
  return [...labels.filter(({ name }) => likely.includes(name)), ...labels.filter(({ name }) => !likely.includes(name))];
}

/** The label of the key. With Shift, or for a letter without a label, the letter is typed into the box. */
function pickByKey(event: KeyboardEvent, query: string, hotkeys: ReadonlyMap<string, string>, direct: boolean): string | undefined {
  const { key, shiftKey, nativeEvent } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || query !== '' || nativeEvent.isComposing) return undefined;
  if (/^[1-9]$/u.test(key)) return hotkeys.get(key);
  return direct && !(shiftKey && /^\p{L}$/u.test(key)) ? labelOfHotkeyPress(event, hotkeys) : undefined;
}

interface OptionProps {
  readonly id: string;
  readonly label: LabelAppearance;
  readonly query: string;
  readonly active: boolean;
  readonly likely: boolean;
  readonly hotkey: string | undefined;
  readonly onPick: (name: string) => void;
}

function PickerOption({ id, label, query, active, likely, hotkey, onPick }: OptionProps): ReactNode {
  const strings = useAnnotationStrings();
  const place = matchRange(label.label, query);
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      className="ann-option"
      ref={(element) => {
        if (active) element?.scrollIntoView?.({ block: 'nearest' });
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onPick(label.name)}
    >
      <LabelTag label={label} />{' '}
      <span className="ann-option-name" title={label.label}>
        {place === undefined ? (
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
    </div>
  );
}
