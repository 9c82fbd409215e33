/** Named, directed relations between the annotations of a document. The document contains those visible to the caller. */
import { queryOptions } from '@tanstack/react-query';
import { call, client, MERGE_PATCH, type Schemas } from '@/api/client';
import { ifMatch } from '@/api/edit-headers';
import { projectPathParams } from '@/api/path-params';
import { withRecentChanges } from '@/api/recent-changes';
import type { Job } from './jobs';

/** `source` and `target` are annotations of the document. */
export interface Relation {
  readonly identifier: string;
  readonly version: number;
  readonly documentIdentifier?: string;
  readonly name: string;
  readonly source: string;
  readonly target: string;
  readonly createdBy?: string | null;
  readonly importedBy?: string | null;
  readonly importedDate?: string | null;
  readonly createdDate?: string | null;
  /** Author of this version; present in live events and conflicts. */
  readonly modifiedBy?: string;
  readonly modifiedDate?: string | null;
  /** In lists: start of the ends, in code points of the document, and their text. */
  readonly sourceStart?: number;
  readonly sourceText?: string;
  readonly targetStart?: number;
  readonly targetText?: string;
}

export interface NewRelation {
  readonly documentIdentifier: string;
  readonly name: string;
  readonly source: string;
  readonly target: string;
}

export type RelationPatch = Partial<Pick<NewRelation, 'name' | 'source' | 'target'>>;

/** A relation name used in the project, with its colour. */
export interface RelationName {
  readonly name: string;
  readonly color?: string | undefined;
  readonly count?: number | undefined;
}

export const relationKeys = {
  all: ['relations'] as const,
  names: (project: string) => [...relationKeys.all, project, 'names'] as const,
  of: (project: string, document: string) => [...relationKeys.all, project, 'of', document] as const,
};

const relationPathParams = (projectName: string, relationId: string) => ({ path: { projectName, relationId } });

export async function createRelation(projectName: string, body: NewRelation, key: string): Promise<Relation> {
  const answer = client.POST('/projects/{projectName}/relations', {
    params: { path: { projectName } },
    body,
    headers: { 'Idempotency-Key': key },
  });
  return (await call(answer)) as unknown as Relation;
}

export async function patchRelation(
  projectName: string,
  id: string,
  patch: RelationPatch,
  version: number | undefined,
  key: string,
): Promise<Relation> {
  const answer = client.PATCH('/projects/{projectName}/relations/{relationId}', {
    params: relationPathParams(projectName, id),
    body: patch,
    headers: { ...MERGE_PATCH.headers, ...ifMatch(version), 'Idempotency-Key': key },
  });
  return (await call(answer)) as unknown as Relation;
}

export const deleteRelation = (projectName: string, id: string, version: number | undefined, key: string) =>
  call(
    client.DELETE('/projects/{projectName}/relations/{relationId}', {
      params: relationPathParams(projectName, id),
      headers: { ...ifMatch(version), 'Idempotency-Key': key },
    }),
  );

/** Restores a deleted relation unchanged. */
export async function restoreRelation(projectName: string, id: string, key: string): Promise<Relation> {
  const answer = client.POST('/projects/{projectName}/relations/{relationId}/_restore', {
    params: relationPathParams(projectName, id),
    headers: { 'Idempotency-Key': key },
  });
  return (await call(answer)) as unknown as Relation;
}

export const relationNamesQuery = (projectName: string) =>
  queryOptions({
    queryKey: relationKeys.names(projectName),
    queryFn: async () =>
      (await call(
        client.GET('/projects/{projectName}/relation_names', { params: { path: { projectName } } }),
      )) as unknown as readonly RelationName[],
    enabled: projectName !== '',
    meta: { silent: true },
  });

/** Relations of a document, for screens that show parts of it only. `LabellingCache` writes changes into it. */
export const documentRelationsQuery = (projectName: string, documentIdentifier: string, enabled: boolean) =>
  queryOptions({
    queryKey: relationKeys.of(projectName, documentIdentifier),
    queryFn: async ({ signal, client: queryClient }) => {
      const params = { path: { projectName }, query: { documentIdentifier } };
      const { relations } = (await call(client.GET('/projects/{projectName}/relations', { params, signal }))) as unknown as {
        readonly relations: readonly Relation[];
      };
      return withRecentChanges(queryClient, projectName, documentIdentifier, 'relation', relations);
    },
    enabled: enabled && projectName !== '',
    meta: { silent: true },
  });

// --- names ---

const relationNamePathParams = (projectName: string, relationName: string) => ({ path: { projectName, relationName } });

export const createRelationName = (projectName: string, body: Schemas['RelationNameCreate']) =>
  call(client.POST('/projects/{projectName}/relation_names', { params: projectPathParams(projectName), body }));

/** Renames all relations with this name. */
export const updateRelationName = (projectName: string, name: string, body: Schemas['RelationNamePatch']) =>
  call(client.PUT('/projects/{projectName}/relation_names/{relationName}', { params: relationNamePathParams(projectName, name), body }));

/** Deletes the name and its relations; returns the finished or running job if there were some. */
export async function deleteRelationName(projectName: string, name: string): Promise<Job | undefined> {
  const params = { ...relationNamePathParams(projectName, name), query: { withRelations: true } };
  const answer = await call(client.DELETE('/projects/{projectName}/relation_names/{relationName}', { params }));
  return (answer.removeJob ?? undefined) as Job | undefined;
}

/** What would be deleted together with a name, of all users. */
export const relationNameConsequencesQuery = (projectName: string, name: string) =>
  queryOptions({
    queryKey: [...relationKeys.all, projectName, 'consequences', name] as const,
    queryFn: async ({ signal }) =>
      call(
        client.GET('/projects/{projectName}/relation_names/_consequences', {
          params: { ...projectPathParams(projectName), query: { name } },
          signal,
        }),
      ),
    staleTime: 0,
    meta: { silent: true },
  });
