import { EyeOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Project } from '@/api/resources/projects';
import { useSeesOwnAnnotationsOnly } from '@/state/own-annotations';
import { Tooltip } from '@/ui/tooltip';
import styles from './labelling.module.css';

/** One line that says so, and who can change it. */
export function OwnAnnotationsNote({ project }: { readonly project: Pick<Project, 'shared'> | undefined }): ReactNode {
  const { t } = useTranslation('common');
  if (!useSeesOwnAnnotationsOnly(project)) return null;
  return (
    <Tooltip title={t('ownOnlyWhy')}>
      <p className={styles['own-only']} tabIndex={0} role="note" aria-label={`${t('ownOnly')}. ${t('ownOnlyWhy')}`}>
        <EyeOff size={14} aria-hidden />
        {t('ownOnly')}
      </p>
    </Tooltip>
  );
}
