/** The labels of one set as rows: rename in place, counts linked to their occurrences, actions. */
import { Combine, Ellipsis, FolderInput, Pencil, Split, TextCursorInput, Trash2 } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Label } from '@/api/resources/labels';
import { useLabelStyle } from '@/theme/mode';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { TextInput } from '@/ui/field';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { useNarrow } from '@/ui/media-query';
import { Menu } from '@/ui/menu';
import { labelDisplayName } from '@/text/short-name';
import { addressPath } from '@/state/search-address';
import { useCan } from '@/state/session-store';
import styles from './labels.module.css';
import { useRenameLabel } from './use-label-operations';

/** Data type of dragged labels. */
export const LABELS_TYPE = 'application/x-annotarium-labels';

export interface LabelActions {
  readonly onEdit: (label: Label) => void;
  readonly onSplit: (label: Label) => void;
  readonly onMove: (labels: readonly Label[]) => void;
  readonly onMerge: (labels: readonly Label[]) => void;
  readonly onDelete: (labels: readonly Label[]) => void;
}

export interface LabelTableProps {
  readonly project: string;
  readonly labels: readonly Label[];
  /** Tags by label name, as drawn on the annotation surface. */
  readonly tags: ReadonlyMap<string, string>;
  /** Name of the table. */
  readonly title: string;
  /** Facet that finds occurrences of these labels. */
  readonly facet: 'label' | 'classificationLabel';
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (names: ReadonlySet<string>) => void;
  /** Absent: read-only. */
  readonly actions: LabelActions | undefined;
  /** There is another set to move to. */
  readonly movable: boolean;
}

function ShortTag({ label, tag }: { readonly label: Label; readonly tag: string }) {
  return (
    <span className={styles['tag']} style={useLabelStyle(label.color)}>
      {tag}
    </span>
  );
}

interface RenameProps {
  readonly label: Label;
  readonly onSave: (words: string) => void;
  readonly onClose: () => void;
}

/** Enter or blur saves, Escape cancels. */
function RenameField({ label, onSave, onClose }: RenameProps) {
  const { t } = useTranslation('labels');
  const [words, setWords] = useState(label.label);
  const finish = () => {
    const next = words.trim();
    if (next !== '' && next !== label.label) onSave(next);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Enter') finish();
    if (event.key === 'Escape') onClose();
  };
  return (
    <span className={styles['rename']} onClick={(event) => event.stopPropagation()}>
      <TextInput
        hideLabel
        autoFocus
        label={t('rename', { label: labelDisplayName(label.label) })}
        value={words}
        maxLength={255}
        onChange={setWords}
        onKeyDown={onKeyDown}
        onBlur={finish}
      />
    </span>
  );
}

function LabelUseCount({ label, facet }: { readonly label: Label; readonly facet: LabelTableProps['facet'] }) {
  const { t } = useTranslation('labels');
  const format = useFormat();
  const may = useCan('seeExplore');
  const count = label.count ?? 0;
  const number = format.number(count);
  if (count === 0 || !may) return <>{number}</>;
  const selectedFacets = [{ facetName: facet, facetValue: label.name, facetSelector: '+' as const }];
  return (
    <Link
      className={styles['used']}
      to={addressPath('/explore', { selectedFacets })}
      aria-label={t('usedLink', { count, number, label: labelDisplayName(label.label) })}
      onClick={(event) => event.stopPropagation()}
    >
      {number}
    </Link>
  );
}

/** The name differs from the displayed text: it is shown as a second line. */
const hasOwnName = ({ name, label }: Label): boolean => name !== label;

