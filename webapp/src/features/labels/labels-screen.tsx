import { useQuery } from '@tanstack/react-query';
import { ClipboardPaste, FolderPlus, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { DEFAULT_LABEL_SET, labelSetsQuery, moveLabels, type Label, type LabelSet } from '@/api/resources/labels';
import { projectQuery } from '@/api/resources/projects';
import { Badge } from '@/ui/badge';
import { BulkBar } from '@/ui/bulk-bar';
import { Button } from '@/ui/button';
import { TextInput } from '@/ui/field';
import { useKey } from '@/ui/use-key';
import { Page, PageHead } from '@/ui/page';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { useProjectName } from '@/state/session-store';
import { LabelDialogs, type OpenLabelDialog } from './label-dialogs';
import { FILTER_ABOVE, filterLabels, labelTags } from './label-filter-and-tags';
import styles from './labels.module.css';
import { RelationNames } from './relation-names';
import { LabelSetSection, type LabelSetActions } from './label-set-section';
import { useLabelOperation, useMayWriteLabels } from './use-label-operations';

const NO_SETS: readonly LabelSet[] = [];
const NOTHING: ReadonlySet<string> = new Set();

/** Relations need labels that annotate spans. */
const labelsMarkText = (nature: string | undefined) => nature !== 'classification' && nature !== 'question_answering';

/** Open sets: the one in the path, and those opened by the user. */
function useOpenSets(current: string) {
  const navigate = useNavigate();
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isOpen = (name: string, alone: boolean) => changed.get(name) ?? (alone || name === current);
  const toggle = (name: string, open: boolean) => {
    setChanged((known) => new Map(known).set(name, open));
    if (open) void navigate(`/labels/${encodeURIComponent(name)}`, { replace: true });
  };
  return { isOpen, toggle };
}

interface BodyProps {
  readonly project: string;
  readonly nature: string | undefined;
  readonly sets: readonly LabelSet[];
  readonly query: string;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (names: ReadonlySet<string>) => void;
  readonly onOpen: ((dialog: OpenLabelDialog) => void) | undefined;
  readonly open: ReturnType<typeof useOpenSets>;
}

function LabelSets({ project, nature, sets, query, selected, onSelect, onOpen, open }: BodyProps) {
  const move = useLabelOperation('moveLabels', ({ names, set }: { readonly names: readonly string[]; readonly set: string }) =>
    moveLabels(project, names, set),
  );
  const all = sets.flatMap((set) => set.labels ?? []);
  const tags = labelTags(all);
  const actions = onOpen && {
    onEdit: (label: Label) => onOpen({ kind: 'label', set: label.labelSetName ?? DEFAULT_LABEL_SET, label }),
    onSplit: (label: Label) => onOpen({ kind: 'split', label }),
    onMove: (labels: readonly Label[]) => onOpen({ kind: 'move', labels }),
    onMerge: (labels: readonly Label[]) => onOpen({ kind: 'merge', labels }),
    onDelete: (labels: readonly Label[]) => onOpen({ kind: 'delete', labels }),
  };
  const setActions: LabelSetActions | undefined = onOpen && {
    onAdd: (set) => onOpen({ kind: 'label', set }),
    onEdit: (set) => onOpen({ kind: 'set', set }),
    onMerge: (set) => onOpen({ kind: 'mergeSets', set }),
    onDelete: (set) => onOpen({ kind: 'deleteSet', set }),
    onDrop: (names, set) => {
      const moved = names.filter((name) => all.find((label) => label.name === name)?.labelSetName !== set);
      if (moved.length > 0) move.mutate({ names: moved, set });
    },
  };
  return sets.map((set) => {
    const name = set.name ?? DEFAULT_LABEL_SET;
    const shown = filterLabels(set.labels ?? [], query);
    const unfolded = query.trim() === '' ? open.isOpen(name, sets.length === 1) : shown.length > 0;
    const own = new Set((set.labels ?? []).map((label) => label.name));
    const others = [...selected].filter((known) => !own.has(known));
    return (
      <LabelSetSection
        key={name}
        {...{ project, set, shown, nature, tags, actions, setActions }}
        open={unfolded}
        onToggle={() => open.toggle(name, !unfolded)}
        selected={new Set([...selected].filter((known) => own.has(known)))}
        onSelect={(names) => onSelect(new Set([...others, ...names]))}
        movable={sets.length > 1}
        mergeable={sets.length > 1}
      />
    );
  });
}

interface SelectionProps {
  readonly labels: readonly Label[];
  readonly movable: boolean;
  readonly onOpen: (dialog: OpenLabelDialog) => void;
  readonly onClose: () => void;
}

function SelectionBar({ labels, movable, onOpen, onClose }: SelectionProps) {
  const { t } = useTranslation('labels');
  return (
    <BulkBar count={labels.length} onClose={onClose}>
      <Button kind="quiet" disabled={!movable} onClick={() => onOpen({ kind: 'move', labels })}>
        {t('act.move')}
      </Button>
      <Button kind="quiet" onClick={() => onOpen({ kind: 'merge', labels })}>
        {t('act.merge')}
      </Button>
      <Button kind="danger-text" onClick={() => onOpen({ kind: 'delete', labels })}>
        {t('act.delete')}
      </Button>
    </BulkBar>
  );
}

/** Nothing while loading, instead of a zero. */
function LabelCount({ sets }: { readonly sets: readonly LabelSet[] | undefined }) {
  return sets === undefined ? null : <Badge>{sets.reduce((sum, set) => sum + (set.labels ?? []).length, 0)}</Badge>;
}

function LabelFilter({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const { t } = useTranslation('labels');
  return (
    <span className={styles['filter']}>
      <TextInput hideLabel type="search" label={t('filter')} placeholder={t('filter')} value={value} onChange={onChange} />
    </span>
  );
}

/** One label, or a list of them. */
function AddLabelButtons({ onAdd, onPaste }: { readonly onAdd: () => void; readonly onPaste: () => void }) {
  const { t } = useTranslation('labels');
  return (
    <>
      <Button icon={ClipboardPaste} onClick={onPaste}>
        {t('paste.open')}
      </Button>
      <Button kind="solid" icon={Plus} keyCap="C" onClick={onAdd}>
        {t('add')}
      </Button>
    </>
  );
}

/** R-013, S-033: label sets as accordion; their labels are added, renamed, coloured, moved, merged, split, deleted. */
export function LabelsScreen() {
  const { t } = useTranslation('labels');
  const project = useProjectName();
  const { selectedLabelSet = DEFAULT_LABEL_SET } = useParams();
  const editable = useMayWriteLabels();
  const [dialog, setDialog] = useState<OpenLabelDialog | null>(null);
  const [query, setQuery] = useState('');
  const [selected, setSelected] = useState(NOTHING);
  const open = useOpenSets(selectedLabelSet);
  const { data, error, refetch } = useQuery(labelSetsQuery(project));
  const { data: about } = useQuery({ ...projectQuery(project), meta: { silent: true } });
  const sets = data ?? NO_SETS;
  const all = sets.flatMap((set) => set.labels ?? []);
  const target = sets.find(({ name }) => name === selectedLabelSet)?.name ?? DEFAULT_LABEL_SET;
  const add = () => setDialog({ kind: 'label', set: target });
  useKey('c', add, editable);
  const picked = all.filter(({ name }) => selected.has(name));
  const addButtons = editable && <AddLabelButtons onAdd={add} onPaste={() => setDialog({ kind: 'paste', set: target })} />;
  const body = () => {
    if (error !== null && data === undefined)
      return <ErrorState title={t('errors:error.getLabelSets')} error={error} onRetry={() => void refetch()} />;
    if (data === undefined) return <Skeleton rows={6} rowHeight={54} />;
    if (all.length === 0 && sets.length < 2)
      return (
        <EmptyState title={t('empty.title')} actions={addButtons}>
          {t('empty.text')}
        </EmptyState>
      );
    return (
      <LabelSets
        {...{ project, sets, query, selected, open }}
        nature={about?.nature}
        onSelect={setSelected}
        onOpen={editable ? setDialog : undefined}
      />
    );
  };
  return (
    <Page screen="labels">
      <PageHead
        title={t('title')}
        aside={<LabelCount sets={data} />}
        actions={
          <>
            {all.length > FILTER_ABOVE && <LabelFilter value={query} onChange={setQuery} />}
            {editable && (
              <Button icon={FolderPlus} onClick={() => setDialog({ kind: 'set' })}>
                {t('set.add')}
              </Button>
            )}
            {addButtons}
          </>
        }
      />
      {body()}
      {data !== undefined && labelsMarkText(about?.nature) && (
        <RelationNames project={project} editable={editable} used={all.map(({ color }) => color)} />
      )}
      {editable && <SelectionBar labels={picked} movable={sets.length > 1} onOpen={setDialog} onClose={() => setSelected(NOTHING)} />}
      {dialog !== null && (
        <LabelDialogs
          open={dialog}
          project={project}
          nature={about?.nature}
          sets={sets}
          onClose={() => setDialog(null)}
          onDone={() => setSelected(NOTHING)}
          onNewSet={(name) => open.toggle(name, true)}
        />
      )}
    </Page>
  );
}
