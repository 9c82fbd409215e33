import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Play, Plus, Square } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EngineSettings } from '@/api/resources/experiments';
import {
  createSuggester,
  proposeSuggesterLabel,
  suggesterKeys,
  suggestersQuery,
  updateSuggester,
  type Suggester,
} from '@/api/resources/suggesters';
import { changedLabelAndParameters } from '@/blocks/engines/engine-changes';
import { EngineDialog } from '@/blocks/engines/engine-dialog';
import { LoadedList } from '@/blocks/loaded-list';
import { Button } from '@/ui/button';
import { DataTable } from '@/ui/data-table';
import { IconButton } from '@/ui/icon-button';
import { useKey } from '@/ui/use-key';
import { DeleteSuggesterDialog } from './delete-suggester-dialog';
import { ReadyMadeSuggesters } from './ready-made-suggesters';
import { useSuggesterColumns } from './suggester-columns';
import { SuggesterDetail, type SuggesterActions } from './suggester-detail';
import { useSuggesterFacts, useSuggesterMutations, type SuggesterFacts } from './use-suggesters';
import styles from './settings.module.css';

interface Opened {
  readonly mode: 'create' | 'edit' | 'clone';
  readonly suggester?: Suggester;
}

interface DialogProps {
  readonly project: string;
  readonly opened: Opened;
  readonly onClose: () => void;
  readonly onCreated: (name: string) => void;
}

function SuggesterDialog({ project, opened, onClose, onCreated }: DialogProps) {
  const { t } = useTranslation('settings');
  const queryClient = useQueryClient();
  const { mode, suggester } = opened;
  const save = async (values: EngineSettings) => {
    if (mode === 'edit' && suggester !== undefined)
      await updateSuggester(project, suggester.name, changedLabelAndParameters(suggester, values));
    else onCreated((await createSuggester(project, values)).name);
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

/** The others are beside the list. */
function RowAction({
  row,
  facts,
  actions,
}: {
  readonly row: Suggester;
  readonly facts: SuggesterFacts;
  readonly actions: SuggesterActions;
}) {
  const { t } = useTranslation('settings');
  const { label } = row;
  if (row.running) return <IconButton small icon={Square} label={t('stop', { label })} onClick={() => actions.stop(row)} />;
  const unusable = facts.unavailable !== undefined;
  return <IconButton small icon={Play} label={t('start', { label })} disabled={unusable} onClick={() => actions.start(row)} />;
}

interface ListProps {
  readonly project: string;
  readonly suggesters: readonly Suggester[];
  readonly currentName: string;
  readonly factsOf: (row: Suggester) => SuggesterFacts;
  readonly actions: SuggesterActions | null;
  readonly onCurrent: (name: string) => void;
}

/** S-042: the list, and the current suggester beside it; the first is current until one is chosen. */
function SuggesterList({ project, suggesters, currentName, factsOf, actions, onCurrent }: ListProps) {
  const { t } = useTranslation('settings');
  const columns = useSuggesterColumns(factsOf);
  const current = suggesters.find(({ name }) => name === currentName) ?? suggesters[0];
  return (
    <div className={styles['suggesters']}>
      <DataTable
        label={t('tab.suggesters')}
        twoLines
        rows={suggesters}
        rowKey={(row) => row.name}
        columns={columns}
        onOpen={(row) => onCurrent(row.name)}
        {...(current !== undefined && { current: current.name })}
        {...(actions !== null && {
          rowActions: (row: Suggester) => <RowAction row={row} facts={factsOf(row)} actions={actions} />,
        })}
      />
      {current !== undefined && (
        <SuggesterDetail key={current.name} project={project} suggester={current} facts={factsOf(current)} actions={actions} />
      )}
    </div>
  );
}

/** S-042: list, create, edit, clone, start, stop, delete. */
export function SuggestersTab({ project, writable }: { readonly project: string; readonly writable: boolean }) {
  const { t } = useTranslation('settings');
  const query = useQuery({ ...suggestersQuery(project), meta: { silent: true } });
  const { of: factsOf, missing } = useSuggesterFacts(project);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [doomed, setDoomed] = useState<Suggester | null>(null);
  const [current, setCurrent] = useState('');
  const { start, stop, remove } = useSuggesterMutations(project);
  useKey('c', () => setOpened({ mode: 'create' }), writable && opened === null);
  const actions: SuggesterActions = {
    start: (row) => start.mutate(row),
    stop: (row) => stop.mutate(row),
    edit: (row) => setOpened({ mode: 'edit', suggester: row }),
    clone: (row) => setOpened({ mode: 'clone', suggester: row }),
    remove: setDoomed,
  };
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
            <SuggesterList
              {...{ project, suggesters, factsOf }}
              currentName={current}
              actions={writable ? actions : null}
              onCurrent={setCurrent}
            />
          </>
        )}
      </LoadedList>
      <ReadyMadeSuggesters project={project} writable={writable} missing={missing} onCreated={setCurrent} />
      {opened !== null && <SuggesterDialog project={project} opened={opened} onClose={() => setOpened(null)} onCreated={setCurrent} />}
      {doomed !== null && (
        <DeleteSuggesterDialog
          project={project}
          suggester={doomed}
          trained={factsOf(doomed).trained}
          onClose={() => setDoomed(null)}
          onDelete={() => remove.mutateAsync(doomed)}
        />
      )}
    </>
  );
}
