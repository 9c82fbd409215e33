import { CircleCheck, CircleX, Info, TriangleAlert, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { IconButton } from '@/ui/icon-button';
import { useNotificationsStore, type Notification } from '@/state/notifications-store';
import styles from './notifications.module.css';

const ICONS = { info: Info, success: CircleCheck, warning: TriangleAlert, error: CircleX };
const VISIBLE = 3;

const STOPPED = /[.!?…。؟]$/u;

/** Server messages come with and without a full stop: adds one between two of them. */
const joinSentences = (...parts: readonly (string | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined && part !== '')
    .map((part, at, all) => (at < all.length - 1 && !STOPPED.test(part ?? '') ? `${part}.` : part))
    .join(' ');

export function NotificationCard({ item, floating = false }: { readonly item: Notification; readonly floating?: boolean }) {
  const { t } = useTranslation('shell');
  const { dismiss, expire } = useNotificationsStore();
  const [held, setHeld] = useState(false);
  const Icon = ICONS[item.type];
  useEffect(() => {
    if (!floating || held) return undefined;
    const timer = setTimeout(() => expire(item.id), item.fade);
    return () => clearTimeout(timer);
  }, [floating, held, item.id, item.fade, expire]);
  return (
    <div
      className={styles['card']}
      data-type={item.type}
      role={floating ? (item.type === 'error' ? 'alert' : 'status') : undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={16} aria-hidden />
      <div>
        <strong>{item.message}</strong>
        {(item.cause !== undefined || item.fix !== undefined) && <p>{joinSentences(item.cause, item.fix)}</p>}
        {(item.action !== undefined || item.link !== undefined) && (
          <div className={styles['actions']}>
            {item.action !== undefined && (
              <Button
                small
                onClick={() => {
                  item.action?.run();
                  dismiss(item.id);
                }}
              >
                {item.action.label}
              </Button>
            )}
            {item.link !== undefined && (
              <Link to={item.link} onClick={() => dismiss(item.id)}>
                {item.linkmessage ?? t('tray.see')}
              </Link>
            )}
          </div>
        )}
      </div>
      <IconButton small label={t('tray.dismiss')} icon={X} onClick={() => dismiss(item.id)} />
    </div>
  );
}

/** Bottom right, three at most; the rest waits in the tray. */
export function NotificationStack() {
  const { items, expire } = useNotificationsStore();
  const all = items.filter((item) => !item.expired);
  const floating = all.slice(-VISIBLE);
  const oldest = all.length > VISIBLE ? all[0]?.id : undefined;
  useEffect(() => {
    // Displaced by newer ones: it must not float again when they fade.
    if (oldest !== undefined) expire(oldest);
  }, [oldest, expire]);
  return (
    <ul className={styles['stack']}>
      {floating.map((item) => (
        <li key={item.id}>
          <NotificationCard item={item} floating />
        </li>
      ))}
    </ul>
  );
}
