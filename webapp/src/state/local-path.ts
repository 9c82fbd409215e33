const HERE = 'http://studio.invalid';

/** Redirects never leave the web app: accepts only paths of our own origin, except the sign-in page. Null otherwise. */
export function safeLocalPath(target: string | null): string | null {
  if (target === null || !/^\/(?![/\\])/.test(target) || target.includes('\\')) return null;
  try {
    const url = new URL(target, HERE);
    return url.origin === HERE && !url.pathname.startsWith('/signin') ? `${url.pathname}${url.search}${url.hash}` : null;
  } catch {
    return null;
  }
}
