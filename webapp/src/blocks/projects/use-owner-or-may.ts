import type { Project } from '@/api/resources/projects';
import { useCan, useSessionStore } from '@/state/session-store';

/** True for the owner, and for users with the permission if `writable`. */
export function useIsOwnerOrMay(permission: string, info: Pick<Project, 'owner'> | undefined, writable: boolean): boolean {
  const me = useSessionStore((state) => state.principal?.username);
  const held = useCan(permission);
  return (info?.owner !== undefined && info.owner?.username === me) || (held && writable);
}
