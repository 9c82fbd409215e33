export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;
export const IMAGE_EXTENSIONS = ['jpg', 'jpeg', 'png', 'gif'] as const;
/** C-018: delay from the last key to loading the link; the picker returns to random mode this long after success. */
export const LINK_DELAY_MS = 500;
export const BACK_DELAY_MS = 1000;

/** C-048: a web address. */
export function isWebAddress(text: string): boolean {
  try {
    const url = new URL(text);
    return (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname.includes('.');
  } catch {
    return false;
  }
}
