/**
 * What a principal may do in the interface (permissions.md sections 1 to 3). The server enforces permissions; this module only decides what
 * to show.
 */

export type Permissions = ReadonlySet<string>;

/** T-002: entries `role:X` are roles, the others permissions. */
export function splitPermissionsAndRoles(entries: readonly string[]): { permissions: string[]; roles: string[] } {
  const roles = entries.filter((entry) => entry.startsWith('role:')).map((entry) => entry.slice('role:'.length));
  return { permissions: entries.filter((entry) => !entry.startsWith('role:')), roles };
}

/** Exact, or covered by `family:*`. */
export function can(permissions: Permissions, name: string): boolean {
  if (permissions.has(name)) return true;
  const colon = name.indexOf(':');
  return colon > 0 && permissions.has(`${name.slice(0, colon)}:*`);
}

export function canAny(permissions: Permissions, names: readonly string[]): boolean {
  return names.some((name) => can(permissions, name));
}

export function hasPermissionPrefix(permissions: Permissions, prefix: string): boolean {
  return [...permissions].some((entry) => entry.startsWith(prefix));
}

/** The `see*` permissions of a project user; the guided tour requires all of them and `useSearch`. */
const TOUR_PERMISSIONS = [
  'seeTour',
  'seeHelp',
  'seeLogout',
  'seeLanguageBtn',
  'seeHomepage',
  'seeExplore',
  'seeDocuments',
  'seeLabels',
  'seeSuggestions',
  'seeExperiments',
  'seePlans',
  'seeGazetteers',
  'seeTest',
  'seeUiSettings',
  'seeUserProfile',
  'seeQuestionAnswering',
  'seeSearchCompare',
  'seeOverallStats',
  'seeCorpusStats',
  'seeDatasetStats',
  'seeModelStats',
  'seeSuggestersSettings',
  'seeAdvancedSettings',
  'seeMetadata',
  'seeSearchOptions',
  'seeSearchKnownAnswer',
  'seeProjectJobs',
  'seeCampaign',
  'useSearch',
] as const;

/** Capabilities derived from several permissions, by the rules of permissions.md section 2; their names are our own. */
const DERIVED = {
  seeDashboard: (p: Permissions) => canAny(p, ['seeCorpusStats', 'seeDatasetStats', 'seeModelStats']),
  seeSettings: (p: Permissions) => canAny(p, ['seeSuggestersSettings', 'seeAdvancedSettings']),
  seeAccountButton: (p: Permissions) => canAny(p, ['seeLogout', 'seeUserProfile']),
  userAdministrator: (p: Permissions) => hasPermissionPrefix(p, 'createUserIn:'),
  platformUserAdministrator: (p: Permissions) => p.has('createUserIn:*'),
  platformThemeAdmin: (p: Permissions) => p.has('readTheme:*'),
  platformProjectAdmin: (p: Permissions) => p.has('readProject:*'),
  mayWriteAnyGroup: (p: Permissions) => p.has('writeGroup:*'),
  tourAvailable: (p: Permissions) => TOUR_PERMISSIONS.every((name) => can(p, name)),
  projectActionMenu: (p: Permissions) => canAny(p, ['importDocuments', 'annotateCorpus', 'writeLabel', 'exportDocuments']),
} as const;

export type DerivedPermission = keyof typeof DERIVED;

/** True for a permission or one of the derived capabilities. */
export function allowed(permissions: Permissions, rule: string): boolean {
  const derived = (DERIVED as Record<string, ((p: Permissions) => boolean) | undefined>)[rule];
  return derived === undefined ? can(permissions, rule) : derived(permissions);
}

/** T-006: read-only unless the principal may write this project, or all projects. */
export function projectWritable(permissions: Permissions, project: string): boolean {
  return can(permissions, `writeProject:${project}`);
}
