/** Notifications that offer to restore what was removed; withdrawn once it is restored by any other way. */
import { useNotificationsStore } from '@/state/notifications-store';

const offers = new Map<string, number>();

/** `told`: id of the notification, null when none was shown. */
export function rememberOffer(id: string, told: number | null): void {
  if (told !== null) offers.set(id, told);
}

/** The object is restored, so the notification's action would do nothing. */
export function withdrawOffer(id: string): void {
  const told = offers.get(id);
  if (told === undefined) return;
  offers.delete(id);
  useNotificationsStore.getState().dismiss(told);
}
