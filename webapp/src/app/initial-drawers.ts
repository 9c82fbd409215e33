/** N-010: drawers that are open after a project is opened. */
import { useLayoutStore } from '@/state/layout-store';

/** Prefix of guided tour projects, where the tour decides what to open. */
export const TOUR_PROJECT_PREFIX = 'tour_';
const WITH_FILTERS = ['explore', 'documents'] as const;

/** Opens the navigation, and the filters on the explorer and document screens. */
export function openInitialDrawers(project: string, path: string): void {
  const { setLanding, setDrawer } = useLayoutStore.getState();
  setLanding(project.startsWith(TOUR_PROJECT_PREFIX) ? null : path);
  const screen = WITH_FILTERS.find((name) => path === `/${name}` || path.startsWith(`/${name}/`));
  if (screen !== undefined) setDrawer(screen, 'filters', true);
}
