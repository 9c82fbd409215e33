/** S-045: experiments that compare searches (search quality) or answerers (answer quality) on the saved questions. */
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import {
  qualityEstimateQuery,
  qualityExperimentsQuery,
  type QualityExperiment,
  type QualityKind,
} from '@/api/resources/ranking-experiments';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { DeleteDialog } from '@/ui/delete-dialog';
import { Page, PageHead } from '@/ui/page';
import { useKey } from '@/ui/use-key';
import { useLayoutStore } from '@/state/layout-store';
import { useProjectWritable } from '@/state/session-store';
import { KIND_TABS } from '@/features/experiments/experiment-kinds';
import { ExperimentPageTabs } from '@/features/experiments/experiment-page-tabs';
import { QualityDetail } from './quality-detail';
import { QualityDialog } from './quality-dialog';
import { draftOf, parametersOf } from './quality-draft';
import { MissingQuestions } from './quality-forecast';
import { QualityList } from './quality-list';
import { QualityReportView } from './quality-report';
import styles from './quality.module.css';
import { useQualityMutations, type QualityActions } from './use-quality-experiments';

const SCREEN = 'experiments';

type OpenDialog = { readonly what: 'create' } | { readonly what: 'edit' | 'remove'; readonly experiment: QualityExperiment } | null;

interface ScreenProps {
  readonly project: string;
  readonly kind: QualityKind;
}

/** What the address shows, and how to change that. */
function useQualityAddress(kind: QualityKind) {
  const [params, setParams] = useSearchParams();
  const setDrawer = useLayoutStore((state) => state.setDrawer);
  const show = (name: string, report = false) => {
    setDrawer(SCREEN, 'labels', true);
    setParams({ tab: KIND_TABS[kind], ...(name !== '' && { measured: name }), ...(report && { view: 'report' }) });
  };
  return { name: params.get('measured') ?? '', report: params.get('view') === 'report', show, setTab: (tab: string) => setParams({ tab }) };
}

function RemoveDialog({
  experiment,
  onClose,
  onDelete,
}: {
  readonly experiment: QualityExperiment;
  readonly onClose: () => void;
  readonly onDelete: () => Promise<unknown>;
}) {
  const { t } = useTranslation(['quality', 'experiments']);
  return (
    <DeleteDialog
      title={t('experiments:deleteTitle', { label: experiment.label })}
      keepLabel={t('experiments:keep')}
      deleteLabel={t('experiments:deleteExperiment')}
      onClose={onClose}
      onDelete={onDelete}
    >
      {t(experiment.running ? 'deleteRunning' : 'deleteText')}
    </DeleteDialog>
  );
}

/** Too few questions to measure anything: told above the list. */
function QuestionsNotice({ project, kind }: ScreenProps) {
  const { data } = useQuery(qualityEstimateQuery(project, kind, parametersOf(kind, draftOf(kind, undefined, ''))));
  if (data === undefined || data.questions >= data.needed) return null;
  return (
    <div className={styles['missing']}>
      <MissingQuestions kind={kind} estimate={data} />
    </div>
  );
}

function useQualityScreen({ project, kind }: ScreenProps) {
  const query = useQuery({ ...qualityExperimentsQuery(project), meta: { silent: true } });
  const own = query.data?.filter((one) => one.kind === kind);
  const address = useQualityAddress(kind);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const { launch, stop, clone, remove, favourite, mail } = useQualityMutations(project, (name) => address.show(name));
  const actions: QualityActions = {
    edit: (experiment) => setDialog({ what: 'edit', experiment }),
    remove: (experiment) => setDialog({ what: 'remove', experiment }),
    clone: (experiment) => clone.mutate(experiment),
    launch: (experiment) => launch.mutate(experiment),
    stop: (experiment) => stop.mutate(experiment),
    favourite: (experiment) => favourite.mutate(experiment),
    mail: (experiment) => mail.mutate(experiment),
    openReport: (experiment) => address.show(experiment.name, true),
  };
  return { query: { ...query, data: own }, address, dialog, setDialog, actions, remove };
}

interface DialogsProps extends ScreenProps, Pick<ReturnType<typeof useQualityScreen>, 'address' | 'dialog' | 'remove'> {
  /** Number of experiments. */
  readonly count: number;
  readonly onClose: () => void;
}

function QualityDialogs({ project, kind, count, address, dialog, remove, onClose }: DialogsProps) {
  const { t } = useTranslation('quality');
  if (dialog === null) return null;
  if (dialog.what === 'remove')
    return (
      <RemoveDialog
        experiment={dialog.experiment}
        onClose={onClose}
        onDelete={async () => {
          await remove.mutateAsync(dialog.experiment);
          address.show('');
        }}
      />
    );
  return (
    <QualityDialog
      {...{ project, kind, onClose }}
      experiment={dialog.what === 'edit' ? dialog.experiment : undefined}
      proposed={t('proposed', { kind: t(`tab.${kind}`), number: count + 1 })}
      onSaved={(name) => address.show(name)}
    />
  );
}

export function QualityScreen({ project, kind }: ScreenProps) {
  const { t } = useTranslation('experiments');
  const writable = useProjectWritable();
  const { query, address, dialog, setDialog, actions, remove } = useQualityScreen({ project, kind });
  const current = query.data?.find(({ name }) => name === address.name);
  const reportShown = current !== undefined && address.report;
  useKey('c', () => setDialog({ what: 'create' }), writable && dialog === null && !reportShown);
  const count = query.data?.length ?? 0;
  const dialogs = <QualityDialogs {...{ project, kind, count, address, dialog, remove }} onClose={() => setDialog(null)} />;
  if (reportShown)
    return (
      <Page screen={SCREEN}>
        <QualityReportView {...{ project, actions, writable }} experiment={current} onBack={() => address.show(current.name)} />
        {dialogs}
      </Page>
    );
  const create = writable && (
    <Button kind="solid" icon={Plus} keyCap="C" onClick={() => setDialog({ what: 'create' })}>
      {t('new')}
    </Button>
  );
  return (
    <Page
      screen={SCREEN}
      {...(current !== undefined && {
        ...{ drawerTitle: current.label, drawerSubject: current.name, onCloseDrawer: () => address.show('') },
        drawer: <QualityDetail {...{ project, actions, writable }} experiment={current} />,
      })}
    >
      <PageHead title={t('title')} aside={count > 0 && <Badge>{count}</Badge>} actions={count > 0 && create} />
      <ExperimentPageTabs project={project} tab={KIND_TABS[kind]} onTab={address.setTab}>
        <QuestionsNotice {...{ project, kind }} />
        <QualityList {...{ project, kind, query, actions, writable, current, create }} onOpen={(row) => address.show(row.name)} />
      </ExperimentPageTabs>
      {dialogs}
    </Page>
  );
}
