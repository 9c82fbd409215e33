import type { QueryClient } from '@tanstack/react-query';
import { documentQuery, type AnnotatedDocument } from '@/api/resources/documents';
import { saveFile } from '@/ui/save-file';

/** S-015: the documents in the server's JSON, one after the other because the request queue is short. */
export async function downloadDocuments(queryClient: QueryClient, project: string, identifiers: readonly string[]): Promise<void> {
  const documents: AnnotatedDocument[] = [];
  for (const identifier of identifiers)
    documents.push(await queryClient.fetchQuery({ ...documentQuery(project, identifier), staleTime: 0 }));
  const only = documents.length === 1 ? documents[0] : undefined;
  saveFile(
    `${only?.identifier.replace(/[^\p{L}\p{N}._-]+/gu, '_') ?? `${project}-documents`}.json`,
    JSON.stringify(only ?? documents, null, 2),
  );
}
