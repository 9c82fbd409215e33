/** Preferences of the signed-in user for a project, stored on the server. */
import { queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';

/** Absent: not set. */
export interface Preferences {
  /** Label name -> its key. */
  readonly hotkeys?: Readonly<Record<string, string>>;
  /** Display of documents that have a layout. */
  readonly textLook?: 'plain' | 'formatted';
}

export const preferencesQuery = (projectName: string) =>
  queryOptions({
    queryKey: ['preferences', projectName],
    enabled: projectName !== '',
    queryFn: async ({ signal }): Promise<Preferences> =>
      (await call(client.GET('/projects/{projectName}/_preferences', { params: { path: { projectName } }, signal }))) as Preferences,
    meta: { silent: true },
  });

/** Changes only the given preferences. */
export async function changePreferences(projectName: string, body: Preferences): Promise<Preferences> {
  const answer = client.PATCH('/projects/{projectName}/_preferences', { params: { path: { projectName } }, body: body as never });
  return (await call(answer)) as Preferences;
}
