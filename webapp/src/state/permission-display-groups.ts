/** Permissions as grouped in the role editor: `see*`, one group per component kind, the rest, and projects. */
const KIND = /^use([A-Z]\w*):/;
const PROJECT = /^(read|write)Project:/;

export type GroupName = 'ui' | 'general' | 'projects' | `use${string}`;

export interface PermissionGroup {
  readonly name: GroupName;
  readonly permissions: readonly string[];
}

function groupOf(permission: string): GroupName {
  if (permission.startsWith('see')) return 'ui';
  if (PROJECT.test(permission)) return 'projects';
  const kind = KIND.exec(permission)?.[1];
  return kind === undefined ? 'general' : `use${kind}`;
}

const RANK = ['ui', 'general', 'projects'];
const rank = (name: string) => (RANK.includes(name) ? RANK.indexOf(name) : RANK.length);

/** Groups in a fixed order, each in alphabetical order. */
export function groupPermissions(permissions: Iterable<string>): PermissionGroup[] {
  const groups = new Map<GroupName, string[]>();
  for (const permission of [...permissions].sort()) {
    const name = groupOf(permission);
    groups.set(name, [...(groups.get(name) ?? []), permission]);
  }
  return [...groups]
    .map(([name, list]) => ({ name, permissions: list }))
    .sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name));
}

const TYPES: readonly string[] = ['system', 'functional'];
export type RoleType = 'system' | 'functional';

/** E-057: an unknown type is logged to the console, and the role is shown without one. */
export function roleType(rolename: string, type: string | undefined): RoleType | null {
  if (type !== undefined && TYPES.includes(type)) return type as RoleType;
  console.warn(`The role ${rolename} has an unknown type`, type);
  return null;
}
