import { useQuery } from '@tanstack/react-query';
import { Plus, Split } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { experimentQuery, experimentsQuery, type Experiment } from '@/api/resources/experiments';
import { ProjectLabelsProvider } from '@/blocks/labelling/project-labels';
import { AnnotateCorpusDialog } from '@/blocks/engines/annotate-corpus-dialog';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ClusteringButton } from '@/blocks/engines/clustering-button';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useEngineForms } from '@/blocks/engines/use-engine-forms';
import { useKey } from '@/ui/use-key';
import { Page, PageHead } from '@/ui/page';
import { useLayoutStore } from '@/state/layout-store';
import { projectQuery } from '@/api/resources/projects';
import { useProjectName, useProjectWritable } from '@/state/session-store';
import { ExperimentDetail } from './experiment-detail';
import { ExperimentDialog, LaunchTrainingDialog, type ExperimentDialogRequest } from './experiment-dialogs';
import { findsTopics, kindOfTab, QUESTIONS_NATURE, tabOf } from './experiment-kinds';
import { ExperimentTabs } from './experiment-tabs';
import { ModelsMenu } from './models-menu';
import { ExperimentReport } from './experiment-report';
import { QualityScreen } from './quality/quality-screen';
import { SplitDialog } from './split-dialog';
import { useExperimentMutations, type ExperimentActions } from './use-experiments';

const SCREEN = 'experiments';

type OpenDialog = { readonly what: 'launch' | 'remove' | 'annotate'; readonly experiment: Experiment } | { readonly what: 'split' } | null;

interface DialogsProps {
  readonly project: string;
  readonly opened: ExperimentDialogRequest | null;
  readonly openDialog: OpenDialog;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
  readonly onDelete: (experiment: Experiment) => Promise<unknown>;
}

function ExperimentDialogs({ project, opened, openDialog, onClose, onSaved, onDelete }: DialogsProps) {
  const { t } = useTranslation('experiments');
  const doomed = openDialog?.what === 'remove' ? openDialog.experiment : null;
  return (
    <>
      {opened !== null && <ExperimentDialog project={project} opened={opened} onClose={onClose} onSaved={onSaved} />}
      {openDialog?.what === 'launch' && <LaunchTrainingDialog project={project} experiment={openDialog.experiment} onClose={onClose} />}
      {openDialog?.what === 'annotate' && (
        <AnnotateCorpusDialog project={project} annotator={openDialog.experiment.name} onClose={onClose} />
      )}
      {openDialog?.what === 'split' && <SplitDialog project={project} onClose={onClose} />}
      <DeleteDialog
        open={doomed !== null}
        title={t('deleteTitle', { label: doomed?.label ?? '' })}
        keepLabel={t('keep')}
        deleteLabel={t('deleteExperiment')}
        onClose={onClose}
        onDelete={() => (doomed === null ? Promise.resolve() : onDelete(doomed))}
      >
        {t(doomed?.running === true ? 'deleteRunning' : 'deleteText')}
      </DeleteDialog>
    </>
  );
}

interface HeadProps {
  readonly project: string;
  readonly experiments: readonly Experiment[];
  readonly current: Experiment | undefined;
  readonly writable: boolean;
  readonly create: ReactNode;
  readonly onSplit: () => void;
  readonly onLaunched: (name: string) => void;
}

function ExperimentsHead({ project, experiments, current, writable, create, onSplit, onLaunched }: HeadProps) {
  const { t } = useTranslation('experiments');
  const some = experiments.length > 0;
  const actions = (
    <>
      <ModelsMenu project={project} experiments={experiments} current={current} writable={writable} />
      {writable && <ClusteringButton project={project} onLaunched={onLaunched} />}
      {writable && (
        <Button icon={Split} onClick={onSplit}>
          {t('splitCorpus')}
        </Button>
      )}
      {some && create}
    </>
  );
  return <PageHead title={t('title')} aside={some && <Badge>{experiments.length}</Badge>} actions={actions} />;
}

/** The address may name a deleted experiment: fetching it reports the error (E-043). */
function useCheckNamedExperiment(project: string, named: string, known: readonly Experiment[] | undefined, busy: boolean) {
  const [first] = useState(named);
  const missing = first !== '' && named === first && known?.every(({ name }) => name !== first) === true;
  useQuery({ ...experimentQuery(project, first), enabled: missing && !busy });
}

function experimentActions(
  { stop, favourite, mail }: ReturnType<typeof useExperimentMutations>,
  setOpened: (opened: ExperimentDialogRequest) => void,
  setAsked: (asked: OpenDialog) => void,
  openReport: ExperimentActions['openReport'],
): ExperimentActions {
  return {
    edit: (experiment) => setOpened({ mode: 'edit', experiment }),
    clone: (experiment) => setOpened({ mode: 'clone', experiment }),
    launch: (experiment) => setAsked({ what: 'launch', experiment }),
    remove: (experiment) => setAsked({ what: 'remove', experiment }),
    annotateCorpus: (experiment) => setAsked({ what: 'annotate', experiment }),
    stop: (experiment) => stop.mutate(experiment),
    favourite: (experiment) => favourite.mutate(experiment),
    mail: (experiment) => mail.mutate(experiment),
    openReport,
  };
}

