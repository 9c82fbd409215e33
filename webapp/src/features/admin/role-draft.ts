/** Rules of the role list and form. Pure. */
import type { Role } from '@/api/resources/roles';

export type RoleDialogMode = 'create' | 'clone' | 'edit' | 'look';

/** Without Minimal; built-in roles first, then by name. */
export function shownRoles(roles: readonly Role[], labelOf: (role: Role) => string): Role[] {
  return roles
    .filter(({ rolename }) => rolename !== 'Minimal')
    .sort((a, b) => Number(b.predefined === true) - Number(a.predefined === true) || labelOf(a).localeCompare(labelOf(b)));
}

export interface RoleDraft {
  readonly label: string;
  readonly description: string;
  readonly type: 'system' | 'functional';
  /** Technical name of its group; empty: a platform role. */
  readonly group: string;
  readonly restricted: boolean;
  readonly permissions: readonly string[];
}

/** T-044: an independent draft; closing without saving leaves the role unchanged. */
export function toRoleDraft(
  role: Role | undefined,
  mode: RoleDialogMode,
  words: { readonly label: string; readonly description: string },
): RoleDraft {
  if (role === undefined) return { label: '', description: '', type: 'functional', group: '', restricted: false, permissions: [] };
  return {
    label: words.label,
    description: words.description,
    type: role.type === 'system' && mode !== 'clone' ? 'system' : 'functional',
    group: role.groupName ?? '',
    restricted: role.restricted === true && mode !== 'clone',
    permissions: role.permissions,
  };
}

/** All assignable permissions, and those the role has beyond them (a permission on one project). */
export const offeredPermissions = (all: readonly string[], held: readonly string[]): string[] => [...new Set([...all, ...held])].sort();
