/** Messages that offer to bring back what was removed: gone once it is back, whoever brought it back. */
import { useNotificationsStore } from '@/state/notifications-store';

const offers = new Map<string, number>();

/** `told`: id of the message, null when none was shown. */
export function rememberOffer(id: string, told: number | null): void {
  if (told !== null) offers.set(id, told);
}

/** It stands again: its message would do nothing. */
export function withdrawOffer(id: string): void {
  const told = offers.get(id);
  if (told === undefined) return;
  offers.delete(id);
  useNotificationsStore.getState().dismiss(told);
}
