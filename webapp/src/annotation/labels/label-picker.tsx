/**
 * The picker next to a selection: filter box, arrows, digits; offers to create a label that is not there yet. Presentational: it
 * reports the picked label, and creates labels through a callback.
 */
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Search } from 'lucide-react';
import { assignHotkeys, labelOfHotkeyPress } from '@/annotation/keyboard/key-bindings';
import { labelToCreate, LONGEST_LABEL, type LabelCreation } from './label-creation';
import { matchLabels } from './label-search';
import type { LabelAppearance } from '@/annotation/drawing/label-style';
import { handlePickerKey, PickerFrame } from './picker-frame';
import { CreateOption, LabelOption } from './picker-option';
import { useAnnotationStrings, type AnnotationStrings } from '@/annotation/strings';

interface LabelPickerProps {
  readonly labels: readonly LabelAppearance[];
  /** Names of labels that a model considers likely here. */
  readonly likely?: readonly string[] | undefined;
  readonly initialQuery?: string | undefined;
  /** Opened by the mouse for its selection: while the box is empty, a hotkey picks its label, as it does in the text. */
  readonly direct?: boolean | undefined;
  /** Absent: labels are only picked here. */
  readonly creation?: LabelCreation | undefined;
  /** Starts a comment on the words instead. */
  readonly onComment?: (() => void) | undefined;
  readonly onPick: (name: string) => void;
  readonly onClose: () => void;
}

/** What was typed becomes a label and is picked; a failure is shown and keeps what was typed. */
function useCreateAndPick(creation: LabelCreation | undefined, onPick: (name: string) => void) {
  const [creating, setCreating] = useState(false);
  const [error, setError] = useState('');
  const create = creation?.create;
  const createAndPick = (text: string): void => {
    if (create === undefined || creating) return;
    setCreating(true);
    setError('');
    void create(text)
      .then(onPick, (reason: unknown) => setError(reason instanceof Error ? reason.message : String(reason)))
      .finally(() => setCreating(false));
  };
  return { creating, error, clearError: () => setError(''), createAndPick };
}

/** Said when there is no option: there are no labels, none matches, or the user cannot create one. */
function emptyNote(strings: AnnotationStrings, anyLabel: boolean, creation: LabelCreation | undefined): string {
  if (!anyLabel && creation?.create !== undefined) return strings.firstLabel;
  const none = anyLabel ? strings.noLabelMatches : strings.noLabelYet;
  return creation?.refused === undefined ? none : `${none}. ${creation.refused}`;
}

export function LabelPicker(props: LabelPickerProps): ReactNode {
  const { labels, likely = [], initialQuery = '', direct = false, creation, onComment, onPick, onClose } = props;
  const strings = useAnnotationStrings();
  const listId = useId();
  const [query, setQuery] = useState(initialQuery);
  const [active, setActive] = useState(0);
  // A click into the box means that the user wants to type.
  const [clicked, setClicked] = useState(false);
  const { creating, error, clearError, createAndPick } = useCreateAndPick(creation, onPick);
  const hotkeys = assignHotkeys(labels);
  const keyOf = new Map([...hotkeys].map(([key, name]) => [name, key]));
  const found = likelyFirst(matchLabels(labels, query), query === '' ? likely : []);
  const offered = creation?.create === undefined ? undefined : labelToCreate(labels, query);
  const count = found.length + (offered === undefined ? 0 : 1);
  const at = Math.min(active, count - 1);
  const current = found[at];
  const onOffer = offered !== undefined && at === found.length;
  const activeOption = onOffer ? `${listId} new` : current && `${listId}${current.name}`;

  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const chosen = event.key === 'Enter' && !event.nativeEvent.isComposing;
    if (chosen && onOffer) {
      event.preventDefault();
      return createAndPick(offered);
    }
    const name = pickByKey(event, query, hotkeys, direct && !clicked) ?? (chosen ? current?.name : undefined);
    handlePickerKey(event, { picked: creating ? undefined : name, active: at, count, onPick, onClose, onActive: setActive });
  };

  return (
    <PickerFrame
      icon={Search}
      listId={listId}
      activeOption={activeOption}
      label={labels.length === 0 ? strings.newLabel : strings.filterLabels}
      listLabel={strings.labels}
      note={strings.escCloses}
      none={count === 0 ? emptyNote(strings, labels.length > 0, creation) : undefined}
      error={error}
      onComment={onComment}
      maxLength={LONGEST_LABEL}
      query={query}
      onQuery={(typed) => {
        setQuery(typed);
        setActive(0);
        clearError();
      }}
      onKeyDown={onKeyDown}
      onPress={() => setClicked(true)}
    >
      {found.map((label) => (
        <LabelOption
          key={label.name}
          id={`${listId}${label.name}`}
          active={label === current}
          likely={likely.includes(label.name)}
          hotkey={keyOf.get(label.name)}
          {...{ label, query, onPick }}
        />
      ))}
      {offered !== undefined && (
        <CreateOption id={`${listId} new`} text={offered} active={onOffer} creating={creating} onPick={() => createAndPick(offered)} />
      )}
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
