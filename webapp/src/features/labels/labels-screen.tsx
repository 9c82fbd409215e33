import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { DEFAULT_LABEL_SET, deleteLabel, labelKeys, labelSetsQuery, type Label, type LabelSet } from '@/api/resources/labels';
import { Badge } from '@/components/badge';
import { Button } from '@/components/button';
import { DataTable, TwoLines, type Column } from '@/components/data-table';
import { DeleteDialog } from '@/components/delete-dialog';
import { useFormat } from '@/components/format';
import { IconButton } from '@/components/icon-button';
import { useKey } from '@/components/keys';
import { Page, PageHead } from '@/components/page';
import { EmptyState, ErrorState, Skeleton } from '@/components/states';
import { Tabs } from '@/components/tabs';
import { useLabelStyle } from '@/app/theme/mode';
import { useCan, useProjectName, useProjectWritable } from '@/state/session-store';
import { LabelDialog } from './label-dialog';
import styles from './labels.module.css';

function useMayWriteLabels(): boolean {
  const may = useCan('writeLabel');
  const writable = useProjectWritable();
  return may && writable;
}

function Swatch({ colour }: { readonly colour: string }) {
  return <span className={styles['swatch']} style={useLabelStyle(colour)} aria-hidden />;
}

function useColumns(): Column<Label>[] {
  const { t } = useTranslation('labels');
  const format = useFormat();
  return [
    {
      key: 'label',
      header: t('column.label'),
      cell: (label) => (
        <span className={styles['name']}>
          <Swatch colour={label.color} />
          <TwoLines first={label.label} second={label.name} />
        </span>
      ),
    },
    { key: 'colour', header: t('column.colour'), cell: (label) => <code>{label.color}</code>, priority: 1 },
    {
      key: 'guideline',
      header: t('column.guideline'),
      cell: (label) => <span className={styles['guideline']}>{label.guideline}</span>,
      priority: 2,
    },
    { key: 'count', header: t('column.count'), align: 'right', cell: (label) => format.number(label.count ?? 0) },
  ];
}

function LabelTable({ labels, project, set }: { readonly labels: readonly Label[]; readonly project: string; readonly set: string }) {
  const { t } = useTranslation('labels');
  const format = useFormat();
  const queryClient = useQueryClient();
  const editable = useMayWriteLabels();
  const [edited, setEdited] = useState<Label | null>(null);
  const [doomed, setDoomed] = useState<Label | null>(null);
  const remove = useMutation({
    mutationFn: (label: Label) => deleteLabel(project, label.name),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: labelKeys.all }),
    meta: { errorTitle: 'deleteLabel' },
  });
  return (
    <>
      <DataTable
        label={t('title')}
        twoLines
        rows={labels}
        rowKey={(label) => label.name}
        columns={useColumns()}
        {...(editable && {
          onOpen: setEdited,
          rowActions: (label: Label) => (
            <>
              <IconButton small label={t('edit', { label: label.label })} icon={Pencil} onClick={() => setEdited(label)} />
              <IconButton small label={t('delete', { label: label.label })} icon={Trash2} onClick={() => setDoomed(label)} />
            </>
          ),
        })}
      />
      {edited !== null && (
        <LabelDialog key={edited.name} project={project} set={set} label={edited} labels={labels} onClose={() => setEdited(null)} />
      )}
      <DeleteDialog
        open={doomed !== null}
        title={t('deleteTitle', { label: doomed?.label ?? '' })}
        keepLabel={t('keep')}
        deleteLabel={t('deleteLabel')}
        onClose={() => setDoomed(null)}
        onDelete={() => (doomed === null ? Promise.resolve() : remove.mutateAsync(doomed))}
        {...((doomed?.count ?? 0) > 0 && { strong: t('deleteStrong') })}
      >
        {t('deleteText', { count: doomed?.count ?? 0, number: format.number(doomed?.count ?? 0) })}
      </DeleteDialog>
    </>
  );
}

function SetBody({
  sets,
  current,
  project,
  onAdd,
}: {
  readonly sets: readonly LabelSet[];
  readonly current: LabelSet;
  readonly project: string;
  readonly onAdd: (() => void) | null;
}) {
  const { t } = useTranslation('labels');
  const navigate = useNavigate();
  const labels = current.labels ?? [];
  return (
    <>
      {sets.length > 1 && (
        <div className={styles['tabs']}>
          <Tabs
            label={t('sets')}
            value={current.name ?? DEFAULT_LABEL_SET}
            items={sets.map((set) => ({ value: set.name ?? DEFAULT_LABEL_SET, label: set.label ?? set.name ?? '' }))}
            onChange={(name) => void navigate(`/labels/${encodeURIComponent(name)}`)}
          />
        </div>
      )}
      {labels.length === 0 ? (
        <EmptyState
          title={t('empty.title')}
          actions={
            onAdd !== null && (
              <Button kind="solid" icon={Plus} onClick={onAdd}>
                {t('add')}
              </Button>
            )
          }
        >
          {t('empty.text')}
        </EmptyState>
      ) : (
        <LabelTable labels={labels} project={project} set={current.name ?? DEFAULT_LABEL_SET} />
      )}
    </>
  );
}

/** R-013, S-033: the labels of a set; add, rename, colour, delete. */
export function LabelsScreen() {
  const { t } = useTranslation('labels');
  const project = useProjectName();
  const { selectedLabelSet } = useParams();
  const editable = useMayWriteLabels();
  const [adding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery(labelSetsQuery(project));
  useKey('c', () => setAdding(true), editable);
  const sets = data ?? [];
  const current: LabelSet = sets.find((set) => set.name === selectedLabelSet) ??
    sets[0] ?? { name: DEFAULT_LABEL_SET, exclusiveClasses: false, labels: [] };
  const body = () => {
    if (error !== null && data === undefined)
      return <ErrorState title={t('errors:error.getLabelSets')} error={error} onRetry={() => void refetch()} />;
    if (data === undefined) return <Skeleton rows={6} rowHeight={54} />;
    return <SetBody sets={sets} current={current} project={project} onAdd={editable ? () => setAdding(true) : null} />;
  };
  return (
    <Page screen="labels">
      <PageHead
        title={t('title')}
        aside={
          <>
            <Badge>{current.labels?.length ?? 0}</Badge>
            {current.exclusiveClasses === true && <Badge tone="info">{t('exclusive')}</Badge>}
          </>
        }
        actions={
          editable && (
            <Button kind="solid" icon={Plus} keyCap="C" onClick={() => setAdding(true)}>
              {t('add')}
            </Button>
          )
        }
      />
      {body()}
      {adding && (
        <LabelDialog
          project={project}
          set={current.name ?? DEFAULT_LABEL_SET}
          labels={sets.flatMap((set) => set.labels ?? [])}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  );
}
