import type { ApiKey } from '@/api/resources/api-keys';

export type KeyAccess = 'all' | 'write' | 'read' | 'annotate';

/** The access of a key, and whether it has other restrictions. */
export function apiKeyLimits(key: ApiKey): { readonly may: KeyAccess | 'chmod'; readonly limited: boolean } {
  const limited = key.projectFilter !== undefined || key.noPermissions || key.permissions !== undefined;
  if (key.annotateOnly) return { may: 'annotate', limited };
  const mode = key.projectAccessMode;
  if (mode === 'read' || mode === 'write') return { may: mode, limited };
  return { may: limited ? 'chmod' : 'all', limited };
}