function CreateButton({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation('experiments');
  return (
    <Button kind="solid" icon={Plus} keyCap="C" onClick={onClick}>
      {t('new')}
    </Button>
  );
}

const engineTitle = (titles: ReturnType<typeof useEngineForms>, { engine }: Experiment) => titles.get(engine)?.title ?? engine;

function Experiments({ project }: { readonly project: string }) {
  const writable = useProjectWritable();
  const [params, setParams] = useSearchParams();
  const query = useQuery({ ...experimentsQuery(project), meta: { silent: true } });
  const titles = useEngineForms(project, 'learner');
  const setDrawer = useLayoutStore((state) => state.setDrawer);
  const [opened, setOpened] = useState<ExperimentDialogRequest | null>(null);
  const [asked, setAsked] = useState<OpenDialog>(null);
  const mutations = useExperimentMutations(project);
  const named = params.get('tab');
  const show = (name: string, { report = false, tab = named }: { readonly report?: boolean; readonly tab?: string | null } = {}) => {
    setDrawer(SCREEN, 'labels', true);
    setParams({ ...(tab !== null && { tab }), ...(name !== '' && { experiment: name }), ...(report && { view: 'report' }) });
  };
  const experiments = query.data ?? [];
  const current = experiments.find((item) => item.name === params.get('experiment'));
  useCheckNamedExperiment(project, params.get('experiment') ?? '', query.data, asked !== null);
  const tab = tabOf(named, current);
  const actions = experimentActions(mutations, setOpened, setAsked, (experiment) => show(experiment.name, { report: true }));
  const reportShown = current !== undefined && params.get('view') === 'report';
  useKey('c', () => setOpened({ mode: 'create' }), writable && opened === null && !reportShown);
  const dialogs = (
    <ExperimentDialogs
      project={project}
      opened={opened}
      openDialog={asked}
      onClose={() => {
        setOpened(null);
        setAsked(null);
      }}
      onSaved={(name) => show(name, { tab: null })}
      onDelete={async (experiment) => {
        await mutations.remove.mutateAsync(experiment);
        show('', { tab });
      }}
    />
  );
  if (reportShown) {
    const back = () => show(current.name);
    return (
      <Page screen={SCREEN}>
        <ExperimentReport experiment={current} engineTitle={engineTitle(titles, current)} {...{ actions, writable }} onBack={back} />
        {dialogs}
      </Page>
    );
  }
  const create = writable && <CreateButton onClick={() => setOpened({ mode: 'create' })} />;
  return (
    <Page
      screen={SCREEN}
      {...(current !== undefined && {
        ...{ drawerTitle: current.label, drawerSubject: current.name, onCloseDrawer: () => show('', { tab }) },
        drawer: <ExperimentDetail experiment={current} form={titles.get(current.engine)} actions={actions} writable={writable} />,
      })}
    >
      <ExperimentsHead
        project={project}
        experiments={experiments}
        current={current}
        writable={writable}
        create={create}
        onSplit={() => setAsked({ what: 'split' })}
        onLaunched={(name) => show(name, { tab: null })}
      />
      <ExperimentTabs
        {...{ project, query, titles, actions, writable, tab, current, create }}
        onTab={(next) => {
          const kept = kindOfTab(next) === undefined && current !== undefined && findsTopics(current) === (next === 'clusters');
          show(kept ? current.name : '', { tab: next });
        }}
        onSplit={() => setAsked({ what: 'split' })}
        onOpen={(row) => show(row.name, { tab })}
      />
      {dialogs}
    </Page>
  );
}

/** Where the address names no tab, projects for questions open with search quality. */
function ExperimentsOfTab({ project }: { readonly project: string }) {
  const [params] = useSearchParams();
  const { data: info, isPending } = useQuery(projectQuery(project));
  const named = params.get('tab');
  const open = named !== null || params.has('experiment');
  if (!open && isPending) return <Page screen={SCREEN}>{null}</Page>;
  const kind = kindOfTab(named) ?? (!open && info?.nature === QUESTIONS_NATURE ? 'ranking' : undefined);
  return kind === undefined ? <Experiments project={project} /> : <QualityScreen key={kind} {...{ project, kind }} />;
}

/** experiments, their details and reports. */
export function ExperimentsScreen() {
  const project = useProjectName();
  return (
    <ProjectLabelsProvider project={project}>
      <ExperimentsOfTab project={project} />
    </ProjectLabelsProvider>
  );
}
