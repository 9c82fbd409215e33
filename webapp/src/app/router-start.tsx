import { useEffect, useState } from 'react';
import { ensureStarted } from './session-lifecycle';
import { StartScreen } from './start-screen';

/** Shown by the router until its first page is ready; tells why the start failed (E-061). */
export function RouterStart() {
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    ensureStarted().catch((reason: unknown) => {
      console.error('The studio could not start', reason);
      setError(reason);
    });
  }, []);
  return <StartScreen error={error} />;
}
