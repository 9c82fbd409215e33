/** C-001: the session ends in the browser shortly before it ends on the server. */
export const EARLY_MS = 5000;

let timer: ReturnType<typeof setTimeout> | undefined;
let current: { minutes: number | undefined; expired: () => void } | undefined;

/** Milliseconds until expiry, or null when there is no timer (C-001, E-059). */
export function sessionTimerLength(minutes: number | undefined): number | null {
  const length = (minutes ?? 0) * 60_000 - EARLY_MS;
  return Number.isFinite(length) && length > 0 ? length : null;
}

export function startSessionTimer(minutes: number | undefined, expired: () => void): void {
  current = { minutes, expired };
  restartSessionTimer();
}

/** T-005: any response other than a 401, and an upload, restart the timer. */
export function restartSessionTimer(): void {
  clearTimeout(timer);
  const length = current === undefined ? null : sessionTimerLength(current.minutes);
  // Longer delays overflow to zero in browsers.
  if (length !== null && length < 2 ** 31) timer = setTimeout(() => current?.expired(), length);
}

export function stopSessionTimer(): void {
  clearTimeout(timer);
  current = undefined;
}
