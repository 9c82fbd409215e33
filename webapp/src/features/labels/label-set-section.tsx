/** One label set of the accordion: description, actions, labels; labels can be dropped on it. */
import { ChevronDown, ChevronRight, Combine, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react';
import { useId, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Label, LabelSet } from '@/api/resources/labels';
import { Badge } from '@/ui/badge';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { Menu } from '@/ui/menu';
import { LABELS_TYPE, LabelTable, type LabelTableProps } from './label-table';
import styles from './labels.module.css';

export interface LabelSetActions {
  readonly onAdd: (set: string) => void;
  readonly onEdit: (set: LabelSet) => void;
  readonly onMerge: (set: LabelSet) => void;
  readonly onDelete: (set: LabelSet) => void;
  readonly onDrop: (names: readonly string[], set: string) => void;
}

export interface LabelSetSectionProps extends Omit<LabelTableProps, 'title' | 'facet' | 'labels'> {
  readonly set: LabelSet;
  /** Labels that match the filter. */
  readonly shown: readonly Label[];
  /** Default nature of sets without one. */
  readonly nature: string | undefined;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly setActions: LabelSetActions | undefined;
  readonly mergeable: boolean;
}

/** Accepts labels dragged onto this set. */
function useLabelDrop(name: string, onDrop: LabelSetActions['onDrop'] | undefined) {
  const [over, setOver] = useState(false);
  if (onDrop === undefined) return { over, drop: {} };
  const carries = (event: DragEvent) => event.dataTransfer.types.includes(LABELS_TYPE);
  return {
    over,
    drop: {
      onDragOver: (event: DragEvent) => {
        if (!carries(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false);
        if (!carries(event)) return;
        event.preventDefault();
        onDrop(JSON.parse(event.dataTransfer.getData(LABELS_TYPE)) as string[], name);
      },
    },
  };
}

function LabelSetMenu({
  set,
  actions,
  mergeable,
}: {
  readonly set: LabelSet;
  readonly actions: LabelSetActions;
  readonly mergeable: boolean;
}) {
  const { t } = useTranslation('labels');
  const label = set.label ?? set.name ?? '';
  return (
    <span className={styles['set-actions']}>
      <IconButton small label={t('set.addLabel', { label })} icon={Plus} onClick={() => actions.onAdd(set.name ?? '')} />
      <IconButton small label={t('set.edit', { label })} icon={Pencil} onClick={() => actions.onEdit(set)} />
      <Menu
        label={t('set.more', { label })}
        align="right"
        trigger={(props) => <IconButton small label={t('set.more', { label })} icon={Ellipsis} {...props} />}
        entries={[
          { key: 'merge', label: t('act.mergeSet'), icon: Combine, disabled: !mergeable, onSelect: () => actions.onMerge(set) },
          { key: 'delete', label: t('act.delete'), icon: Trash2, danger: true, onSelect: () => actions.onDelete(set) },
        ]}
      />
    </span>
  );
}

interface HeadProps {
  readonly set: LabelSet;
  readonly marks: 'classification' | 'sequence_labelling';
  readonly listId: string;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function LabelSetTitle({ set, marks, listId, open, onToggle }: HeadProps) {
  const { t } = useTranslation('labels');
  const format = useFormat();
  const label = set.label ?? set.name ?? '';
  const count = set.labels?.length ?? 0;
  return (
    <>
      <h2>
        <button type="button" className={styles['set-toggle']} aria-expanded={open} aria-controls={listId} onClick={onToggle} title={label}>
          {open ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
          <span>{label}</span>
        </button>
      </h2>
      <Badge>{t('set.count', { count, number: format.number(count) })}</Badge>
      <Badge>{t(`set.nature_${marks}`)}</Badge>
      {set.exclusiveClasses === true && <Badge tone="info">{t('exclusive')}</Badge>}
      {(set.tags ?? []).map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </>
  );
}

const labelSetNature = (set: LabelSet, nature: string | undefined) =>
  (set.nature ?? nature) === 'classification' ? 'classification' : 'sequence_labelling';

/** The guideline of a set, above its labels. */
function LabelSetGuideline({ set }: { readonly set: LabelSet }) {
  return set.guideline ? <p className={styles['set-guideline']}>{set.guideline}</p> : null;
}

export function LabelSetSection({ set, shown, nature, open, onToggle, setActions, mergeable, ...table }: LabelSetSectionProps) {
  const { t } = useTranslation('labels');
  const id = useId();
  const { name = '', label = name, labels = [] } = set;
  const marks = labelSetNature(set, nature);
  const { over, drop } = useLabelDrop(name, table.movable ? setActions?.onDrop : undefined);
  const rows =
    shown.length === 0 ? (
      <p className={styles['note']}>{t(labels.length === 0 ? 'set.empty' : 'noMatch')}</p>
    ) : (
      <LabelTable
        {...table}
        labels={shown}
        title={t('set.toggle', { label })}
        facet={marks === 'classification' ? 'classificationLabel' : 'label'}
      />
    );
  return (
    <section className={styles['set']} aria-label={label} data-over={over || undefined} {...drop}>
      <div className={styles['set-head']}>
        <LabelSetTitle {...{ set, marks, open, onToggle }} listId={id} />
        {setActions !== undefined && <LabelSetMenu set={set} actions={setActions} mergeable={mergeable} />}
      </div>
      {over && (
        <p className={styles['note']} role="status">
          {t('move.drop', { label })}
        </p>
      )}
      <div id={id} hidden={!open}>
        {open && (
          <>
            <LabelSetGuideline set={set} />
            {rows}
          </>
        )}
      </div>
    </section>
  );
}
