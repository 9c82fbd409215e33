/** Longest wait for an idle period. */
const IDLE_MS = 2_000;

/** Calls `act` when the browser has nothing else to do; returns a function that cancels it. */
export function whenIdle(act: () => void): () => void {
  // Safari has no idle callback.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, IDLE_MS);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(act, { timeout: IDLE_MS });
  return () => window.cancelIdleCallback(handle);
}

interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** False where the reader asked to save data, or the connection is slow. */
export function isCheapConnection(): boolean {
  const { saveData = false, effectiveType = '4g' } = (navigator as { connection?: Connection }).connection ?? {};
  return !saveData && !effectiveType.endsWith('2g');
}
