import Popover from '@mui/material/Popover';
import { useState, type ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import type { MenuTriggerProps } from '@/ui/menu';
import { useNotificationsStore } from '@/state/notifications-store';
import { NotificationCard } from './notification-stack';
import styles from './notifications.module.css';

/** All recent notifications, faded or not. */
export function NotificationTray({ trigger }: { readonly trigger: (props: MenuTriggerProps) => ReactElement }) {
  const { t } = useTranslation('shell');
  const { items, clear } = useNotificationsStore();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      {trigger({ 'aria-expanded': anchor !== null, 'aria-haspopup': 'menu', onClick: (event) => setAnchor(event.currentTarget) })}
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
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
    </>
  );
}
