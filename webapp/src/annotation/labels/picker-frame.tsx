/** What pickers have in common: the box to type in, the options below it, and the keys that choose among them. */
import type { KeyboardEvent, ReactNode } from 'react';
import { MessageSquare, type LucideIcon } from 'lucide-react';
import { useAnnotationStrings } from '@/annotation/strings';
import { useNarrow } from '@/ui/media-query';

interface PickerKeys {
  /** What the key picks; undefined: nothing. */
  readonly picked: string | undefined;
  readonly active: number;
  /** Number of options. */
  readonly count: number;
  readonly onPick: (name: string) => void;
  readonly onClose: () => void;
  readonly onActive: (active: number) => void;
}

/** Picks, closes, or goes to the next option, round the ends; every other key is left to the box. */
export function handlePickerKey(event: KeyboardEvent, { picked, active, count, onPick, onClose, onActive }: PickerKeys): void {
  if (picked !== undefined) onPick(picked);
  else if (event.key === 'Escape') onClose();
  else if (event.key === 'ArrowDown') onActive((active + 1) % Math.max(1, count));
  else if (event.key === 'ArrowUp') onActive((active - 1 + count) % Math.max(1, count));
  else return;
  event.preventDefault();
}

interface PickerFrameProps {
  readonly icon: LucideIcon;
  readonly listId: string;
  /** Id of the active option. */
  readonly activeOption: string | undefined;
  readonly label: string;
  readonly listLabel: string;
  /** How the picker is closed. */
  readonly note: string;
  /** Said when there is no option. */
  readonly none: string | undefined;
  /** Why the last choice could not be carried out. */
  readonly error?: string;
  readonly query: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly onQuery: (query: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** The box was pressed by the mouse. */
  readonly onPress?: () => void;
  /** Starts a comment instead. */
  readonly onComment?: (() => void) | undefined;
  readonly children: ReactNode;
}

export function PickerFrame(props: PickerFrameProps): ReactNode {
  const { icon: Icon, listId, query, onQuery } = props;
  // The keyboard of a phone would cover the options.
  const narrow = useNarrow();
  const strings = useAnnotationStrings();
  return (
    <div className="ann-picker" onKeyDown={props.onKeyDown}>
      <div className="ann-field">
        <Icon size={14} strokeWidth={1.75} aria-hidden />
        <input
          autoFocus={!narrow}
          role="combobox"
          aria-label={props.label}
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={props.activeOption}
          placeholder={props.placeholder}
          maxLength={props.maxLength}
          value={query}
          onMouseDown={props.onPress}
          onChange={(event) => onQuery(event.target.value)}
        />
        {!narrow && <span className="ann-note">{props.note}</span>}
      </div>
      <div className="ann-options" id={listId} role="listbox" aria-label={props.listLabel}>
        {props.children}
      </div>
      {props.none !== undefined && (
        <p className="ann-note ann-none" aria-live="polite">
          {props.none}
        </p>
      )}
      {props.error !== undefined && props.error !== '' && (
        <p className="ann-error" role="alert">
          {props.error}
        </p>
      )}
      {props.onComment !== undefined && (
        <button type="button" className="ann-picker-comment" onClick={props.onComment}>
          <MessageSquare size={14} strokeWidth={1.75} aria-hidden /> {strings.comment}
        </button>
      )}
    </div>
  );
}
