import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ListChecks } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { globalJobsQuery, isActive } from '@/api/resources/jobs';
import { projectQuery } from '@/api/resources/projects';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { useNarrow } from '@/ui/media-query';
import { Tooltip } from '@/ui/tooltip';
import { useSessionStore, useCan } from '@/state/session-store';
import { AccountMenu } from './account-menu';
import { HelpMenu } from './help-menu';
import { LanguageMenu } from './language-menu';
import { Logo } from './logo';
import { isOutsideProjects } from './outside-projects';
import { ProjectMenu } from './project-menu';
import { ProjectSwitcher } from './project-switcher';
import { SearchBox } from './search-box';
import { ShareButton } from './share-button';
import styles from './shell.module.css';

/** S-003: link from the home screen to all jobs. */
function JobsShortcut() {
  const { t } = useTranslation('shell');
  const { data } = useQuery({ ...globalJobsQuery(), meta: { silent: true } });
  const active = data?.filter(isActive).length ?? 0;
  return (
    <Button icon={ListChecks} to="/globalJobs">
      {t('nav.jobs')}
      {active > 0 && (
        <span className={styles['in-button']}>
          <Badge tone="primary">{active}</Badge>
        </span>
      )}
    </Button>
  );
}

/** Link to a page configured by the operator, for an installation that is part of a larger system. */
function BackButton() {
  const { t } = useTranslation('shell');
  const address = useSessionStore((state) => state.config.backButton);
  if (address === undefined || address === '') return null;
  return (
    <Tooltip title={t('back')}>
      <a className={styles['back']} href={address} aria-label={t('back')}>
        <ArrowLeft size={16} aria-hidden />
      </a>
    </Tooltip>
  );
}

/** From a screen outside projects to the project that is still open. */
function BackToProject() {
  const { t } = useTranslation('shell');
  const name = useSessionStore((state) => state.projectName) ?? '';
  const { data } = useQuery({ ...projectQuery(name), meta: { silent: true } });
  if (name === '') return null;
  return (
    <Link className={styles['back-to']} to={`/openProject/${encodeURIComponent(name)}`}>
      <ArrowLeft size={14} aria-hidden />
      <span>{t('backTo', { project: data?.label ?? name })}</span>
    </Link>
  );
}

interface PlaceProps {
  readonly route: string;
  /** Absent outside projects. */
  readonly project: string | undefined;
}

/** The open project with its actions, and the page. */
function Place({ route, project }: PlaceProps) {
  const { t, i18n } = useTranslation('shell');
  const titled = i18n.exists(`shell:title.${route}`);
  if (project === undefined && !titled) return null;
  return (
    <div className={styles['where']}>
      <span className={styles['bar-line']} />
      {project !== undefined && (
        <>
          <ProjectSwitcher name={project} />
          <ShareButton name={project} />
          <ProjectMenu name={project} route={route} />
        </>
      )}
      {titled && (
        <span className={styles['page-name']}>
          {project !== undefined && <i aria-hidden>/</i>}
          {t(`title.${route}`)}
        </span>
      )}
      {project === undefined && <BackToProject />}
    </div>
  );
}

export function AppBar({ route }: { readonly route: string }) {
  const { t } = useTranslation('shell');
  const project = useSessionStore((state) => state.projectName);
  const jobs = useCan('seeGlobalJobs');
  const language = useCan('seeLanguageBtn');
  const home = route === 'home';
  const inProject = project !== null && !isOutsideProjects(route);
  const narrow = useNarrow();
  return (
    <header className={styles['bar']}>
      <BackButton />
      <Link to="/home" className={styles['brand']} aria-label={t('brandHome')}>
        <Logo />
        <span>Annotarium</span>
      </Link>
      {!home && <Place route={route} project={inProject ? project : undefined} />}
      <div className={styles['search-place']}>
        <SearchBox />
      </div>
      <div className={styles['bar-end']}>
        {home && jobs && <JobsShortcut />}
        {/* In narrow windows the account has the languages, and the navigation of the project the help. */}
        {!(narrow && inProject) && <HelpMenu />}
        {language && !narrow && <LanguageMenu />}
        <AccountMenu />
      </div>
    </header>
  );
}
