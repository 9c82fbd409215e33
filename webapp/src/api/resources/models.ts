/** Export and import of trained models as files. */
import { call, client, type Schemas } from '@/api/client';
import { downloadByPost } from '@/api/download';
import type { UploadedFile } from '@/api/upload';

export type ModelsSummary = Schemas['EngineConfigImportSummary'];

/** Which experiments: the named ones, the favourites, or all. */
export type ModelsChoice = { readonly experiments: readonly string[] } | { readonly favorite: true } | 'all';

/** C-054: the file is named after the project. */
export function exportModels(projectName: string, choice: ModelsChoice): Promise<Blob> {
  const query = new URLSearchParams();
  if (choice !== 'all' && 'favorite' in choice) query.set('favorite', 'true');
  else if (choice !== 'all') query.set('experiments', choice.experiments.join(','));
  return downloadByPost(`/projects/${encodeURIComponent(projectName)}/_export_models?${query.toString()}`);
}

export const loadModels = (projectName: string, uploaded: readonly UploadedFile[]) =>
  call(
    client.POST('/projects/{projectName}/_load_models', { params: { path: { projectName } }, body: [...uploaded] }),
  ) as Promise<ModelsSummary>;

export const deleteModels = (projectName: string) =>
  call(client.DELETE('/projects/{projectName}/models', { params: { path: { projectName } } }));
