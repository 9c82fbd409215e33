import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { ReactNode } from 'react';
import type { Project } from '@/api/resources/projects';
import { DataTable, type Column } from '@/ui/data-table';
import { useFormat } from '@/ui/format';
import { When } from '@/ui/when';
import { useLabellingCounts } from './labelling-counts';
import { NatureText, ProjectStatusIcons, ProjectPicture } from './project-parts';
import styles from './home.module.css';

export const openProjectPath = (project: Project) => `/openProject/${encodeURIComponent(project.name)}`;

/** The creation date, or nothing if it is damaged, as the server then sends a placeholder. */
const createdDateIfIntact = (project: Project) => (project.damaged?.includes('created_at') === true ? undefined : project.createdDate);

function useProjectColumns(): Column<Project>[] {
  const { t } = useTranslation('home');
  const format = useFormat();
  const labelled = useLabellingCounts();
  const count = (value: number | undefined) => (value === undefined ? '' : format.number(value));
  return [
    {
      key: 'project',
      header: t('column.project'),
      cell: (project) => (
        <div className={styles['project']}>
          <ProjectPicture project={project} />
          <div className={styles['project-text']}>
            <span className={styles['project-name']}>
              <Link to={openProjectPath(project)} tabIndex={-1} onClick={(event) => event.stopPropagation()}>
                {project.label}
              </Link>
              <ProjectStatusIcons project={project} />
            </span>
            <small>{project.description}</small>
          </div>
        </div>
      ),
    },
    { key: 'nature', header: t('column.nature'), cell: (project) => <NatureText nature={project.nature} /> },
    { key: 'language', header: t('column.language'), cell: (project) => t(`language.${project.lang}`, { defaultValue: project.lang }) },
    { key: 'group', header: t('column.group'), cell: (project) => project.group?.label ?? project.group?.name, priority: 2 },
    { key: 'documents', header: t('column.documents'), align: 'right', cell: (project) => count(project.documents) },
    {
      key: 'labelled',
      header: t('column.labelled'),
      align: 'right',
      cell: (project) => (
        <span className={styles['labelled']}>
          {labelled(project).map((words, place) => (place === 0 ? <span key={words}>{words}</span> : <small key={words}>{words}</small>))}
        </span>
      ),
      priority: 1,
    },
    {
      key: 'created',
      header: t('column.created'),
      cell: (project) => (
        <span className={styles['moment']}>
          <When at={createdDateIfIntact(project) ?? ''} />
        </span>
      ),
    },
  ];
}

export interface ProjectListProps {
  readonly projects: readonly Project[];
  readonly actions: (project: Project) => ReactNode;
}

export function ProjectTable({ projects, actions }: ProjectListProps) {
  const { t } = useTranslation('home');
  const navigate = useNavigate();
  return (
    <DataTable
      label={t('title')}
      twoLines
      rows={projects}
      rowKey={(project) => project.name}
      columns={useProjectColumns()}
      onOpen={(project) => void navigate(openProjectPath(project))}
      rowActions={actions}
    />
  );
}

const COUNTS = ['documents', 'segments', 'annotations', 'categories', 'terms'] as const;

/** S-001: the same fields as the row, 3 to 4 per line. */
export function ProjectCards({ projects, actions }: ProjectListProps) {
  const { t } = useTranslation('home');
  const format = useFormat();
  return (
    <ul className={styles['cards']}>
      {projects.map((project) => (
        <li key={project.name} className={styles['card']}>
          <div className={styles['card-head']}>
            <ProjectPicture project={project} large />
            <div className={styles['project-text']}>
              <span className={styles['project-name']}>
                <Link to={openProjectPath(project)}>{project.label}</Link>
                <ProjectStatusIcons project={project} />
              </span>
              <NatureText nature={project.nature} />
            </div>
            {actions(project)}
          </div>
          <p>{project.description}</p>
          <dl>
            {COUNTS.filter((name) => name !== 'terms' || project.terms !== undefined).map((name) => (
              <div key={name}>
                <dt>{t(`facet.${name}`)}</dt>
                <dd>{project[name] === undefined ? '–' : format.number(project[name])}</dd>
              </div>
            ))}
          </dl>
          <small>
            {[
              t(`language.${project.lang}`, { defaultValue: project.lang }),
              project.group?.label ?? project.group?.name,
              project.owner?.profilename,
              createdDateIfIntact(project) === undefined ? '' : format.when(createdDateIfIntact(project) ?? ''),
            ]
              .filter(Boolean)
              .join(' · ')}
          </small>
        </li>
      ))}
    </ul>
  );
}
