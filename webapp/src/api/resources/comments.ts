/** Comments on a document, a span of it, an annotation or a suggestion, in threads. Offsets are code points. */
import { queryOptions } from '@tanstack/react-query';
import { call, client, type Schemas } from '@/api/client';
import { idempotencyHeader } from '@/api/idempotency';

export type CommentTarget = 'document' | 'span' | 'annotation' | 'suggestion';

export interface Comment {
  readonly identifier: string;
  readonly text: string;
  readonly mentions?: readonly string[];
  readonly createdBy: string;
  readonly createdDate: string;
  readonly modifiedDate: string;
  readonly importedBy?: string;
  readonly importedDate?: string;
  readonly version: number;
  /** The user wrote it. */
  readonly mine: boolean;
}

export interface CommentThread {
  readonly identifier: string;
  readonly documentIdentifier: string;
  readonly target: CommentTarget;
  readonly annotation?: string;
  readonly start?: number;
  readonly end?: number;
  /** The commented part of the text. */
  readonly text?: string;
  readonly resolved: boolean;
  readonly resolvedBy?: string;
  /** Of all its comments; `comments` has the latest ones. */
  readonly commentCount?: number;
  readonly comments: readonly Comment[];
}

export interface NewComment {
  readonly documentIdentifier: string;
  readonly text: string;
  /** A reply; otherwise the first comment on a target. */
  readonly thread?: string;
  readonly target?: CommentTarget;
  readonly annotation?: string;
  readonly start?: number;
  readonly end?: number;
}

export const commentKeys = {
  of: (project: string, document: string) => ['comments', project, document] as const,
};

export const commentsQuery = (projectName: string, documentIdentifier: string) =>
  queryOptions({
    queryKey: commentKeys.of(projectName, documentIdentifier),
    queryFn: async ({ signal }) => {
      const params = { path: { projectName }, query: { documentIdentifier } };
      const { threads } = await call(client.GET('/projects/{projectName}/comments', { params, signal }));
      return threads as unknown as readonly CommentThread[];
    },
    meta: { silent: true },
  });

/** The latest comments of a thread before one of them. */
export async function fetchEarlierComments(projectName: string, threadId: string, before: string): Promise<readonly Comment[]> {
  const params = { path: { projectName, threadId }, query: { before } };
  return (await call(client.GET('/projects/{projectName}/comment_threads/{threadId}', { params })))
    .comments as unknown as readonly Comment[];
}

export type MentionablePerson = Schemas['MentionablePerson'];

/** People who may be mentioned, at most 20. */
export const mentionablePeopleQuery = (projectName: string, query: string) =>
  queryOptions({
    queryKey: ['mentionable', projectName, query] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { projectName }, query: { query } };
      return (await call(client.GET('/projects/{projectName}/comments/_people', { params, signal }))).people;
    },
    staleTime: 60_000,
    retry: false,
    meta: { silent: true },
  });

export async function createComment(projectName: string, body: NewComment): Promise<CommentThread> {
  const params = { path: { projectName } };
  const answer = client.POST('/projects/{projectName}/comments', { params, headers: idempotencyHeader(), body: body as never });
  return (await call(answer)) as unknown as CommentThread;
}

export async function changeComment(projectName: string, { identifier, version }: Comment, text: string): Promise<CommentThread> {
  const params = { path: { projectName, commentId: identifier } };
  const headers = { 'If-Match': `"${String(version)}"` };
  const answer = client.PATCH('/projects/{projectName}/comments/{commentId}', { params, headers, body: { text } });
  return (await call(answer)) as unknown as CommentThread;
}

export async function deleteComment(projectName: string, commentId: string): Promise<CommentThread> {
  const answer = client.DELETE('/projects/{projectName}/comments/{commentId}', { params: { path: { projectName, commentId } } });
  return (await call(answer)) as unknown as CommentThread;
}

export async function restoreComment(projectName: string, commentId: string): Promise<CommentThread> {
  const params = { path: { projectName, commentId } };
  const answer = client.POST('/projects/{projectName}/comments/{commentId}/_restore', { params });
  return (await call(answer)) as unknown as CommentThread;
}

export async function resolveThread(projectName: string, threadId: string, resolved: boolean): Promise<CommentThread> {
  const params = { path: { projectName, threadId } };
  const answer = client.POST('/projects/{projectName}/comment_threads/{threadId}/_resolve', { params, body: { resolved } });
  return (await call(answer)) as unknown as CommentThread;
}
