import { useQuery } from '@tanstack/react-query';
import { ArrowDownWideNarrow, Clapperboard, LayoutGrid, Plus, Rows3, Search, Upload } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { projectsQuery, type Project } from '@/api/resources/projects';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { lazyPart } from '@/ui/lazy-part';
import { SegmentedControl } from '@/ui/segmented-control';
import { FilterChip } from '@/ui/chip';
import { FacetList } from '@/ui/facet-list';
import { withFacet } from '@/state/facet-selection';
import { TextInput } from '@/ui/field';
import { useKey } from '@/ui/use-key';
import { Menu } from '@/ui/menu';
import { Page, PageHead, useSearchBox } from '@/ui/page';
import { Pager } from '@/ui/pager';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { useStoredChoice } from '@/state/layout-store';
import { useImportStore } from '@/state/import-dialog-store';
import { useCan } from '@/state/session-store';
import { HOME_DEFAULTS, useHomeState, type HomeState } from './home-state';
import { ProjectActions } from './project-actions';
import { filterProjects, projectFacets, computeOrDefault } from './project-facets';
import { openProjectPath, ProjectCards, ProjectTable } from './project-table';
import { SampleProgress, useSampleProject, type SampleProject } from './sample-project';
import styles from './home.module.css';

const CreateProjectDialog = lazyPart(async () => (await import('./create-project-dialog')).CreateProjectDialog);
const DeleteProjectDialog = lazyPart(async () => (await import('./delete-project-dialog')).DeleteProjectDialog);

const PAGE = 10;

const ORDERS: Record<HomeState['sort'], (a: Project, b: Project) => number> = {
  created: (a, b) => (b.createdDate ?? '').localeCompare(a.createdDate ?? ''),
  label: (a, b) => a.label.localeCompare(b.label),
  documents: (a, b) => (b.documents ?? 0) - (a.documents ?? 0),
};

type Creating = 'new' | 'import' | null;

function useProjectFacetTexts() {
  const { t } = useTranslation('home');
  const value = (name: string, text: string) => {
    if (name === 'nature') return t(`nature.${text}`, { defaultValue: text });
    if (name === 'language') return t(`language.${text}`, { defaultValue: text });
    if (['private', 'hasSplit', 'readOnly'].includes(name)) return t(`common:${text === 'true' ? 'yes' : 'no'}`);
    return text;
  };
  return { title: (name: string) => t(`facet.${name}`), value };
}

function ProjectFilters({
  projects,
  state,
  change,
}: {
  readonly projects: readonly Project[];
  readonly state: HomeState;
  readonly change: (part: Partial<HomeState>) => void;
}) {
  const { t } = useTranslation('home');
  const words = useProjectFacetTexts();
  return (
    <>
      <div className={styles['name-filter']}>
        <TextInput
          hideLabel
          label={t('filterByName')}
          placeholder={t('filterByName')}
          value={state.query}
          onChange={(query) => change({ query })}
          start={<Search size={14} />}
        />
      </div>
      <FacetList
        additive
        screen="home"
        facets={computeOrDefault(() => projectFacets(projects, words.title, words.value), [])}
        selected={state.selectedFacets}
        onChange={(selectedFacets) => change({ selectedFacets })}
      />
    </>
  );
}

function ProjectFilterChips({ state, change }: { readonly state: HomeState; readonly change: (part: Partial<HomeState>) => void }) {
  const { t } = useTranslation('home');
  const words = useProjectFacetTexts();
  if (state.selectedFacets.length === 0) return null;
  return (
    <div className={styles['chips']}>
      {state.selectedFacets.map(({ facetName, facetValue, facetSelector }) => (
        <FilterChip
          key={`${facetName}:${facetValue}`}
          operator={t('common:chip.anyOf')}
          exclude={facetSelector === '-'}
          text={t('common:chip.text', { name: words.title(facetName), value: words.value(facetName, facetValue) })}
          onToggle={() =>
            change({ selectedFacets: withFacet(state.selectedFacets, facetName, facetValue, facetSelector === '-' ? '+' : '-') })
          }
          onRemove={() => change({ selectedFacets: withFacet(state.selectedFacets, facetName, facetValue, '') })}
        />
      ))}
    </div>
  );
}

function HeadActions({
  state,
  change,
  view,
  setView,
  onCreate,
  mayCreate,
}: {
  readonly state: HomeState;
  readonly change: (part: Partial<HomeState>) => void;
  readonly view: 'table' | 'cards';
  readonly setView: (view: 'table' | 'cards') => void;
  readonly onCreate: (what: Creating) => void;
  readonly mayCreate: boolean;
}) {
  const { t } = useTranslation('home');
  const icon = (Icon: typeof Rows3, text: string) => (
    <>
      <Icon size={14} aria-hidden />
      {text}
    </>
  );
  return (
    <>
      <SegmentedControl
        label={t('view.label')}
        value={view}
        onChange={setView}
        options={[
          { value: 'table', label: icon(Rows3, t('view.table')) },
          { value: 'cards', label: icon(LayoutGrid, t('view.cards')) },
        ]}
      />
      <Menu
        label={t('sort.title')}
        entries={(['created', 'label', 'documents'] as const).map((sort) => ({
          key: sort,
          label: t(`sort.${sort}`),
          checked: state.sort === sort,
          onSelect: () => change({ sort }),
        }))}
        trigger={(props) => (
          <Button icon={ArrowDownWideNarrow} {...props}>
            {t(`sort.${state.sort}`)}
          </Button>
        )}
      />
      {mayCreate && (
        <>
          <Button icon={Upload} onClick={() => onCreate('import')}>
            {t('import')}
          </Button>
          <Button kind="solid" icon={Plus} keyCap="C" onClick={() => onCreate('new')}>
            {t('create')}
          </Button>
        </>
      )}
    </>
  );
}

