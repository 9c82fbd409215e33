/** The hierarchy of a lexicon as a tree: only the rows near the viewport are drawn, only those looked at are loaded. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '@/blocks/error-state';
import { useFormat } from '@/ui/format';
import { moveInTree, type TreeRow } from './tree-rows';
import { useTree } from './use-tree';
import styles from './vocabularies.module.css';

const ROW_HEIGHT = 32;
const OVERSCAN = 16;
const INDENT = 18;

interface TermTreeProps {
  readonly project: string;
  readonly lexicon: string;
  /** Name of the lexicon. */
  readonly label: string;
  readonly version: string;
  /** Identifier of the term whose card is open. */
  readonly current: string;
  readonly onOpen: (identifier: string) => void;
}

interface RowProps {
  readonly row: TreeRow;
  readonly id: string;
  readonly top: number;
  readonly active: boolean;
  readonly current: boolean;
  readonly onToggle: () => void;
  readonly onOpen: () => void;
}

function ConceptRow({ row, id, top, active, current, onToggle, onOpen }: RowProps) {
  const { t } = useTranslation('vocabularies');
  const format = useFormat();
  const { concept, open, level } = row;
  const narrowerCount = concept?.narrowerCount ?? 0;
  const Arrow = open === true ? ChevronDown : ChevronRight;
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-setsize={row.size}
      aria-posinset={row.index + 1}
      aria-selected={current}
      aria-busy={concept === undefined || undefined}
      {...(open !== undefined && { 'aria-expanded': open })}
      className={styles['tree-row']}
      data-active={active || undefined}
      data-current={current || undefined}
      style={{ height: ROW_HEIGHT, transform: `translateY(${top}px)`, paddingInlineStart: 8 + (level - 1) * INDENT }}
      onClick={onOpen}
    >
      <span
        className={styles['tree-arrow']}
        aria-hidden
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
      >
        {open !== undefined && <Arrow size={14} />}
      </span>
      {concept === undefined ? (
        <span className={styles['tree-pending']}>{t('tree.loading')}</span>
      ) : (
        <>
          <span dir="auto" className={styles['tree-name']} data-obsolete={concept.obsolete || undefined}>
            {concept.preferredForm}
          </span>
          {concept.obsolete === true && <span className="visually-hidden">{t('term.obsolete')}</span>}
          {narrowerCount > 0 && <small aria-label={t('tree.narrower', { count: narrowerCount })}>{format.number(narrowerCount)}</small>}
        </>
      )}
    </div>
  );
}

/** The active row stays the same when rows above it appear. */
function useActiveRow(rows: readonly TreeRow[]) {
  const [active, setActive] = useState('');
  const found = rows.findIndex(({ path }) => path === active);
  const at = found < 0 ? 0 : found;
  return { at, activate: (row: number) => setActive(rows[row]?.path ?? '') };
}

export function TermTree({ project, lexicon, label, version, current, onOpen }: TermTreeProps) {
  const { t } = useTranslation('vocabularies');
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { rows, load, toggle, failed, again } = useTree(project, lexicon, version);
  const { at, activate } = useActiveRow(rows);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (index) => rows[index]?.path ?? index,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const end = (items.at(-1)?.index ?? first - 1) + 1;
  useEffect(() => load(rows.slice(first, end)), [load, rows, first, end]);
  const go = (row: number) => {
    activate(row);
    virtualizer.scrollToIndex(row);
  };
  const choose = (row: TreeRow | undefined) => {
    if (row?.concept !== undefined) onOpen(row.concept.identifier);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pageRows = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1);
    const direction = document.dir === 'rtl' ? 'rtl' : 'ltr';
    const move = moveInTree(rows, at, event.key, pageRows, direction);
    if (move === null) return;
    event.preventDefault();
    if ('go' in move) go(move.go);
    else if ('toggle' in move) toggle(rows[move.toggle]?.path ?? '');
    else choose(rows[move.choose]);
  };
  if (failed !== null) return <ErrorState title={t('errors:error.searchTerms')} error={failed} onRetry={again} />;
  if (rows.length === 0) return <p role="status">{t('tree.none')}</p>;
  return (
    <div
      ref={box}
      role="tree"
      tabIndex={0}
      aria-label={t('tree.label', { label })}
      aria-activedescendant={at >= first && at < end ? `${id}-${at}` : undefined}
      className={styles['tree']}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {items.map(({ index, start, key }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <ConceptRow
              key={key}
              row={row}
              id={`${id}-${index}`}
              top={start}
              active={index === at}
              current={row.concept?.identifier === current}
              onToggle={() => {
                activate(index);
                if (row.open !== undefined) toggle(row.path);
              }}
              onOpen={() => {
                activate(index);
                choose(row);
              }}
            />
          );
        })}
      </div>
    </div>
  );
}
