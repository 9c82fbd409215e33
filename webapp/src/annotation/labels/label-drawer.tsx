/** Content of the label drawer (W-018): label sets as accordion, filter, counts, hotkeys, add-label forms. No call to the API: callbacks only. */
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { ChevronDown, ChevronRight, CircleHelp, Plus, Search, SlidersHorizontal } from 'lucide-react';
import { EXTENSIONS } from '@/text/extend-selection';
import type { SelectionExtension } from '@/text/extend-selection';
import { AddLabelForm } from './add-label-form';
import '@/annotation/annotation.css';
import './label-drawer.css';
import { assignHotkeys } from '@/annotation/keyboard/key-bindings';
import { matchLabels } from './label-search';
import type { LabelAppearance } from '@/annotation/drawing/label-style';
import type { LabelDrawerProps, LabelSetContent } from './label-drawer-props';
import { LabelRow } from './label-row';
import { LabelTag } from './label-tag';
import { useAnnotationStrings } from '@/annotation/strings';

/** The filter box appears above this number of labels (C-028). */
export const FILTER_ABOVE = 5;
/** Default cap of the label list (C-029). */
export const DEFAULT_MAX_LABELS = 100;

export function LabelDrawerContent(props: LabelDrawerProps): ReactNode {
  const strings = useAnnotationStrings();
  const [query, setQuery] = useState('');
  const all = props.labelSets.flatMap(({ labels }) => labels);
  const keyOf = new Map(props.keys === false ? [] : [...assignHotkeys(all)].map(([key, name]) => [name, key]));
  return (
    <section className="ann-drawer" aria-label={strings.labels}>
      <header className="ann-drawer-bar">
        <h2>{strings.labels}</h2>
        <span className="ann-badge">{all.length}</span>
        <SelectionExtensionSelect {...props} />
        {props.onLayoutFilter && (
          <button
            type="button"
            className={props.filtered ? 'ann-icon-button ann-on' : 'ann-icon-button'}
            aria-label={props.filtered ? strings.layoutFiltered : strings.layoutFilter}
            title={props.filtered ? strings.layoutFiltered : strings.layoutFilter}
            onClick={props.onLayoutFilter}
          >
            <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden />
          </button>
        )}
      </header>
      {props.note !== undefined && <p className="ann-note ann-drawer-note">{props.note}</p>}
      {all.length > FILTER_ABOVE && (
        <div className="ann-field ann-drawer-filter">
          <Search size={14} strokeWidth={1.75} aria-hidden />
          <input
            type="search"
            aria-label={strings.filterLabels}
            placeholder={strings.filterLabels}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
      )}
      <div className="ann-drawer-sets">
        {props.labelSets.map((labelSet) => (
          <LabelSetSection key={labelSet.name} labelSet={labelSet} query={query} keyOf={keyOf} drawer={props} />
        ))}
      </div>
    </section>
  );
}

function SelectionExtensionSelect({ extension, onExtension, onExtensionHelp }: LabelDrawerProps): ReactNode {
  const strings = useAnnotationStrings();
  if (extension === undefined || onExtension === undefined) return null;
  return (
    <>
      <select
        className="ann-select"
        aria-label={strings.extension}
        value={extension}
        onChange={(event) => onExtension(event.target.value as SelectionExtension)}
      >
        {EXTENSIONS.map((mode) => (
          <option key={mode} value={mode}>
            {strings.extensions[mode]}
          </option>
        ))}
      </select>
      {onExtensionHelp && (
        <button
          type="button"
          className="ann-icon-button"
          aria-label={strings.extensionHelp}
          title={strings.extensionHelp}
          onClick={onExtensionHelp}
        >
          <CircleHelp size={16} strokeWidth={1.75} aria-hidden />
        </button>
      )}
    </>
  );
}

interface SectionProps {
  readonly labelSet: LabelSetContent;
  readonly query: string;
  readonly keyOf: ReadonlyMap<string, string>;
  readonly drawer: LabelDrawerProps;
}

interface SetLabelsProps extends Omit<SectionProps, 'query'> {
  readonly shown: readonly LabelAppearance[];
  /** The form for a new label is open. */
  readonly adding: boolean;
  readonly onAdd: () => void;
}

function LabelsOfSet({ labelSet, shown, keyOf, drawer, adding, onAdd }: SetLabelsProps): ReactNode {
  const strings = useAnnotationStrings();
  const guideline = drawer.setGuidelines?.get(labelSet.name);
  const hideable = drawer.hideable?.has(labelSet.name) ?? false;
  return (
    <>
      {guideline !== undefined && <p className="ann-guideline">{guideline}</p>}
      <ul className="ann-set-labels">
        {shown.map((label) => (
          <LabelRow key={label.name} hotkey={keyOf.get(label.name)} {...{ label, drawer, hideable }} />
        ))}
      </ul>
      {labelSet.labels.length === 0 && drawer.onAddLabel !== undefined && !adding && (
        <button type="button" className="ann-button ann-first-label" onClick={onAdd}>
          {strings.createFirstLabel}
        </button>
      )}
    </>
  );
}

function LabelSetSection({ labelSet, query, keyOf, drawer }: SectionProps): ReactNode {
  const strings = useAnnotationStrings();
  const listId = useId();
  const [open, setOpen] = useState(true);
  const [adding, setAdding] = useState(false);
  const found = matchLabels(labelSet.labels, query);
  const cap = drawer.maxLabelsCount ?? DEFAULT_MAX_LABELS;
  const shown = cap > 0 ? found.slice(0, cap) : found;
  const { onAddLabel } = drawer;
  return (
    <div className="ann-set">
      <div className="ann-set-title">
        <button type="button" className="ann-set-toggle" aria-expanded={open} aria-controls={listId} onClick={() => setOpen(!open)}>
          {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          {labelSet.label}
        </button>
        <span className="ann-note">{open ? (labelSet.exclusive ? strings.exclusive : strings.nonExclusive) : labelSet.labels.length}</span>
        {onAddLabel && open && (
          <button type="button" className="ann-icon-button" aria-label={strings.addLabelTo(labelSet.label)} onClick={() => setAdding(true)}>
            <Plus size={14} aria-hidden />
          </button>
        )}
      </div>
      <div id={listId} hidden={!open}>
        {adding && onAddLabel && <AddLabelForm onSave={(label) => onAddLabel(labelSet.name, label)} onClose={() => setAdding(false)} />}
        <LabelsOfSet {...{ labelSet, shown, keyOf, drawer, adding }} onAdd={() => setAdding(true)} />
        {found.length > shown.length && <p className="ann-note ann-none">{strings.moreLabels(found.length - shown.length)}</p>}
        {found.length === 0 && query !== '' && <p className="ann-note ann-none">{strings.noLabelMatches}</p>}
      </div>
    </div>
  );
}

/** The closed drawer, a 44 px strip: the tags stay usable. */
export function LabelStrip({
  labels,
  onPick,
}: {
  readonly labels: readonly LabelAppearance[];
  readonly onPick: (label: string) => void;
}): ReactNode {
  return (
    <ul className="ann-strip">
      {labels.map((label) => (
        <li key={label.name}>
          <button
            type="button"
            aria-label={label.label}
            title={label.label}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(label.name)}
          >
            <LabelTag label={label} />
          </button>
        </li>
      ))}
    </ul>
  );
}
