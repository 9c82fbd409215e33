/** C-033: at most 4 requests run at the same time, at most 25 wait. */
export const MAX_RUNNING = 4;
export const MAX_WAITING = 25;

export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** Returns a wrapper that delays a promise-returning task until a slot is free. */
export function createLimiter(running = MAX_RUNNING, waiting = MAX_WAITING) {
  let active = 0;
  const queue: (() => void)[] = [];
  return async function limited<T>(task: () => Promise<T>): Promise<T> {
    if (active >= running) {
      if (queue.length >= waiting) throw new QueueFullError('Too many requests are waiting');
      await new Promise<void>((go) => queue.push(go));
    }
    active += 1;
    try {
      return await task();
    } finally {
      active -= 1;
      queue.shift()?.();
    }
  };
}
