import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown, Folder, LayoutGrid } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { projectQuery, projectsQuery } from '@/api/resources/projects';
import { Badge } from '@/ui/badge';
import { Menu } from '@/ui/menu';
import { useProjectWritable } from '@/state/session-store';
import styles from './shell.module.css';

const SHOWN = 30;

/** The open project; the menu opens another one. */
export function ProjectSwitcher({ name }: { readonly name: string }) {
  const { t } = useTranslation('shell');
  const { data: project } = useQuery({ ...projectQuery(name), meta: { silent: true } });
  const { data: projects = [] } = useQuery(projectsQuery());
  const writable = useProjectWritable();
  const label = project?.label ?? name;
  return (
    <>
      <Menu
        label={t('switcher.label')}
        entries={[
          { key: 'all', label: t('switcher.all'), icon: LayoutGrid, to: '/home' },
          { kind: 'divider', key: 'line' },
          ...projects.slice(0, SHOWN).map((item) => ({
            key: item.name,
            label: item.label,
            to: `/openProject/${encodeURIComponent(item.name)}`,
            checked: item.name === name,
          })),
        ]}
        trigger={(props) => (
          <button type="button" className={styles['switcher']} {...props} title={label}>
            <Folder size={14} aria-hidden />
            <span>{label}</span>
            <ChevronsUpDown size={14} aria-hidden />
          </button>
        )}
      />
      {project !== undefined && !writable && <Badge tone="info">{t('readOnly')}</Badge>}
    </>
  );
}
