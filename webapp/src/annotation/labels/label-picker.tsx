/** The picker that opens beside a selection: filter box, arrows, digits. Presentational: it only says which label was picked. */
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Search } from 'lucide-react';
import { assignHotkeys, labelOfHotkeyPress } from '@/annotation/keyboard/key-bindings';
import { matchLabels, matchRange } from './label-search';
import type { LabelAppearance } from '@/annotation/drawing/label-style';
import { LabelTag } from './label-tag';
import { handlePickerKey, PickerFrame } from './picker-frame';
import { useAnnotationStrings } from '@/annotation/strings';
import { shortLabelName } from '@/text/short-name';

interface LabelPickerProps {
  readonly labels: readonly LabelAppearance[];
  /** Names of labels that a model holds likely here. */
  readonly likely?: readonly string[] | undefined;
  readonly initialQuery?: string | undefined;
  /** Opened by the mouse, for what it selected: in the empty box a label's key gives the label, as it does in the text. */
  readonly direct?: boolean | undefined;
  readonly onPick: (name: string) => void;
  readonly onClose: () => void;
}

export function LabelPicker({ labels, likely = [], initialQuery = '', direct = false, onPick, onClose }: LabelPickerProps): ReactNode {
  const strings = useAnnotationStrings();
  const listId = useId();
  const [query, setQuery] = useState(initialQuery);
  const [active, setActive] = useState(0);
  // Whoever clicks into the box wants to type.
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

/** The label of the key; Shift types the letter into the box, as does a letter that is no key. */
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
          // C-030: the ends of long names tell them apart; what is typed is looked for in the whole name.
          shortLabelName(label.label)
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
