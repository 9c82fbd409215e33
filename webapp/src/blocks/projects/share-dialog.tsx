import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { ShareLists, type ShareListsProps } from './share-lists';

export interface ShareDialogProps extends ShareListsProps {
  readonly label: string;
  readonly onClose: () => void;
}

/** D-019: who may read or write the project besides its owner. */
export function ShareDialog({ label, onClose, ...lists }: ShareDialogProps) {
  const { t } = useTranslation('project');
  return (
    <Dialog open title={t('share.title', { label })} onClose={onClose} actions={<Button onClick={onClose}>{t('common:close')}</Button>}>
      <ShareLists {...lists} />
    </Dialog>
  );
}
