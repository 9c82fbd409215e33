import { CircleCheck, CircleX, Info, TriangleAlert, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { IconButton } from '@/ui/icon-button';
import { isWhisper, useNotificationsStore, WHISPER_MS, type Notification } from '@/state/notifications-store';
import { useNarrow } from '@/ui/media-query';
import { CORNERS, freeCorner, freeTop, obstaclesOf, type Corner } from './notice-place';
import styles from './notifications.module.css';

const ICONS = { info: Info, success: CircleCheck, warning: TriangleAlert, error: CircleX };
const VISIBLE = 3;
const VISIBLE_NARROW = 1;

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

/** A line without a card: nothing to do about it, nothing to close, nothing that it covers can be missed. */
function Whisper({ item }: { readonly item: Notification }) {
  const { expire } = useNotificationsStore();
  useEffect(() => {
    const timer = setTimeout(() => expire(item.id), Math.min(item.fade, WHISPER_MS));
    return () => clearTimeout(timer);
  }, [item.id, item.fade, expire]);
  const Icon = ICONS[item.type];
  return (
    <p className={styles['whisper']} data-type={item.type} role="status">
      <Icon size={14} aria-hidden />
      {item.message}
    </p>
  );
}

/** Time after the last change of the page before the stack looks for a free corner again. */
const SETTLED_MS = 120;

interface FreePlace {
  readonly ref: Ref<HTMLUListElement>;
  readonly corner: Corner;
  /** On narrow windows. */
  readonly top: number | undefined;
}

/**
 * Keeps the stack where it covers no title, button or dialog, also when a dialog or a drawer opens or the window changes: in a corner, on narrow
 * windows at a height, which depends on what is scrolled to.
 */
function useFreePlace(shown: number, narrow: boolean): FreePlace {
  const ref = useRef<HTMLUListElement>(null);
  const [corner, setCorner] = useState<Corner>(CORNERS[0]);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const stack = ref.current;
    if (shown === 0 || stack === null) return undefined;
    const place = () => {
      // Not while it is pointed at or has the focus: it would move away from the hand.
      if (stack.matches(':hover') || stack.contains(document.activeElement)) return;
      const { width, height } = stack.getBoundingClientRect();
      const page = { width: window.innerWidth, height: window.innerHeight };
      const obstacles = obstaclesOf(document, stack);
      if (narrow) setTop(freeTop({ width, height }, page, obstacles));
      else setCorner(freeCorner({ width, height }, page, obstacles));
    };
    place();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const placeSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(place, SETTLED_MS);
    };
    const changed = new MutationObserver(placeSoon);
    changed.observe(document.body, { childList: true, subtree: true });
    window.addEventListener('resize', placeSoon);
    if (narrow) window.addEventListener('scroll', placeSoon, true);
    return () => {
      clearTimeout(timer);
      changed.disconnect();
      window.removeEventListener('resize', placeSoon);
      window.removeEventListener('scroll', placeSoon, true);
    };
  }, [shown, narrow]);
  return { ref, corner, top: narrow ? top : undefined };
}

/** Three cards at most, one on narrow windows; the rest waits in the tray. Whispers lie in the middle, above the footer, on narrow windows with the cards. */
export function NotificationStack() {
  const { items, expire } = useNotificationsStore();
  const all = items.filter((item) => !item.expired);
  const cards = all.filter((item) => !isWhisper(item));
  const whisper = all.findLast(isWhisper);
  const narrow = useNarrow();
  const most = narrow ? VISIBLE_NARROW : VISIBLE;
  const floating = cards.slice(-most);
  const oldest = cards.length > most ? cards[0]?.id : undefined;
  const older = all.find((item) => isWhisper(item) && item.id !== whisper?.id)?.id;
  const { ref, corner, top } = useFreePlace(floating.length + (narrow && whisper !== undefined ? 1 : 0), narrow);
  useEffect(() => {
    // Displaced by newer ones: it must not float again when they fade.
    if (oldest !== undefined) expire(oldest);
    if (older !== undefined) expire(older);
  }, [oldest, older, expire]);
  const line = whisper !== undefined && <Whisper key={whisper.id} item={whisper} />;
  return (
    <>
      <ul ref={ref} className={styles['stack']} data-corner={corner} style={{ top }}>
        {floating.map((item) => (
          <li key={item.id}>
            <NotificationCard item={item} floating />
          </li>
        ))}
        {narrow && line !== false && <li>{line}</li>}
      </ul>
      {!narrow && line}
    </>
  );
}
