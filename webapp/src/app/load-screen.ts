/** C-010: timeout for loading the code of a screen. */
export const LOAD_TIMEOUT_MS = 120_000;

/** The code of a screen could not be loaded: the server is unreachable, or now serves another version of the web app. */
export class ScreenUnavailableError extends Error {
  override readonly name = 'ScreenUnavailableError';
}

/** Loads the screen; throws a `ScreenUnavailableError` on failure or timeout. */
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
