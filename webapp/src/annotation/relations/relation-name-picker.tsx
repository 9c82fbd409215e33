/** Picker for the name of a relation: the names of the project, or a new one. Presentational. */
import { useId, useState } from 'react';
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Spline } from 'lucide-react';
import { handlePickerKey, PickerFrame } from '@/annotation/labels/picker-frame';
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
    const picked = event.key === 'Enter' ? found[at]?.name : undefined;
    handlePickerKey(event, { picked, active: at, count: found.length, onPick, onClose, onActive: setActive });
  };

  return (
    <PickerFrame
      icon={Spline}
      listId={listId}
      activeOption={found[at] && `${listId}${String(at)}`}
      label={t('name')}
      listLabel={t('names')}
      note={t('escCloses')}
      none={found.length === 0 ? t('noNames') : undefined}
      query={query}
      placeholder={current ?? t('namePlaceholder')}
      maxLength={LONGEST_NAME}
      onQuery={(typed) => {
        setQuery(typed);
        setActive(0);
      }}
      onKeyDown={onKeyDown}
    >
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
    </PickerFrame>
  );
}
