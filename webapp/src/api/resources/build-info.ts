import { call, client } from '@/api/client';

/** W-022. Without the query cache, as the first page has none. */
export async function fetchBuildInfo() {
  const { imageTags, ...build } = await call(client.GET('/swagger-ui/buildInfo.json'));
  return { ...build, ...(imageTags !== undefined && { images: imageTags }) };
}
