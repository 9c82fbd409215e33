/** The navigation guard as a pure function: rules N-002 to N-007 in order (N-001, waiting, is done by the loader). */
import { allowed, type Permissions } from '@/state/permissions';
import type { SessionStatus } from '@/state/session-store';
import type { ProjectNature, RouteRow } from './route-types';

export interface GuardInput {
  readonly status: Exclude<SessionStatus, 'unknown'>;
  readonly permissions: Permissions;
  readonly route: Pick<RouteRow, 'id' | 'path' | 'rule' | 'needsProject' | 'natures' | 'anonymous'>;
  /** Path with its query, to return to after signing in. */
  readonly path: string;
  readonly project: { readonly name: string; readonly nature?: string | undefined } | null;
}

export type Verdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'redirect'; readonly to: string }
  /** N-006 */
  | { readonly kind: 'noRights' }
  /** N-007, E-026 */
  | { readonly kind: 'wrongNature'; readonly to: string };

export const HOME = '/home';
export const PROFILE = '/profile';

function fallbackRoute(permissions: Permissions): string | null {
  if (allowed(permissions, 'seeHomepage')) return HOME;
  return allowed(permissions, 'seeUserProfile') ? PROFILE : null;
}

function verdictForAnonymousRoute(route: GuardInput['route'], signedIn: boolean, permissions: Permissions): Verdict {
  return signedIn && route.id === 'signin' ? { kind: 'redirect', to: fallbackRoute(permissions) ?? HOME } : { kind: 'allow' };
}

function verdictForRefusedRoute(route: GuardInput['route'], permissions: Permissions): Verdict {
  const to = fallbackRoute(permissions);
  return to === null || to === route.path ? { kind: 'noRights' } : { kind: 'redirect', to };
}

export function checkNavigation({ status, permissions, route, path, project }: GuardInput): Verdict {
  const signedIn = status === 'signedIn';
  if (route.anonymous === true) return verdictForAnonymousRoute(route, signedIn, permissions);
  if (!signedIn) return { kind: 'redirect', to: `/signin?redirect=${encodeURIComponent(path)}` };
  if (route.needsProject === true && project === null) return { kind: 'redirect', to: HOME };
  if (route.rule !== undefined && !allowed(permissions, route.rule)) return verdictForRefusedRoute(route, permissions);
  if (route.natures !== undefined && !route.natures.includes(project?.nature as ProjectNature))
    return { kind: 'wrongNature', to: fallbackRoute(permissions) ?? PROFILE };
  return { kind: 'allow' };
}
