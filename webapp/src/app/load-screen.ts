/** C-010: a part of the studio that has not come by then will not come. */
export const LOAD_TIMEOUT_MS = 120_000;

/** The code of a screen did not come: no server, or another version of the studio is served by now. */
export class ScreenUnavailableError extends Error {
  override readonly name = 'ScreenUnavailableError';
}

/** The screen, or a `ScreenUnavailableError` when its code did not come, or not in time. */
export async function loadScreen<T>(load: () => Promise<T>, timeout = LOAD_TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ScreenUnavailableError(`This page did not load within ${timeout / 1000} s`)), timeout);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (reason) {
    throw reason instanceof ScreenUnavailableError
      ? reason
      : new ScreenUnavailableError(reason instanceof Error ? reason.message : String(reason));
  } finally {
    clearTimeout(timer);
  }
}
