import { useQuery } from '@tanstack/react-query';
import { Share2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { projectQuery } from '@/api/resources/projects';
import { useIsOwnerOrMay } from '@/blocks/projects/use-owner-or-may';
import { Button } from '@/ui/button';
import { IconButton } from '@/ui/icon-button';
import { useMediaQuery } from '@/ui/media-query';
import { useProjectWritable } from '@/state/session-store';

const ShareDialog = lazy(async () => ({ default: (await import('@/blocks/projects/share-dialog')).ShareDialog }));

/** D-019 beside the name of the project, for those who may change who sees it. */
export function ShareButton({ name }: { readonly name: string }) {
  const { t } = useTranslation('shell');
  const { data: info } = useQuery({ ...projectQuery(name), meta: { silent: true } });
  const may = useIsOwnerOrMay('shareProject', info, useProjectWritable());
  const roomy = useMediaQuery('(min-width: 1281px)');
  const [open, setOpen] = useState(false);
  if (info === undefined || !may) return null;
  return (
    <>
      {roomy ? (
        <Button small icon={Share2} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {t('project.share')}
        </Button>
      ) : (
        <IconButton icon={Share2} label={t('project.share')} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      )}
      {open && (
        <Suspense fallback={null}>
          <ShareDialog project={name} label={info.label} may onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
