/** Rules of the forms of users. Pure. */
import type { Role } from '@/api/resources/roles';
import type { User } from '@/api/resources/users';

/** The role that everybody without another one has: not offered (S-069). */
const MINIMAL = 'Minimal';

/** Access data come only for accounts that the caller administers. */
export const isAdministeredUser = (user: User, platform: boolean): boolean => platform || user.disabled !== undefined;

export interface UserDraft {
  readonly username: string;
  readonly profilename: string;
  readonly email: string;
  readonly password: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  /** With a new password: its API keys end, too; as they do unless it is false. */
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

/** As the server reads names: letters, digits, `. @ + - _`. */
const USERNAME = /^[\p{L}\p{N}_@+-][\p{L}\p{N}_.@+-]{0,127}$/u;

export type UserDraftErrors = Partial<Record<'username' | 'profilename' | 'email' | 'password', string>>;

/** Keys of the words of what is wrong with the form, by field. */
export function userDraftErrors(draft: UserDraft, minimum: number, fresh: boolean): UserDraftErrors {
  const { username, profilename, email, password } = draft;
  return {
    ...(fresh && !USERNAME.test(username.trim()) && { username: 'user.usernameWrong' }),
    ...(!fresh && profilename.trim() === '' && { profilename: 'user.nameMissing' }),
    ...(email.trim() !== '' && !/^[^\s@]+@[^\s@]+$/.test(email.trim()) && { email: 'user.emailWrong' }),
    ...((fresh || password !== '') && password.length < minimum && { password: 'user.passwordShort' }),
  };
}

/** Roles one can be given: those of no group and of the groups of the user; held ones are always there. */
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
 * What has to be told to the server, in this order: groups are joined before roles are given, since a role of a group goes to its members only,
 * and left after, since leaving takes the group's roles away.
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

/** What one gave and took, done to the roles as they are now: somebody else may have given one meanwhile. */
export const applyRoleChanges = (now: readonly string[], { gained, lost }: Pick<UserUpdateSteps, 'gained' | 'lost'>): string[] => [
  ...new Set([...now.filter((role) => !lost.includes(role)), ...gained]),
];
