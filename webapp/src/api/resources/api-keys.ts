import { queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';
import { userKeys } from './users';

/** An API key without the key itself. */
export type ApiKey = Schemas['ApiKeyRead'];
/** With the key itself: shown once, it cannot be read again. */
export type NewApiKey = Schemas['ApiKeyCreated'];
export type ApiKeyRequest = Schemas['ApiKeyCreate'];

/** Header in which programs send a key. */
export const KEY_HEADER = 'X-Kairntech-key';

export const apiKeysQuery = (username: string) =>
  queryOptions({
    queryKey: [...userKeys.all, 'keys', username],
    queryFn: () => call(client.GET('/users/{username}/keys', { params: { path: { username } } })),
    enabled: username !== '',
    meta: { silent: true },
  });

export const createApiKey = (username: string, body: ApiKeyRequest) =>
  call(client.POST('/users/{username}/keys', { params: { path: { username } }, body }));

export const revokeApiKey = (username: string, identifier: string) =>
  call(client.DELETE('/users/{username}/keys/{identifier}', { params: { path: { username, identifier } } }));
