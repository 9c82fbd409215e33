/** Rules of the user forms. Pure. */
import type { Role } from '@/api/resources/roles';
import type { User } from '@/api/resources/users';

/** The role of users without any other one: not offered (S-069). */
const MINIMAL = 'Minimal';

/** The server sends access data only for accounts that the caller administers. */
export const isAdministeredUser = (user: User, platform: boolean): boolean => platform || user.disabled !== undefined;

export interface UserDraft {
  readonly username: string;
  readonly profilename: string;
  readonly email: string;
  readonly password: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  /** With a new password: whether its API keys are revoked too; true by default. */
  readonly revokeKeys?: boolean;
}

export const toUserDraft = (user: User): UserDraft => ({
  username: user.username,
  profilename: user.profilename,
  email: user.email ?? '',
  password: '',
  groups: (user.groups ?? []).map(({ name }) => name),
  roles: user.roles ?? [],
});

/** Usernames as validated by the server: letters, digits, `. @ + - _`. */
const USERNAME = /^[\p{L}\p{N}_@+-][\p{L}\p{N}_.@+-]{0,127}$/u;

export type UserDraftErrors = Partial<Record<'username' | 'profilename' | 'email' | 'password', string>>;

/** Keys of the error texts, by field. */
export function userDraftErrors(draft: UserDraft, minimum: number, fresh: boolean): UserDraftErrors {
  const { username, profilename, email, password } = draft;
  return {
    ...(fresh && !USERNAME.test(username.trim()) && { username: 'user.usernameWrong' }),
    ...(!fresh && profilename.trim() === '' && { profilename: 'user.nameMissing' }),
    ...(email.trim() !== '' && !/^[^\s@]+@[^\s@]+$/.test(email.trim()) && { email: 'user.emailWrong' }),
    ...((fresh || password !== '') && password.length < minimum && { password: 'user.passwordShort' }),
  };
}

/** Assignable roles: platform roles and those of the user's groups; assigned roles are always included. */
export function offeredRoles(roles: readonly Role[], draft: Pick<UserDraft, 'groups' | 'roles'>): Role[] {
  return roles.filter(
    ({ rolename, groupName }) =>
      draft.roles.includes(rolename) || (rolename !== MINIMAL && (groupName === undefined || draft.groups.includes(groupName))),
  );
}

export interface UserUpdateSteps {
  readonly profile?: {
    readonly profilename?: string;
    readonly email?: string | null;
    readonly password?: string;
    readonly revokeKeys?: boolean;
  };
  readonly joins: readonly string[];
  readonly leaves: readonly string[];
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

const itemsMissingFrom = (from: readonly string[], of: readonly string[]) => of.filter((one) => !from.includes(one));

/**
 * The steps of an update, in order: groups are joined before roles are assigned, since a role of a group is for members only, and left
 * afterwards, since leaving a group removes its roles.
 */
export function userUpdateSteps(before: UserDraft, after: UserDraft): UserUpdateSteps {
  const profile = {
    ...(after.profilename.trim() !== before.profilename && { profilename: after.profilename.trim() }),
    ...(after.email.trim() !== before.email && { email: after.email.trim() === '' ? null : after.email.trim() }),
    ...(after.password !== '' && { password: after.password, ...(after.revokeKeys === false && { revokeKeys: false }) }),
  };
  return {
    ...(Object.keys(profile).length > 0 && { profile }),
    joins: itemsMissingFrom(before.groups, after.groups),
    leaves: itemsMissingFrom(after.groups, before.groups),
    gained: itemsMissingFrom(before.roles, after.roles),
    lost: itemsMissingFrom(after.roles, before.roles),
  };
}

export const hasNoSteps = ({ profile, joins, leaves, gained, lost }: UserUpdateSteps): boolean =>
  profile === undefined && joins.length + leaves.length + gained.length + lost.length === 0;

/** Applies the changes to the present roles, as somebody else may have changed them meanwhile. */
export const applyRoleChanges = (now: readonly string[], { gained, lost }: Pick<UserUpdateSteps, 'gained' | 'lost'>): string[] => [
  ...new Set([...now.filter((role) => !lost.includes(role)), ...gained]),
];
