import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, Pencil, Play, Plus, Square, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EngineSettings } from '@/api/resources/experiments';
import { jobKeys } from '@/api/resources/jobs';
import {
  createSuggester,
  deleteSuggester,
  startSuggester,
  stopSuggester,
  suggesterKeys,
  proposeSuggesterLabel,
  suggestersQuery,
  updateSuggester,
  type Suggester,
} from '@/api/resources/suggesters';
import { StatusBadge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { DeleteDialog } from '@/ui/delete-dialog';
import { EngineDialog, useEngineForms } from '@/blocks/engines/engine-dialog';
import { changedLabelAndParameters } from '@/blocks/engines/engine-changes';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { useKey } from '@/ui/use-key';
import { When } from '@/ui/when';
import { LoadedList } from '@/blocks/loaded-list';
import { useSettledMutation } from '@/api/use-settled-mutation';
import styles from './settings.module.css';

interface Opened {
  readonly mode: 'create' | 'edit' | 'clone';
  readonly suggester?: Suggester;
}

function SuggesterStateBadge({ suggester }: { readonly suggester: Suggester }) {
  const { t } = useTranslation('settings');
  if (suggester.training === true) return <StatusBadge status="running">{t('state.training')}</StatusBadge>;
  if (!suggester.running) return <StatusBadge status="draft">{t('state.stopped')}</StatusBadge>;
  return (
    <StatusBadge status={suggester.uptodate ? 'completed' : 'stale'}>{t(suggester.uptodate ? 'state.running' : 'state.stale')}</StatusBadge>
  );
}

function useSuggesterColumns(project: string): Column<Suggester>[] {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const titles = useEngineForms(project, 'suggester');
  return [
    {
      key: 'name',
      header: t('column.suggester'),
      cell: (row) => <TwoLineCell first={row.label} second={titles.get(row.engine)?.title ?? row.engine} />,
    },
    { key: 'state', header: t('column.state'), cell: (row) => <SuggesterStateBadge suggester={row} /> },
    {
      key: 'quality',
      header: t('column.quality'),
      align: 'right',
      cell: (row) => ((row.quality ?? 0) > 0 ? format.score((row.quality ?? 0) / 100) : '–'),
    },
    { key: 'answers', header: t('column.answers'), align: 'right', cell: (row) => format.number(row.answers ?? 0), priority: 1 },
    {
      key: 'trained',
      header: t('column.trained'),
      cell: (row) => (row.timestamp > 0 ? <When at={row.timestamp} /> : t('never')),
      priority: 2,
    },
  ];
}

function SuggesterDialog({
  project,
  opened,
  onClose,
}: {
  readonly project: string;
  readonly opened: Opened;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('settings');
  const queryClient = useQueryClient();
  const { mode, suggester } = opened;
  const save = async (values: EngineSettings) => {
    if (mode === 'edit' && suggester !== undefined)
      await updateSuggester(project, suggester.name, changedLabelAndParameters(suggester, values));
    else await createSuggester(project, values);
    await queryClient.invalidateQueries({ queryKey: suggesterKeys.all });
  };
  return (
    <EngineDialog
      project={project}
      type="suggester"
      title={t(`dialog.${mode}`, { label: suggester?.label ?? '' })}
      submitLabel={t(mode === 'edit' ? 'save' : 'create')}
      engineFixed={mode === 'edit'}
      {...(suggester !== undefined && { initial: suggester })}
      hint={(label) => proposeSuggesterLabel(project, label)}
      onSave={save}
      onClose={onClose}
      errorTitle={mode === 'edit' ? 'updateSuggester' : 'createSuggester'}
    />
  );
}

function useSuggesterMutations(project: string) {
  const queryClient = useQueryClient();
  const refresh = () =>
    Promise.all([queryClient.invalidateQueries({ queryKey: suggesterKeys.all }), queryClient.invalidateQueries({ queryKey: jobKeys.all })]);
  const start = useSettledMutation((row: Suggester) => startSuggester(project, row.name), refresh, 'startSuggester');
  const stop = useSettledMutation((row: Suggester) => stopSuggester(project, row.name), refresh, 'stopSuggester');
  const remove = useMutation({
    mutationFn: (row: Suggester) => deleteSuggester(project, row.name),
    onSuccess: refresh,
    meta: { errorTitle: 'deleteSuggester' },
  });
  return { start, stop, remove };
}

/** S-042: list, create, edit, clone, start, stop, delete. */
export function SuggestersTab({ project, writable }: { readonly project: string; readonly writable: boolean }) {
  const { t } = useTranslation('settings');
  const query = useQuery({ ...suggestersQuery(project), meta: { silent: true } });
  const columns = useSuggesterColumns(project);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [doomed, setDoomed] = useState<Suggester | null>(null);
  const { start, stop, remove } = useSuggesterMutations(project);
  useKey('c', () => setOpened({ mode: 'create' }), writable && opened === null);
  const actions = (row: Suggester) => (
    <>
      {row.running ? (
        <IconButton small icon={Square} label={t('stop', { label: row.label })} onClick={() => stop.mutate(row)} />
      ) : (
        <IconButton small icon={Play} label={t('start', { label: row.label })} onClick={() => start.mutate(row)} />
      )}
      <IconButton small icon={Pencil} label={t('edit', { label: row.label })} onClick={() => setOpened({ mode: 'edit', suggester: row })} />
      <IconButton small icon={Copy} label={t('clone', { label: row.label })} onClick={() => setOpened({ mode: 'clone', suggester: row })} />
      <IconButton small icon={Trash2} label={t('delete', { label: row.label })} onClick={() => setDoomed(row)} />
    </>
  );
  const create = writable && (
    <Button kind="solid" icon={Plus} keyCap="C" onClick={() => setOpened({ mode: 'create' })}>
      {t('new')}
    </Button>
  );
  return (
    <>
      <LoadedList
        query={query}
        errorTitle="getSuggesters"
        rows={3}
        empty={{ title: t('empty.title'), text: t('empty.text'), actions: create }}
      >
        {(suggesters) => (
          <>
            <div className={styles['tab-head']}>
              <p>{t('explain')}</p>
              {create}
            </div>
            <DataTable
              label={t('tab.suggesters')}
              twoLines
              rows={suggesters}
              rowKey={(row) => row.name}
              columns={columns}
              {...(writable && { rowActions: actions, onOpen: (row: Suggester) => setOpened({ mode: 'edit', suggester: row }) })}
            />
          </>
        )}
      </LoadedList>
      {opened !== null && <SuggesterDialog project={project} opened={opened} onClose={() => setOpened(null)} />}
      <DeleteDialog
        open={doomed !== null}
        title={t('deleteTitle', { label: doomed?.label ?? '' })}
        keepLabel={t('keep')}
        deleteLabel={t('deleteSuggester')}
        onClose={() => setDoomed(null)}
        onDelete={() => (doomed === null ? Promise.resolve() : remove.mutateAsync(doomed))}
      >
        {t('deleteText')}
      </DeleteDialog>
    </>
  );
}
