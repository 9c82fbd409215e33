import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH, type Schemas } from '@/api/client';
import { idempotencyHeader } from '@/api/idempotency';

/** Limits are counts, -1 = unlimited (C-041). */
export type Group = Schemas['GroupDesc'];
export type GroupChange = Schemas['GroupPatch'];

export const UNLIMITED = -1;

export const groupKeys = {
  all: ['groups'] as const,
};

export const groupsQuery = () =>
  queryOptions({
    queryKey: [...groupKeys.all, 'list'],
    queryFn: () => call(client.GET('/groups', { params: { query: {} } })),
    meta: { silent: true },
  });

export const createGroup = (body: Schemas['NewGroupDesc']) =>
  call(client.POST('/groups', { params: {}, body, headers: idempotencyHeader() }));

export const updateGroup = (groupName: string, body: GroupChange) =>
  call(client.PATCH('/groups/{groupName}', { params: { path: { groupName } }, body, ...MERGE_PATCH }));

/** With `cascade` also deletes its projects and the users that are in no other group. */
export const deleteGroup = (groupName: string, cascade: boolean) =>
  call(client.DELETE('/groups/{groupName}', { params: { path: { groupName }, query: { cascade } } }));
