import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH, type Schemas } from '@/api/client';
import { idempotencyHeader } from '@/api/idempotency';

export type Role = Schemas['RoleDesc'];
export type NewRole = Schemas['NewRole'];

export const roleKeys = {
  all: ['roles'] as const,
};

export const rolesQuery = () =>
  queryOptions({ queryKey: [...roleKeys.all, 'list'], queryFn: () => call(client.GET('/roles', {})), meta: { silent: true } });

/** All permissions, including those for the installed components. */
export const permissionsQuery = () =>
  queryOptions({
    queryKey: [...roleKeys.all, 'permissions'],
    queryFn: () => call(client.GET('/permissions', {})),
    meta: { silent: true },
  });

/** A restricted role can only be assigned by platform user administrators. */
export const createRole = (body: NewRole, restricted: boolean) =>
  call(client.POST('/roles', { params: { query: { restricted } }, body, headers: idempotencyHeader() }));

export const updateRole = (rolename: string, body: Schemas['RoleUpdate']) =>
  call(client.PATCH('/roles/{rolename}', { params: { path: { rolename } }, body, ...MERGE_PATCH }));

export const deleteRole = (rolename: string) => call(client.DELETE('/roles/{rolename}', { params: { path: { rolename } } }));
