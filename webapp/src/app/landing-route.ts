import type { ProjectNature, RouteRow } from './route-types';
import { allowed, type Permissions } from '@/state/permissions';

/** The complete order, including screens that do not exist yet: routes missing in the table are skipped. */
export const LANDING_ORDER = [
  'documents',
  'explore',
  'labels',
  'test',
  'dashboard',
  'experiments',
  'plans',
  'gazetteers',
  'settings',
  'jobs',
  'suggestions',
  'campaign',
  'profile',
];
const QUESTION_FIRST = ['answers', 'compare-search'];

export interface LandingProject {
  readonly nature?: string | undefined;
  readonly routeOnOpenProject?: string | undefined;
  /** What follows the screen in the address that opens the project: its tab, its search. */
  readonly rest?: string | undefined;
}

function allowedRoutePath(name: string, project: LandingProject, permissions: Permissions, routes: readonly RouteRow[]): string | null {
  const wanted = name.replace(/^\//, '');
  const row = routes.find((route) => route.id === wanted || route.path === `/${wanted}`);
  if (row === undefined) return null;
  if (row.rule !== undefined && !allowed(permissions, row.rule)) return null;
  if (row.natures !== undefined && !row.natures.includes(project.nature as ProjectNature)) return null;
  const rest = name === project.routeOnOpenProject && row.params !== undefined ? (project.rest ?? '') : '';
  return rest === '' ? (row.to ?? row.path) : `${row.path}/${rest}`;
}

/** N-008, N-009: landing path of an opened project; null when no screen is permitted (E-027). */
export function landingPath(project: LandingProject, permissions: Permissions, routes: readonly RouteRow[]): string | null {
  const order = project.nature === 'question_answering' ? [...QUESTION_FIRST, ...LANDING_ORDER] : LANDING_ORDER;
  const names = project.routeOnOpenProject ? [project.routeOnOpenProject, ...order] : order;
  for (const name of names) {
    const path = allowedRoutePath(name, project, permissions, routes);
    if (path !== null) return path;
  }
  return null;
}
