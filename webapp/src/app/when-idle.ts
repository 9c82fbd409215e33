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
