import { Download, UserRoundCog, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Project } from '@/api/resources/projects';
import { Button } from '@/ui/button';
import { ExportProjectDialog } from '@/blocks/projects/export-project-dialog';
import { ChangeGroupDialog } from '@/blocks/projects/change-group-dialog';
import { ChangeOwnerDialog } from '@/blocks/projects/change-owner-dialog';
import { useIsOwnerOrMay } from '@/blocks/projects/use-owner-or-may';
import { useCan } from '@/state/session-store';
import styles from './settings.module.css';

function OwnerLine({ info }: { readonly info: Project }) {
  const { t } = useTranslation('project');
  const owner = info.owner?.profilename ?? info.owner?.username ?? '–';
  return (
    <p>
      {info.group == null ? t('settings.ownerAlone', { owner }) : t('settings.owner', { owner, group: info.group.label })}{' '}
      {t(info.shared === true ? 'settings.isShared' : 'settings.isPrivate')}
    </p>
  );
}

/** Owner, group and export of the project (D-019, D-020). */
export function SharingCard({ info, writable }: { readonly info: Project; readonly writable: boolean }) {
  const { t } = useTranslation('project');
  const mayShare = useIsOwnerOrMay('shareProject', info, writable);
  const mayExport = useIsOwnerOrMay('exportProject', info, true);
  const mayDataset = useCan('exportDataset');
  const [dialog, setDialog] = useState<'owner' | 'group' | 'export' | null>(null);
  const shared = { project: info.name, label: info.label, onClose: () => setDialog(null) };
  return (
    <section className={styles['card']}>
      <h2>{t('settings.access')}</h2>
      <OwnerLine info={info} />
      <div className={styles['actions']}>
        {mayShare && (
          <Button icon={UserRoundCog} onClick={() => setDialog('owner')}>
            {t('owner.do')}
          </Button>
        )}
        {mayShare && (
          <Button icon={UsersRound} onClick={() => setDialog('group')}>
            {t('group.do')}
          </Button>
        )}
        {mayExport && (
          <Button icon={Download} onClick={() => setDialog('export')}>
            {t('settings.export')}
          </Button>
        )}
      </div>
      {dialog === 'group' && <ChangeGroupDialog {...shared} group={info.group?.name ?? ''} />}
      {dialog === 'owner' && <ChangeOwnerDialog {...shared} owner={info.owner?.username ?? ''} />}
      {dialog === 'export' && <ExportProjectDialog {...shared} nature={info.nature} mayDataset={mayDataset} />}
    </section>
  );
}
