import { create } from 'zustand';
import { allowed, projectWritable, splitPermissionsAndRoles, type Permissions } from './permissions';
import { readStored, writeStored } from './storage';

export interface UiConfig {
  readonly documentLevelAccessControl?: { enabled?: boolean; showWarningMessage?: boolean };
  /** Address of the back button. */
  readonly backButton?: string;
  readonly aiUsageWarning?: boolean;
  readonly userFeedbacks?: boolean;
  readonly annotationDetails?: { entityFishing?: boolean; wikipediaImage?: boolean };
  readonly passwordPolicy?: { minLength?: number };
  readonly maxLabelsCount?: number;
  readonly sso?: boolean;
  readonly corporation?: string;
  readonly airGapped?: boolean;
  readonly available?: { natures?: string[]; features?: string[] };
  readonly logoutRedirectUrl?: string;
  readonly session?: { expiresInMinutes?: number };
  /** Whether the server sends e-mail. */
  readonly emailNotifications?: boolean;
}

export interface Principal {
  readonly username: string;
  readonly profilename: string;
  readonly ssoLogin: boolean;
}

/** T-001: not initialised, then authenticated or not. */
export type SessionStatus = 'unknown' | 'anonymous' | 'signedIn';

interface SessionState {
  readonly status: SessionStatus;
  readonly config: UiConfig;
  readonly principal: Principal | null;
  readonly permissions: Permissions;
  readonly roles: readonly string[];
  /** Only the name; the project itself is in the query cache. */
  readonly projectName: string | null;
  /** Whether the open project is read-only, according to the server: owner and share recipients have no `writeProject` permission entry. */
  readonly projectReadOnly: boolean | null;
  /** T-007, D-007: access to the open project was removed while it was open. */
  readonly kicked: boolean;
  /** T-005: the session expired; the screen stays, covered, until the same user signs in again. */
  readonly ended: boolean;
  setConfig(config: UiConfig): void;
  signIn(principal: Principal, entries: readonly string[]): void;
  /** B-005: replaces the rights by those the server reports now. */
  setRights(entries: readonly string[]): void;
  signOut(): void;
  openProject(name: string | null): void;
  setProjectReadOnly(readOnly: boolean | null): void;
  setKicked(kicked: boolean): void;
  setEnded(ended: boolean): void;
}

const NONE: Permissions = new Set<string>();

export const useSessionStore = create<SessionState>((set) => ({
  status: 'unknown',
  config: {},
  principal: null,
  permissions: NONE,
  roles: [],
  projectName: readStored<string>('project'),
  projectReadOnly: null,
  kicked: false,
  ended: false,
  setConfig: (config) => set({ config }),
  signIn: (principal, entries) => {
    const { permissions, roles } = splitPermissionsAndRoles(entries);
    writeStored('username', principal.username);
    set({ status: 'signedIn', ended: false, principal, permissions: new Set(permissions), roles });
  },
  setRights: (entries) => {
    const { permissions, roles } = splitPermissionsAndRoles(entries);
    set({ permissions: new Set(permissions), roles });
  },
  signOut: () => {
    writeStored('username', null);
    writeStored('project', null);
    const nobody = { principal: null, permissions: NONE, roles: [], projectName: null, projectReadOnly: null };
    set({ ...nobody, status: 'anonymous', kicked: false, ended: false });
  },
  openProject: (name) => {
    writeStored('project', name);
    set({ projectName: name, projectReadOnly: null, kicked: false });
  },
  setProjectReadOnly: (projectReadOnly) => set({ projectReadOnly }),
  setKicked: (kicked) => set({ kicked }),
  setEnded: (ended) => set({ ended }),
}));

/** `useCan('writeLabel')`, `useCan('seeDashboard')`: a permission or a derived capability. */
export function useCan(rule: string): boolean {
  return useSessionStore((state) => allowed(state.permissions, rule));
}

/** The open project's name; never empty on screens with `needsProject`. */
export function useProjectName(): string {
  return useSessionStore((state) => state.projectName) ?? '';
}

/** T-006: false hides or disables configure, import, annotate and delete. */
export function useProjectWritable(): boolean {
  return useSessionStore(
    ({ projectName, projectReadOnly, permissions }) =>
      projectName !== null && (projectReadOnly === false || projectWritable(permissions, projectName)),
  );
}
