import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { useSessionStore } from '@/state/session-store';

/** D-007, E-023: access to the open project was removed. */
export function KickedDialog() {
  const { t } = useTranslation(['shell', 'errors']);
  const { kicked, openProject } = useSessionStore();
  const navigate = useNavigate();
  const leave = () => {
    openProject(null);
    void navigate('/home');
  };
  return (
    <Dialog
      open={kicked}
      width="small"
      title={t('shell:kicked.title')}
      onClose={leave}
      actions={
        <Button kind="solid" autoFocus onClick={leave}>
          {t('shell:goHome')}
        </Button>
      }
    >
      {t('errors:noProjectAccess')}
    </Dialog>
  );
}
