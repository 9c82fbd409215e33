/** C-010: a part of the studio that has not come by then will not come. */
export const LOAD_TIMEOUT_MS = 120_000;

/** The screen, or an error that says that its code did not come in time. */
export async function loadScreen<T>(load: () => Promise<T>, timeout = LOAD_TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`This page did not load within ${timeout / 1000} s`)), timeout);
  });
  try {
    return await Promise.race([load(), late]);
  } finally {
    clearTimeout(timer);
  }
}
