/** Rules of the list and the form of roles. Pure. */
import type { Role } from '@/api/resources/roles';

export type RoleDialogMode = 'create' | 'clone' | 'edit' | 'look';

/** Minimal stays out of sight; those of the product first, then by name. */
export function shownRoles(roles: readonly Role[], labelOf: (role: Role) => string): Role[] {
  return roles
    .filter(({ rolename }) => rolename !== 'Minimal')
    .sort((a, b) => Number(b.predefined === true) - Number(a.predefined === true) || labelOf(a).localeCompare(labelOf(b)));
}

export interface RoleDraft {
  readonly label: string;
  readonly description: string;
  readonly type: 'system' | 'functional';
  /** Technical name of the group it belongs to; empty: of the platform. */
  readonly group: string;
  readonly restricted: boolean;
  readonly permissions: readonly string[];
}

/** T-044: a draft of the form's own; closing it without saving leaves the role as it was. */
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

/** All that can be given, and what the role holds beyond it (a right on one project). */
export const offeredPermissions = (all: readonly string[], held: readonly string[]): string[] => [...new Set([...all, ...held])].sort();
