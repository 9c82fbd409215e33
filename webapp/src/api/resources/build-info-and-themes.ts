import { queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';

/** W-022 */
export const buildInfoQuery = () =>
  queryOptions({
    queryKey: ['buildInfo'] as const,
    queryFn: async () => {
      const { imageTags, ...build } = await call(client.GET('/swagger-ui/buildInfo.json'));
      return { ...build, ...(imageTags !== undefined && { images: imageTags }) };
    },
    staleTime: Infinity,
    meta: { silent: true },
  });

export const themesQuery = () =>
  queryOptions({ queryKey: ['themes', 'list'] as const, queryFn: () => call(client.GET('/themes', {})), meta: { silent: true } });

export const fetchFavoriteTheme = () => call(client.GET('/themes/_favorite', {}));

export const chooseTheme = (themeId: string) =>
  call(client.POST('/themes/{themeId}/_favorite', { params: { path: { themeId }, query: { favorite: true, scope: 'user' } } }));