function RowActions({ label, actions, movable, onRename }: RowActionsProps) {
  const { t } = useTranslation('labels');
  return (
    <>
      <IconButton small label={t('rename', { label: labelDisplayName(label.label) })} icon={TextCursorInput} onClick={onRename} />
      <IconButton small label={t('edit', { label: labelDisplayName(label.label) })} icon={Pencil} onClick={() => actions.onEdit(label)} />
      <IconButton
        small
        label={t('delete', { label: labelDisplayName(label.label) })}
        icon={Trash2}
        onClick={() => actions.onDelete([label])}
      />
      <Menu
        label={t('more', { label: labelDisplayName(label.label) })}
        align="right"
        trigger={(props) => <IconButton small label={t('more', { label: labelDisplayName(label.label) })} icon={Ellipsis} {...props} />}
        entries={[
          { key: 'move', label: t('act.move'), icon: FolderInput, disabled: !movable, onSelect: () => actions.onMove([label]) },
          { key: 'merge', label: t('act.mergeWith'), icon: Combine, onSelect: () => actions.onMerge([label]) },
          { key: 'split', label: t('act.split'), icon: Split, disabled: !label.count, onSelect: () => actions.onSplit(label) },
        ]}
      />
    </>
  );
}

interface RowActionsProps {
  readonly label: Label;
  readonly actions: LabelActions;
  readonly movable: boolean;
  readonly onRename: () => void;
}

const colourColumn = (header: string): Column<Label> => ({
  key: 'colour',
  header,
  cell: (label) => <code>{label.color}</code>,
  width: 96,
  priority: 2,
});

export function LabelTable({ project, labels, tags, title, facet, selected, onSelect, actions, movable }: LabelTableProps) {
  const { t } = useTranslation('labels');
  const [renamed, setRenamed] = useState('');
  const narrow = useNarrow();
  const rename = useRenameLabel(project);
  const dragged = (label: Label) => (selected.has(label.name) ? [...selected] : [label.name]);
  const columns: Column<Label>[] = [
    {
      key: 'label',
      header: t('column.label'),
      width: '34%',
      cell: (label) =>
        renamed === label.name ? (
          <RenameField label={label} onSave={(words) => rename.mutate({ label, words })} onClose={() => setRenamed('')} />
        ) : (
          <span
            className={styles['name']}
            title={labelDisplayName(label.label)}
            draggable={actions !== undefined && movable}
            onDragStart={(event) => event.dataTransfer.setData(LABELS_TYPE, JSON.stringify(dragged(label)))}
          >
            <ShortTag label={label} tag={tags.get(label.name) ?? ''} />
            <TwoLineCell first={labelDisplayName(label.label)} second={hasOwnName(label) ? label.name : undefined} />
          </span>
        ),
    },
    // On cards the tag has it.
    ...(narrow ? [] : [colourColumn(t('column.colour'))]),
    // A column in which no label has anything only takes the width of the others.
    ...(labels.some(({ identifier }) => Boolean(identifier))
      ? [
          {
            key: 'identifier',
            header: t('column.identifier'),
            cell: (label: Label) => (
              <span className={styles['cut']} title={label.identifier}>
                {label.identifier}
              </span>
            ),
            priority: 2 as const,
          },
        ]
      : []),
    ...(labels.some(({ guideline }) => Boolean(guideline))
      ? [
          {
            key: 'guideline',
            header: t('column.guideline'),
            cell: (label: Label) => (
              <span className={styles['guideline']} title={label.guideline}>
                {label.guideline}
              </span>
            ),
            priority: 1 as const,
          },
        ]
      : []),
    { key: 'count', header: t('column.count'), align: 'right', width: 84, cell: (label) => <LabelUseCount label={label} facet={facet} /> },
  ];
  return (
    <DataTable
      label={title}
      twoLines={labels.some(hasOwnName)}
      rows={labels}
      rowKey={(label) => label.name}
      rowName={(label) => labelDisplayName(label.label)}
      columns={columns}
      {...(actions !== undefined && {
        selected,
        onSelect,
        onOpen: actions.onEdit,
        rowActions: (label: Label) => (
          <RowActions label={label} actions={actions} movable={movable} onRename={() => setRenamed(label.name)} />
        ),
      })}
    />
  );
}
