import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { gazetteersQuery, type Gazetteer } from '@/api/resources/gazetteers';
import { lexiconsQuery, type Lexicon } from '@/api/resources/lexicons';
import { AnnotateCorpusDialog } from '@/blocks/engines/annotate-corpus-dialog';
import { useEngineForms } from '@/blocks/engines/use-engine-forms';
import { ErrorState } from '@/blocks/error-state';
import { useLayoutStore } from '@/state/layout-store';
import { useProjectWritable } from '@/state/session-store';
import { Button } from '@/ui/button';
import { ButtonLink } from '@/ui/button-link';
import { DataTable, TwoLineCell, type Column } from '@/ui/data-table';
import { DeleteDialog } from '@/ui/delete-dialog';
import { FavouriteStar } from '@/ui/favourite-star';
import { useFormat } from '@/ui/format';
import { Skeleton } from '@/ui/placeholder-states';
import { useKey } from '@/ui/use-key';
import { When } from '@/ui/when';
import { GazetteerDetail } from './gazetteer-detail';
import { GazetteerDialog, SynchroniseDialog, type GazetteerDialogRequest } from './gazetteer-dialogs';
import { GazetteerState } from './gazetteer-state';
import { GazetteersMenu } from './gazetteers-menu';
import { useGazetteerMutations, type GazetteerActions } from './use-gazetteers';
import { VocabularyFrame } from './vocabulary-frame';
import { VocabularySteps } from './vocabulary-steps';
import styles from './vocabularies.module.css';

type Forms = ReturnType<typeof useEngineForms>;
type OpenDialog = { readonly what: 'synchronise' | 'remove' | 'annotate'; readonly gazetteer: Gazetteer } | null;

/** The lexicons that a gazetteer reads, by their labels. */
const lexiconsOf = ({ lexicons: names = [] }: Gazetteer, lexicons: readonly Lexicon[]): string =>
  names.map((name) => lexicons.find((lexicon) => lexicon.name === name)?.label ?? name).join(', ');

interface ColumnsProps {
  readonly forms: Forms;
  readonly lexicons: readonly Lexicon[];
  readonly actions: GazetteerActions;
  readonly writable: boolean;
}

function useGazetteerColumns({ forms, lexicons, actions, writable }: ColumnsProps): Column<Gazetteer>[] {
  const { t } = useTranslation('vocabularies');
  const format = useFormat();
  return [
    {
      key: 'favourite',
      header: t('common:table.favourite'),
      hideHeader: true,
      width: 44,
      leading: true,
      cell: (row) => (
        <FavouriteStar
          on={row.favorite === true}
          disabled={!writable}
          label={t('gazetteer.favourite', { label: row.label })}
          onToggle={() => actions.favourite(row)}
        />
      ),
    },
    {
      key: 'name',
      header: t('column.annotator'),
      cell: (row) => <TwoLineCell first={row.label} second={forms.get(row.engine)?.title ?? row.engine} />,
    },
    { key: 'state', header: t('column.state'), width: 190, cell: (row) => <GazetteerState gazetteer={row} /> },
    { key: 'lexicons', header: t('tab.lexicons'), priority: 1, cell: (row) => lexiconsOf(row, lexicons) },
    {
      key: 'terms',
      header: t('column.terms'),
      align: 'right',
      priority: 1,
      cell: ({ models, terms }) => (models === 0 || terms === undefined ? '–' : format.number(terms)),
    },
    {
      key: 'synchronised',
      header: t('column.synchronised'),
      priority: 1,
      cell: (row) => (row.timestamp > 0 ? <When at={row.timestamp} /> : t('never')),
    },
  ];
}

interface DialogsProps {
  readonly project: string;
  readonly opened: GazetteerDialogRequest | null;
  readonly openDialog: OpenDialog;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
  readonly onDelete: (gazetteer: Gazetteer) => Promise<unknown>;
}

function GazetteerDialogs({ project, opened, openDialog, onClose, onSaved, onDelete }: DialogsProps) {
  const { t } = useTranslation('vocabularies');
  if (opened !== null) return <GazetteerDialog {...{ project, opened, onClose, onSaved }} />;
  if (openDialog === null) return null;
  const { what, gazetteer } = openDialog;
  if (what === 'synchronise') return <SynchroniseDialog {...{ project, gazetteer, onClose }} />;
  if (what === 'annotate') return <AnnotateCorpusDialog project={project} annotator={gazetteer.name} onClose={onClose} />;
  return (
    <DeleteDialog
      title={t('gazetteer.deleteTitle', { label: gazetteer.label })}
      keepLabel={t('gazetteer.keep')}
      deleteLabel={t('gazetteer.delete')}
      onClose={onClose}
      onDelete={() => onDelete(gazetteer)}
    >
      {t(gazetteer.running ? 'gazetteer.deleteRunning' : 'gazetteer.deleteText')}
    </DeleteDialog>
  );
}

