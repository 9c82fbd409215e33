import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { extensionsQuery } from '@/api/resources/components';
import { cancelJob, jobKeys, type Job } from '@/api/resources/jobs';
import { projectQuery } from '@/api/resources/projects';
import { hasEnded, importDocuments, jobQuery, type ImportOptions } from '@/api/resources/uploads';
import { userGroupsQuery } from '@/api/resources/users';
import { useSessionStore } from '@/state/session-store';
import { ARCHIVE, BASE_EXTENSIONS, defaultOptions, importObstacle } from './import-rules';
import { useUploads } from './use-uploads';

/** V-013: groups to restrict documents to; none where the installation has no such control. */
function useOriginGroups() {
  const username = useSessionStore((state) => state.principal?.username ?? '');
  const grouped = useSessionStore((state) => state.config.documentLevelAccessControl?.enabled === true);
  const { data: groups = [] } = useQuery({ ...userGroupsQuery(username), enabled: grouped && username !== '' });
  return grouped ? groups : [];
}

/** C-050: what a converter of this server reads, and archives. */
function useExtensions(project: string): readonly string[] {
  const { data: readable = [] } = useQuery(extensionsQuery(project));
  return [...new Set([...(readable.length > 0 ? readable : BASE_EXTENSIONS), ARCHIVE])];
}

/** Everything the dialog and the page share: files, settings, the job once it is started. */
export function useImport(project: string) {
  const { t } = useTranslation('import');
  const queryClient = useQueryClient();
  const { data: info } = useQuery(projectQuery(project));
  const groups = useOriginGroups();
  const extensions = useExtensions(project);
  const uploads = useUploads();
  const [changed, setOptions] = useState<ImportOptions | null>(null);
  const [groupWanted, setGroupWanted] = useState(false);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const [started, setStarted] = useState<Job | null>(null);
  const { data: followed } = useQuery(jobQuery(project, started?.id ?? ''));
  const options = changed ?? defaultOptions(info?.nature);
  const job = started === null ? null : (followed ?? started);
  const running = job !== null && !hasEnded(job);

  const launch = useMutation({
    mutationFn: () => {
      const files = uploads.entries.flatMap((entry) => (entry.uploaded === undefined ? [] : [entry.uploaded]));
      return importDocuments(project, files, options);
    },
    onSuccess: async (made) => {
      setStarted(made);
      await queryClient.invalidateQueries({ queryKey: jobKeys.project(project) });
    },
    meta: { errorTitle: 'loadDocument' },
  });
  const stop = useMutation({
    mutationFn: async () => {
      if (job !== null) await cancelJob(job);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
    meta: { errorTitle: 'cancelJob' },
  });

  const add = (files: readonly File[]) => {
    const { duplicates, over } = uploads.add(files);
    const said = [
      ...duplicates.map((name) => t('refusedFile.duplicate', { name })),
      ...(over > 0 ? [t('refusedFile.over', { count: over })] : []),
    ];
    setRefused(said);
  };
  const refuseTypes = (names: readonly string[]) =>
    setRefused(names.map((name) => t('refusedFile.type', { name, types: extensions.join(', ') })));

  return {
    project,
    nature: info?.nature,
    groups,
    extensions,
    uploads,
    options,
    setOptions,
    groupWanted,
    setGroupWanted,
    refused,
    add,
    refuseTypes,
    job,
    running,
    obstacle: importObstacle(uploads.entries, launch.isPending, groupWanted, options.group),
    launch,
    stop,
    /** After a failure: the same files and settings, ready to be sent again. */
    again: () => setStarted(null),
  };
}

export type Import = ReturnType<typeof useImport>;
