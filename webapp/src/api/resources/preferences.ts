/** What the person signed in chose for a project, on whatever machine. */
import { queryOptions } from '@tanstack/react-query';
import { call, client } from '@/api/client';

/** Absent: never chosen. */
export interface Preferences {
  /** Label name -> its key. */
  readonly hotkeys?: Readonly<Record<string, string>>;
  /** How documents are drawn that have a look of their own. */
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

/** Changes what is given; the rest stays. */
export async function changePreferences(projectName: string, body: Preferences): Promise<Preferences> {
  const answer = client.PATCH('/projects/{projectName}/_preferences', { params: { path: { projectName } }, body: body as never });
  return (await call(answer)) as Preferences;
}
