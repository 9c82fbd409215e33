import { queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';
import { fetchBuildInfo } from './build-info';

/** W-022 */
export const buildInfoQuery = () =>
  queryOptions({
    queryKey: ['buildInfo'] as const,
    queryFn: fetchBuildInfo,
    staleTime: Infinity,
    meta: { silent: true },
  });

export const themesQuery = () =>
  queryOptions({ queryKey: ['themes', 'list'] as const, queryFn: () => call(client.GET('/themes', {})), meta: { silent: true } });

export const fetchFavoriteTheme = () => call(client.GET('/themes/_favorite', {}));

export const chooseTheme = (themeId: string) =>
  call(client.POST('/themes/{themeId}/_favorite', { params: { path: { themeId }, query: { favorite: true, scope: 'user' } } }));