function gazetteerActions(
  { stop, favourite, mail }: ReturnType<typeof useGazetteerMutations>,
  setOpened: (opened: GazetteerDialogRequest) => void,
  setDialog: (dialog: OpenDialog) => void,
): GazetteerActions {
  return {
    edit: (gazetteer) => setOpened({ mode: 'edit', gazetteer }),
    clone: (gazetteer) => setOpened({ mode: 'clone', gazetteer }),
    synchronise: (gazetteer) => setDialog({ what: 'synchronise', gazetteer }),
    remove: (gazetteer) => setDialog({ what: 'remove', gazetteer }),
    annotateCorpus: (gazetteer) => setDialog({ what: 'annotate', gazetteer }),
    stop: (gazetteer) => stop.mutate(gazetteer),
    favourite: (gazetteer) => favourite.mutate(gazetteer),
    mail: (gazetteer) => mail.mutate(gazetteer),
  };
}

/** The open gazetteer is named by the address. */
function useCurrentGazetteer(gazetteers: readonly Gazetteer[]) {
  const [params, setParams] = useSearchParams();
  const setDrawer = useLayoutStore((state) => state.setDrawer);
  const show = (name: string) => {
    if (name !== '') setDrawer('gazetteers', 'labels', true);
    setParams(name === '' ? {} : { gazetteer: name });
  };
  return { current: gazetteers.find(({ name }) => name === params.get('gazetteer')), show };
}

function CreateButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation('vocabularies');
  return (
    <Button kind="solid" icon={Plus} keyCap="C" onClick={onClick}>
      {t('gazetteer.new')}
    </Button>
  );
}

/** S-049, T-028: the annotators made from lexicons. */
export function GazetteersTab({ project }: { readonly project: string }) {
  const { t } = useTranslation('vocabularies');
  const writable = useProjectWritable();
  const query = useQuery({ ...gazetteersQuery(project), meta: { silent: true } });
  const { data: lexicons } = useQuery({ ...lexiconsQuery(project), meta: { silent: true } });
  const forms = useEngineForms(project, 'gazetteer');
  const [opened, setOpened] = useState<GazetteerDialogRequest | null>(null);
  const [openDialog, setDialog] = useState<OpenDialog>(null);
  const mutations = useGazetteerMutations(project);
  const gazetteers = query.data ?? [];
  const { current, show } = useCurrentGazetteer(gazetteers);
  const actions = gazetteerActions(mutations, setOpened, setDialog);
  const columns = useGazetteerColumns({ forms, lexicons: lexicons ?? [], actions, writable });
  useKey('c', () => setOpened({ mode: 'create' }), writable && opened === null && openDialog === null);
  const create = writable && <CreateButton onClick={() => setOpened({ mode: 'create' })} />;
  const noLexicon = lexicons?.length === 0;
  const body = (): ReactNode => {
    if (query.data === undefined)
      return query.error === null ? (
        <Skeleton rows={4} rowHeight={54} />
      ) : (
        <ErrorState title={t('errors:error.getGazetteers')} error={query.error} onRetry={() => void query.refetch()} />
      );
    if (gazetteers.length === 0) {
      const first = noLexicon ? <ButtonLink to="/gazetteers/lexicons">{t('gazetteer.toLexicons')}</ButtonLink> : create;
      return <VocabularySteps project={project} what="annotators" actions={first} />;
    }
    return (
      <div className={styles['list']}>
        <DataTable
          label={t('tab.annotators')}
          twoLines
          rows={gazetteers}
          rowKey={(row) => row.name}
          columns={columns}
          onOpen={(row) => show(row.name)}
          {...(current !== undefined && { current: current.name })}
        />
      </div>
    );
  };
  return (
    <VocabularyFrame
      tab="annotators"
      page={{
        ...(current !== undefined && {
          ...{ drawerTitle: current.label, drawerSubject: current.name, onCloseDrawer: () => show('') },
          drawer: (
            <GazetteerDetail gazetteer={current} form={forms.get(current.engine)} lexicons={lexicons ?? []} {...{ actions, writable }} />
          ),
        }),
      }}
      actions={
        <>
          <GazetteersMenu {...{ project, gazetteers, current, writable }} />
          {gazetteers.length > 0 && create}
        </>
      }
    >
      {body()}
      <GazetteerDialogs
        {...{ project, opened, openDialog }}
        onClose={() => {
          setOpened(null);
          setDialog(null);
        }}
        onSaved={show}
        onDelete={async (gazetteer) => {
          await mutations.remove.mutateAsync(gazetteer);
          show('');
        }}
      />
    </VocabularyFrame>
  );
}
