/** C-033: at most 4 requests travel at once, at most 25 wait. */
export const MAX_RUNNING = 4;
export const MAX_WAITING = 25;

export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** Wraps a promise-returning task so that it waits for its turn. */
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
