/** Loads the code of the screen that is likely to be next, while nothing else is to do. */
import { useEffect } from 'react';
import { whenIdle } from './when-idle';
import { ROUTES } from './routes';

/** What people open next, from each screen. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  signin: ['home'],
  home: ['documents', 'dashboard'],
  dashboard: ['documents'],
  documents: ['suggestions'],
  labels: ['documents'],
  suggestions: ['experiments'],
};

type Load = () => Promise<unknown>;

const PARTS_OF_SHELL: readonly Load[] = [() => import('@/app/shell/shell')];
/** Opened by the first click on any screen: it should not wait for them. */
const PARTS: readonly Load[] = [() => import('@/ui/menu-popup'), () => import('@/ui/dialog'), () => import('@/app/shell/studio-palette')];

interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** False where the reader asked to save data, or the connection is slow. */
function isCheap(): boolean {
  const { saveData = false, effectiveType = '4g' } = (navigator as { connection?: Connection }).connection ?? {};
  return !saveData && !effectiveType.endsWith('2g');
}

const loaded = new Set<string>();

/** Loads the screens after `route`, each once; a failure is left to the navigation, which tries again and reports it. */
export async function loadAhead(route: string): Promise<void> {
  if (!isCheap()) return;
  const next = (NEXT[route] ?? []).filter((id) => !loaded.has(id));
  for (const part of route === 'signin' ? PARTS_OF_SHELL : PARTS) await part().catch(() => undefined);
  // One after the other: a screen that is opened meanwhile does not wait for them.
  for (const row of ROUTES.filter(({ id }) => next.includes(id)))
    await row.load().then(
      () => loaded.add(row.id),
      () => undefined,
    );
}

export function useLoadAhead(route: string): void {
  useEffect(() => (route === '' ? undefined : whenIdle(() => void loadAhead(route))), [route]);
}
