import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { projectsOfQuery } from '@/api/resources/projects';
import { Badge } from '@/ui/badge';
import { useFormat } from '@/ui/format';
import styles from './admin.module.css';

/** Projects of a user or a group; those that the administrator may open are links. */
export function ProjectList({ whose }: { readonly whose: Parameters<typeof projectsOfQuery>[0] }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { data } = useQuery(projectsOfQuery(whose));
  if (data === undefined) return null;
  return (
    <section className={styles['projects']}>
      <h3>
        {t('projects')} <Badge>{data.length}</Badge>
      </h3>
      {data.length === 0 ? (
        <p>{t('noProjects')}</p>
      ) : (
        <ul>
          {data.map((project) => (
            <li key={project.name}>
              <Link to={`/openProject/${encodeURIComponent(project.name)}`}>{project.label}</Link>
              <small>{t('documents', { count: project.documents ?? 0, shown: format.number(project.documents ?? 0) })}</small>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
