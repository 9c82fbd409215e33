/** N-010: what is open when a project has just been opened. */
import { useLayoutStore } from '@/state/layout-store';

/** Names of the projects of guided tours begin so: there the tour says what to open. */
export const TOUR_PROJECT_PREFIX = 'tour_';
const WITH_FILTERS = ['explore', 'documents'] as const;

/** The navigation opens, and on the explorer and the documents the filters too. */
export function openInitialDrawers(project: string, path: string): void {
  const { setLanding, setDrawer } = useLayoutStore.getState();
  setLanding(project.startsWith(TOUR_PROJECT_PREFIX) ? null : path);
  const screen = WITH_FILTERS.find((name) => path === `/${name}` || path.startsWith(`/${name}/`));
  if (screen !== undefined) setDrawer(screen, 'filters', true);
}
