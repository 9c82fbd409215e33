import { useTranslation } from 'react-i18next';
import type { Project } from '@/api/resources/projects';
import { ShareLists } from '@/blocks/projects/share-lists';
import { useIsOwnerOrMay } from '@/blocks/projects/use-owner-or-may';
import styles from './settings.module.css';

/** D-019 in place: people and groups, and the link to send them. */
export function SharesCard({ info, writable }: { readonly info: Project; readonly writable: boolean }) {
  const { t } = useTranslation('project');
  const may = useIsOwnerOrMay('shareProject', info, writable);
  return (
    <section className={styles['card']}>
      <h2>{t('settings.share')}</h2>
      <div>
        <ShareLists project={info.name} may={may} />
      </div>
    </section>
  );
}
