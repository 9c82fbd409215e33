import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH, type Schemas } from '@/api/client';
import { ApiError } from '@/api/errors';

export type Profile = Schemas['UserProfile'];
/** For account administrators with e-mail, roles, directly assigned permissions and state; for others only the names. */
export type User = Schemas['UserResponse'];

export const userKeys = {
  all: ['users'] as const,
  profile: (username: string) => [...userKeys.all, 'profile', username] as const,
  groups: (username: string) => [...userKeys.all, 'groups', username] as const,
  list: () => [...userKeys.all, 'list'] as const,
};

/** Details of a user; for the caller's own account `permissions` are the effective ones, including those of roles. */
export const fetchUser = (username: string) => call(client.GET('/users/{username}', { params: { path: { username } } }));

export const profileQuery = (username: string) =>
  queryOptions({
    queryKey: userKeys.profile(username),
    queryFn: () => call(client.GET('/users/{username}/profile', { params: { path: { username } } })),
    enabled: username !== '',
    meta: { errorTitle: 'getProfile' },
  });

export const patchProfile = (username: string, body: Schemas['UserProfileUpdate']) =>
  call(client.PATCH('/users/{username}/profile', { params: { path: { username } }, body, ...MERGE_PATCH }));

export const userGroupsQuery = (username: string) =>
  queryOptions({
    queryKey: userKeys.groups(username),
    queryFn: () => call(client.GET('/users/{username}/groups', { params: { path: { username } } })),
    enabled: username !== '',
    meta: { silent: true },
  });

interface IdpGroup {
  readonly identifier?: string;
  readonly name?: string;
  readonly label?: string;
}

/** Groups of the identity provider, their identifier as name; 404: there are none (E-050). */
export const idpGroupsQuery = (username: string) =>
  queryOptions({
    queryKey: [...userKeys.groups(username), 'idp'],
    queryFn: async () => {
      const { data, response } = await client.GET('/oauth2/me/idp-groups', {});
      if (response.status === 404) return [];
      if (!response.ok) throw new ApiError(response.status, null, response.statusText);
      return ((data ?? []) as readonly IdpGroup[]).flatMap(({ identifier, name, label }) => {
        const key = identifier ?? name ?? '';
        return key === '' ? [] : [{ name: key, label: label ?? name ?? key }];
      });
    },
    enabled: username !== '',
    meta: { silent: true },
  });

/** E-049: these statuses mean already signed out. */
export async function signOutOnServer(): Promise<void> {
  const { response } = await client.POST('/auth/logout', {});
  if (!response.ok && ![401, 405, 503].includes(response.status)) throw new ApiError(response.status, null, response.statusText);
}

export type SignIn = Schemas['SignInRead'];

export const signInsQuery = (username: string) =>
  queryOptions({
    queryKey: [...userKeys.all, 'signIns', username],
    queryFn: () => call(client.GET('/users/{username}/sign_ins', { params: { path: { username } } })),
    enabled: username !== '',
    meta: { silent: true },
  });

export const endSignIn = (username: string, identifier: string) =>
  call(client.DELETE('/users/{username}/sign_ins/{identifier}', { params: { path: { username, identifier } } }));

export const endOtherSignIns = (username: string) => call(client.DELETE('/users/{username}/sign_ins', { params: { path: { username } } }));

/** Users the caller may see, with the details the caller may read. */
export const usersQuery = () =>
  queryOptions({
    queryKey: userKeys.list(),
    queryFn: async (): Promise<readonly User[]> => (await call(client.GET('/users', { params: { query: { adminData: true } } }))).users,
    meta: { silent: true },
  });

export const createUser = (body: Schemas['NewUser']) => call(client.POST('/users', { params: {}, body }));

export const updateUser = (username: string, body: Schemas['UserPermissionsUpdate']) =>
  call(client.PATCH('/users/{username}', { params: { path: { username } }, body, ...MERGE_PATCH }));

/** Also deletes projects of the user that are in no group. */
export const deleteUser = (username: string) =>
  call(client.DELETE('/users/{username}', { params: { path: { username }, query: { cascade: true } } }));

export const addToGroups = (username: string, groupName: string[]) =>
  call(client.POST('/users/{username}/groups', { params: { path: { username }, query: { groupName } } }));

/** Also removes roles that belong to these groups. */
export const removeFromGroups = (username: string, groupName: string[]) =>
  call(client.DELETE('/users/{username}/groups', { params: { path: { username }, query: { groupName } } }));
