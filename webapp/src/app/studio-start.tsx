/** The studio: router, query cache, shell and home. Loaded by the first page (`first-page.tsx`), for people who are signed in. */
import type { ReactElement } from 'react';
import { createStudioRouter } from './router';
import { Studio } from './studio';

export { loadAhead } from './load-ahead';
export { openSession } from './session-lifecycle';

/** The studio at the present address, once it can show the page: until then the caller shows the page before. */
export async function openStudio(): Promise<ReactElement> {
  const router = createStudioRouter();
  if (!router.state.initialized) {
    await new Promise<void>((ready) => {
      const stop = router.subscribe(({ initialized }) => {
        if (!initialized) return;
        stop();
        ready();
      });
    });
  }
  return <Studio router={router} />;
}