function NoProjects({
  filtered,
  onClear,
  onCreate,
  mayCreate,
  sample,
}: {
  readonly filtered: boolean;
  readonly sample: SampleProject;
  readonly onClear: () => void;
  readonly onCreate: (what: Creating) => void;
  readonly mayCreate: boolean;
}) {
  const { t } = useTranslation('home');
  if (filtered) {
    return (
      <EmptyState title={t('noMatch.title')} actions={<Button onClick={onClear}>{t('noMatch.clear')}</Button>}>
        {t('noMatch.text')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('empty.title')}
      actions={
        mayCreate && (
          <>
            <Button kind="solid" icon={Clapperboard} busy={sample.busy} onClick={sample.start}>
              {t('sample.try')}
            </Button>
            <Button icon={Plus} onClick={() => onCreate('new')}>
              {t('create')}
            </Button>
            <Button icon={Upload} onClick={() => onCreate('import')}>
              {t('import')}
            </Button>
          </>
        )
      }
    >
      <p>{t(mayCreate ? 'empty.text' : 'empty.textReader')}</p>
      {mayCreate && <p>{t('sample.text')}</p>}
    </EmptyState>
  );
}

/** R-002, picture 02. */
export function HomeScreen() {
  const { t } = useTranslation('home');
  const navigate = useNavigate();
  const [state, change] = useHomeState();
  const [view, setView] = useStoredChoice<'table' | 'cards'>('home.view', 'table');
  const [creating, setCreating] = useState<Creating>(null);
  const [doomed, setDoomed] = useState<Project | null>(null);
  const mayCreate = useCan('createProject');
  // Lives here: once the project exists, the list is not empty any more.
  const sample = useSampleProject();
  const maySearch = useCan('useSearch');
  const openImport = useImportStore((state) => state.setOpen);
  const { data: projects = [], error, isPending, refetch } = useQuery(projectsQuery());
  const onSearch = useCallback((query: string) => change({ query }), [change]);
  useSearchBox({ placeholder: t('search'), query: state.query, onSearch });
  useKey('c', () => setCreating('new'), mayCreate);

  const found = [...computeOrDefault(() => filterProjects(projects, state.query, state.selectedFacets), projects)].sort(ORDERS[state.sort]);
  const shown = found.slice(state.from, state.from + PAGE);
  const filtered = state.query !== '' || state.selectedFacets.length > 0;
  // T-008: a new project opens on its dashboard (or its landing screen) with the import dialog; an imported one already
  // has documents.
  const opened = async (name: string) => {
    await navigate(`${openProjectPath({ name } as Project)}/dashboard`);
    if (creating === 'new') openImport(true);
  };
  const List = view === 'table' ? ProjectTable : ProjectCards;
  const body = () => {
    if (sample.started) return <SampleProgress sample={sample} />;
    if (isPending) return <Skeleton rows={8} rowHeight={54} />;
    if (error !== null && projects.length === 0)
      return <ErrorState title={t('errors:error.getProjects')} error={error} onRetry={() => void refetch()} />;
    if (found.length === 0)
      return <NoProjects {...{ filtered, mayCreate, sample }} onCreate={setCreating} onClear={() => change(HOME_DEFAULTS)} />;
    return (
      <>
        <List projects={shown} actions={(project) => <ProjectActions project={project} onDelete={() => setDoomed(project)} />} />
        <Pager from={state.from} size={PAGE} total={found.length} onChange={(from) => change({ from })} />
      </>
    );
  };
  return (
    <Page
      screen="home"
      activeFilters={state.selectedFacets.length + (state.query === '' ? 0 : 1)}
      onClearFilters={() => change(HOME_DEFAULTS)}
      {...(maySearch && projects.length > 0 && { filters: <ProjectFilters projects={projects} state={state} change={change} /> })}
    >
      <PageHead
        title={t('title')}
        aside={
          projects.length > 0 && <Badge>{filtered ? t('count', { found: found.length, total: projects.length }) : projects.length}</Badge>
        }
        actions={<HeadActions {...{ state, change, view, setView, mayCreate }} onCreate={setCreating} />}
      />
      <ProjectFilterChips state={state} change={change} />
      {body()}
      {creating !== null && (
        <CreateProjectDialog tab={creating} onTab={setCreating} onClose={() => setCreating(null)} onCreated={(name) => void opened(name)} />
      )}
      {doomed !== null && <DeleteProjectDialog project={doomed} onClose={() => setDoomed(null)} />}
    </Page>
  );
}
