import { create } from 'zustand';

export type NotificationType = 'info' | 'success' | 'warning' | 'error';

/** E-015, with texts already translated. */
export interface Notification {
  readonly id: number;
  readonly type: NotificationType;
  readonly message: string;
  readonly cause?: string;
  readonly fix?: string;
  readonly link?: string;
  readonly linkmessage?: string;
  readonly signInFix?: boolean;
  /** Closed by the user: also removed from the tray. */
  readonly dismissed: boolean;
  /** No longer floating, but still in the tray. */
  readonly expired: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly action?: { readonly label: string; run(): void };
  /** Milliseconds until it fades; by default C-003. */
  readonly fade: number;
  /** Says what the next look at the screen makes obsolete ("Copied"): gone when it fades, not kept in the tray. */
  readonly passing?: boolean;
}

export interface NewNotification extends Partial<Omit<Notification, 'id' | 'message' | 'dismissed' | 'expired' | 'at'>> {
  readonly message: string;
  /** The screen shows it already: kept in the tray only. */
  readonly quiet?: boolean;
}

/** C-003, E-014. */
export const FADE_MS = 8000;
export const MAX_NOTIFICATIONS = 20;
/** Of a notification that is read at a glance. */
export const WHISPER_MS = 4000;

/** Nothing to do about it and nothing to look up: one line that lies over nothing, instead of a card. */
export const isWhisper = ({ type, action, link, cause, fix }: Notification): boolean =>
  (type === 'info' || type === 'success') && [action, link, cause, fix].every((part) => part === undefined);

interface NotificationsState {
  readonly items: readonly Notification[];
  dismiss(id: number): void;
  expire(id: number): void;
  clear(): void;
}

let nextId = 1;

export const useNotificationsStore = create<NotificationsState>((set) => ({
  items: [],
  dismiss: (id) => set((state) => ({ items: state.items.filter((item) => item.id !== id) })),
  expire: (id) =>
    set((state) => ({
      items: state.items
        .filter((item) => item.id !== id || item.passing !== true)
        .map((item) => (item.id === id ? { ...item, expired: true } : item)),
    })),
  clear: () => set({ items: [] }),
}));

/** E-012: same cause, or both asking to sign in. Only floating notifications count: an old cause may be reported again later. */
function isDuplicate(fresh: NewNotification, known: Notification): boolean {
  if (known.expired) return false;
  if (fresh.signInFix === true && known.signInFix === true) return true;
  if (fresh.passing === true && known.passing === true && fresh.message === known.message) return true;
  return fresh.cause !== undefined && fresh.cause === known.cause;
}

/** Shows a notification unless a rule drops it; returns its id, or null when dropped (E-012, E-013). */
export function notify({ quiet = false, ...fresh }: NewNotification, route: string = window.location.pathname): number | null {
  const { items } = useNotificationsStore.getState();
  if (items.some((item) => isDuplicate(fresh, item))) return null;
  if (fresh.link !== undefined && fresh.link === route) return null;
  const id = nextId++;
  const item: Notification = { type: 'info', fade: FADE_MS, ...fresh, id, dismissed: false, expired: quiet, at: Date.now() };
  useNotificationsStore.setState({ items: [...items, item].slice(-MAX_NOTIFICATIONS) });
  return id;
}
