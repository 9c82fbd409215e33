import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '@/api/resources/projects';
import { allowed } from '@/state/permissions';
import { useProjectName, useSessionStore } from '@/state/session-store';
import { NAVIGATION, ROUTES } from '@/app/routes';
import type { NavigationRow, ProjectNature, RouteRow } from '@/app/route-types';

export interface NavigationEntry {
  readonly entry: NavigationRow;
  readonly row: RouteRow;
}

/** W-008: the screens of the project that the user may see, in order. */
export function useNavigationEntries(): NavigationEntry[] {
  const permissions = useSessionStore((state) => state.permissions);
  const { data: project } = useQuery({ ...projectQuery(useProjectName()), meta: { silent: true } });
  return NAVIGATION.flatMap((entry) => {
    const row = ROUTES.find((route) => route.id === entry.route);
    if (row === undefined) return [];
    if (row.rule !== undefined && !allowed(permissions, row.rule)) return [];
    const natures = entry.natures ?? row.natures;
    if (natures !== undefined && !natures.includes(project?.nature as ProjectNature)) return [];
    return [{ entry, row }];
  });
}
