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
}

export type NewNotification = Partial<Omit<Notification, 'id' | 'message' | 'dismissed' | 'expired' | 'at'>> & { readonly message: string };

/** C-003, E-014. */
export const FADE_MS = 8000;
export const MAX_NOTIFICATIONS = 20;

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
  expire: (id) => set((state) => ({ items: state.items.map((item) => (item.id === id ? { ...item, expired: true } : item)) })),
  clear: () => set({ items: [] }),
}));

/** E-012: same cause, or both asking to sign in. Only floating notifications count: an old cause may be reported again later. */
function isDuplicate(fresh: NewNotification, known: Notification): boolean {
  if (known.expired) return false;
  if (fresh.signInFix === true && known.signInFix === true) return true;
  return fresh.cause !== undefined && fresh.cause === known.cause;
}

/** Shows a notification unless a rule drops it; returns its id, or null when dropped (E-012, E-013). */
export function notify(fresh: NewNotification, route: string = window.location.pathname): number | null {
  const { items } = useNotificationsStore.getState();
  if (items.some((item) => isDuplicate(fresh, item))) return null;
  if (fresh.link !== undefined && fresh.link === route) return null;
  const id = nextId++;
  const item: Notification = { type: 'info', fade: FADE_MS, ...fresh, id, dismissed: false, expired: false, at: Date.now() };
  useNotificationsStore.setState({ items: [...items, item].slice(-MAX_NOTIFICATIONS) });
  return id;
}
