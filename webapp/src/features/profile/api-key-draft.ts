import type { ApiKeyRequest } from '@/api/resources/api-keys';
import type { KeyAccess } from '@/blocks/api-keys/key-limits';

export const KEY_ACCESS_LEVELS: readonly KeyAccess[] = ['all', 'write', 'read', 'annotate'];
export type ProjectScope = 'all' | 'chosen' | 'pattern';
export type PermissionScope = 'all' | 'none' | 'chosen';
/** Days until a new key expires; 0 = never. */
export const DAYS = ['30', '90', '365', '0'] as const;
export type DaysToExpiry = (typeof DAYS)[number];

/** The form state of a new key. */
export interface ApiKeyDraft {
  readonly label: string;
  readonly may: KeyAccess;
  readonly where: ProjectScope;
  readonly projects: readonly string[];
  readonly pattern: string;
  readonly which: PermissionScope;
  readonly permissions: readonly string[];
  readonly days: DaysToExpiry;
}

export const NEW_KEY: ApiKeyDraft = {
  label: '',
  may: 'read',
  where: 'all',
  projects: [],
  pattern: '',
  which: 'all',
  permissions: [],
  days: '90',
};

const NOT_OFFERED = /^(createUserIn|writeGroup|assignRole|role):|^(read|write)Project:(?!\*)/;

/** Permissions a key can be restricted to: none for administration, none for single projects (which depend on ownership and shares). */
export const offeredPermissions = (held: Iterable<string>): readonly string[] => [...held].filter((one) => !NOT_OFFERED.test(one)).sort();

const escapeRegExp = (name: string) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export interface ApiKeyDraftErrors {
  readonly label?: 'labelMissing';
  readonly projects?: 'chosenMissing';
  readonly pattern?: 'patternMissing';
  readonly permissions?: 'permissionsMissing';
}

export function apiKeyDraftErrors(draft: ApiKeyDraft): ApiKeyDraftErrors {
  return {
    ...(draft.label.trim() === '' && { label: 'labelMissing' as const }),
    ...(draft.where === 'chosen' && draft.projects.length === 0 && { projects: 'chosenMissing' as const }),
    ...(draft.where === 'pattern' && draft.pattern.trim() === '' && { pattern: 'patternMissing' as const }),
    ...(draft.which === 'chosen' && draft.permissions.length === 0 && { permissions: 'permissionsMissing' as const }),
  };
}

const DAY_MS = 86_400_000;

/** The request for a draft. */
export function toApiKeyRequest(draft: ApiKeyDraft, now = Date.now()): ApiKeyRequest {
  const filter = draft.where === 'chosen' ? draft.projects.map(escapeRegExp).join('|') : draft.pattern.trim();
  return {
    label: draft.label.trim(),
    annotateOnly: draft.may === 'annotate',
    noPermissions: draft.which === 'none',
    ...((draft.may === 'read' || draft.may === 'write') && { projectAccessMode: draft.may }),
    ...(draft.where !== 'all' && { projectFilter: filter }),
    ...(draft.which === 'chosen' && { permissions: [...draft.permissions] }),
    ...(draft.days !== '0' && { expiresAt: new Date(now + Number(draft.days) * DAY_MS).toISOString() }),
  };
}
