import Popover from '@mui/material/Popover';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { MuiRoot } from '@/ui/mui-root';
import { useNotificationsStore } from '@/state/notifications-store';
import { NotificationCard } from './notification-stack';
import styles from './notifications.module.css';

/** The open tray. */
export function NotificationTrayPopover({ anchor, onClose }: { readonly anchor: HTMLElement; readonly onClose: () => void }) {
  const { t } = useTranslation('shell');
  const { items, clear } = useNotificationsStore();
  return (
    <MuiRoot>
      <Popover
        open
        anchorEl={anchor}
        onClose={onClose}
        anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
        transformOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      >
        <section className={styles['tray']} aria-label={t('tray.title')}>
          <div className={styles['tray-head']}>
            <h2>{t('tray.title')}</h2>
            {items.length > 0 && (
              <Button small kind="quiet" onClick={clear}>
                {t('tray.clear')}
              </Button>
            )}
          </div>
          {items.length === 0 ? (
            <p>{t('tray.empty')}</p>
          ) : (
            <ul>
              {[...items].reverse().map((item) => (
                <li key={item.id}>
                  <NotificationCard item={item} />
                </li>
              ))}
            </ul>
          )}
        </section>
      </Popover>
    </MuiRoot>
  );
}
