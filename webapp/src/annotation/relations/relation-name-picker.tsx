/** Picker for the name of a relation: the names of the project, or a new one. Presentational. */
import { useId, useState } from 'react';
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Spline } from 'lucide-react';
import type { RelationNameOption } from './relations';
import './relations.css';

interface RelationPickerProps {
  readonly names: readonly RelationNameOption[];
  /** The present name. */
  readonly current?: string | undefined;
  readonly onPick: (name: string) => void;
  readonly onClose: () => void;
}

/** C-031: maximum length of a name, the same as of a label. */
const LONGEST_NAME = 100;

const foldName = (words: string): string => words.trim().toLocaleLowerCase();

/** Known names that contain the query, and the query itself when it is new. */
export function matchNames(
  names: readonly RelationNameOption[],
  query: string,
): readonly { readonly name: string; readonly isNew: boolean }[] {
  const wanted = foldName(query);
  const found = names.filter(({ name }) => foldName(name).includes(wanted)).map(({ name }) => ({ name, isNew: false }));
  if (wanted === '' || names.some(({ name }) => foldName(name) === wanted)) return found;
  return [...found, { name: query.trim(), isNew: true }];
}

export function RelationNamePicker({ names, current, onPick, onClose }: RelationPickerProps): ReactNode {
  const { t } = useTranslation('relations');
  const listId = useId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const found = matchNames(names, query);
  const at = Math.min(active, found.length - 1);
  const styles = new Map(names.map(({ name, style }) => [name, style]));

  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const chosen = found[at];
    if (event.key === 'Enter' && chosen !== undefined) onPick(chosen.name);
    else if (event.key === 'Escape') onClose();
    else if (event.key === 'ArrowDown') setActive((at + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setActive((at - 1 + found.length) % Math.max(1, found.length));
    else return;
    event.preventDefault();
  };

  return (
    <div className="ann-picker" onKeyDown={onKeyDown}>
      <div className="ann-field">
        <Spline size={14} strokeWidth={1.75} aria-hidden />
        <input
          autoFocus
          role="combobox"
          aria-label={t('name')}
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={found[at] && `${listId}${String(at)}`}
          placeholder={current ?? t('namePlaceholder')}
          maxLength={LONGEST_NAME}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
        />
        <span className="ann-note">{t('escCloses')}</span>
      </div>
      <div className="ann-options" id={listId} role="listbox" aria-label={t('names')}>
        {found.map(({ name, isNew }, index) => (
          <div
            key={name}
            id={`${listId}${String(index)}`}
            role="option"
            aria-selected={index === at}
            className="ann-option"
            ref={(element) => {
              if (index === at) element?.scrollIntoView?.({ block: 'nearest' });
            }}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(name)}
          >
            <span className="ann-swatch" style={{ '--ann-line': styles.get(name)?.line } as CSSProperties} data-new={isNew || undefined} />
            <span className="ann-option-name" dir="auto">
              {isNew ? t('newName', { name }) : name}
            </span>
            {name === current && <span className="ann-note">{t('currentName')}</span>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="ann-note ann-none">{t('noNames')}</p>}
    </div>
  );
}
