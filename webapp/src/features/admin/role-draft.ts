/** Rules of the role list and form. Pure. */
import type { Role } from '@/api/resources/roles';

export type RoleDialogMode = 'create' | 'clone' | 'edit' | 'look';

/** Without Minimal; built-in roles first, then by name. */
export function shownRoles(roles: readonly Role[], labelOf: (role: Role) => string): Role[] {
  return roles
    .filter(({ rolename }) => rolename !== 'Minimal')
    .sort((a, b) => Number(b.predefined === true) - Number(a.predefined === true) || labelOf(a).localeCompare(labelOf(b)));
}

export interface RoleSection {
  /** Of the product; for everybody; of one group. */
  readonly kind: 'product' | 'everybody' | 'group';
  /** Technical name of the group. */
  readonly group: string;
  readonly roles: readonly Role[];
}

/** The roles by whom they belong to, in the order of the list; sections without roles are left out. */
export function roleSections(roles: readonly Role[]): RoleSection[] {
  const groups = [...new Set(roles.flatMap(({ predefined, groupName }) => (predefined !== true && groupName ? [groupName] : [])))];
  const own = roles.filter(({ predefined }) => predefined !== true);
  const sections: RoleSection[] = [
    { kind: 'product', group: '', roles: roles.filter(({ predefined }) => predefined === true) },
    { kind: 'everybody', group: '', roles: own.filter(({ groupName }) => !groupName) },
    ...groups.map((group): RoleSection => ({ kind: 'group', group, roles: own.filter(({ groupName }) => groupName === group) })),
  ];
  return sections.filter((section) => section.roles.length > 0);
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
