/** Rules of the group form. Pure. */
import { UNLIMITED, type Group, type GroupChange } from '@/api/resources/groups';

/** C-041: -1 = unlimited. */
export const LIMITS = ['maxUsers', 'maxProjects', 'maxProjectsPerUser', 'maxDocsPerProject'] as const;
type Limit = (typeof LIMITS)[number];

export interface GroupDraft extends Readonly<Record<Limit, string>> {
  readonly label: string;
  readonly loginAllowed: boolean;
  readonly attachedRoles: readonly string[];
  readonly systemAttachedRoles: readonly string[];
  readonly identifier: string;
}

const FRESH = {
  label: '',
  loginAllowed: true,
  maxUsers: UNLIMITED,
  maxProjects: UNLIMITED,
  maxProjectsPerUser: UNLIMITED,
  maxDocsPerProject: UNLIMITED,
  attachedRoles: [],
  systemAttachedRoles: [],
};

const limitAsText = (limit: number) => (limit === UNLIMITED ? '' : String(limit));

export function toGroupDraft(group: Group | undefined): GroupDraft {
  const { label, loginAllowed, attachedRoles, systemAttachedRoles, ...limits } = group ?? FRESH;
  return {
    label,
    loginAllowed,
    attachedRoles,
    systemAttachedRoles,
    identifier: group?.identifier ?? '',
    ...(Object.fromEntries(LIMITS.map((name) => [name, limitAsText(limits[name])])) as Record<Limit, string>),
  };
}

const isLimitText = (text: string) => /^\d{1,9}$/.test(text.trim());

/** Invalid fields: keys of the error texts. */
export function groupDraftErrors(draft: GroupDraft): Partial<Record<'label' | Limit, string>> {
  return {
    ...(draft.label.trim() === '' && { label: 'group.nameMissing' }),
    ...Object.fromEntries(
      LIMITS.filter((name) => draft[name].trim() !== '' && !isLimitText(draft[name])).map((name) => [name, 'group.limitWrong']),
    ),
  };
}

const parseLimit = (text: string) => (text.trim() === '' ? UNLIMITED : Number(text));

/** The complete form as a request body. */
function groupRequestBody(draft: GroupDraft) {
  const identifier = draft.identifier.trim();
  return {
    label: draft.label.trim(),
    loginAllowed: draft.loginAllowed,
    attachedRoles: [...draft.attachedRoles],
    systemAttachedRoles: [...draft.systemAttachedRoles],
    identifier: identifier === '' ? null : identifier,
    ...(Object.fromEntries(LIMITS.map((name) => [name, parseLimit(draft[name])])) as Record<Limit, number>),
  };
}

/** Request body of a new group. */
export const groupCreationBody = (draft: GroupDraft) => groupRequestBody(draft);

/** Only changed fields: administrators of a single group may not send its limits, which only the platform may set. */
export function changedGroupFields(before: GroupDraft, after: GroupDraft): GroupChange {
  const old = groupRequestBody(before);
  return Object.fromEntries(
    Object.entries(groupRequestBody(after)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof typeof old]),
    ),
  );
}
