import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fileExtensionsQuery } from '@/api/resources/components';
import { ApiError } from '@/api/errors';
import { cancelJob, jobKeys, type Job } from '@/api/resources/jobs';
import { activePlan, plansQuery } from '@/api/resources/plans';
import { projectQuery } from '@/api/resources/projects';
import { hasEnded, importDocuments, jobQuery, type ImportOptions } from '@/api/resources/document-imports';
import { folderOf } from '@/ui/dropped-files';
import { idpGroupsQuery, userGroupsQuery } from '@/api/resources/users';
import { useSessionStore } from '@/state/session-store';
import { useStoredChoice } from '@/state/layout-store';
import { useEmptyLabelLists } from './empty-label-lists';
import { ARCHIVE, BASE_EXTENSIONS, defaultImportOptions, importObstacle, optionsForNextImport } from './import-rules';
import { useUploads, type Uploads } from './use-uploads';

/**
 * V-013, V-037: groups that documents can be restricted to, with single sign-on those of the identity provider; none in installations
 * without document access control.
 */
function useOriginGroups(ssoLogin: boolean) {
  const username = useSessionStore((state) => state.principal?.username ?? '');
  const grouped = useSessionStore((state) => state.config.documentLevelAccessControl?.enabled === true);
  const asked = grouped && username !== '';
  const { data: own = [] } = useQuery({ ...userGroupsQuery(username), enabled: asked && !ssoLogin });
  const { data: provided = [] } = useQuery({ ...idpGroupsQuery(username), enabled: asked && ssoLogin });
  if (!grouped) return [];
  return ssoLogin ? provided : own;
}

/** The active conversion plan, which reads the files unless the import is set otherwise (T-031). */
function useConversionPlan(project: string) {
  const { data } = useQuery({ ...plansQuery(project), meta: { silent: true } });
  return activePlan(data, 'conversion');
}

/** C-050: file types of the server's converters, and archives; empty, meaning all types, once a converter or a plan reads all files. */
function useAcceptedExtensions(project: string, anything: boolean): readonly string[] {
  const { data: readable } = useQuery(fileExtensionsQuery(project));
  // While the server's file types are unknown, no file is refused.
  if (anything || readable === undefined) return [];
  return [...new Set([...(readable.length > 0 ? readable : BASE_EXTENSIONS), ARCHIVE])];
}

/** The present state of the started job; `null` before it is started. */
function useFollowedJob(project: string, started: Job | null): Job | null {
  const { data: followed } = useQuery(jobQuery(project, started?.id ?? ''));
  return started === null ? null : (followed ?? started);
}

/** Starts the import of the uploaded files, or a dry run. */
function useStartImport(project: string, uploads: Uploads, options: ImportOptions, dryRun: boolean, onStarted: (job: Job) => void) {
  const ssoLogin = useSessionStore((state) => state.principal?.ssoLogin === true);
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const files = uploads.entries.flatMap(({ uploaded, file }) => {
        if (uploaded === undefined) return [];
        const folder = folderOf(file);
        return [folder === '' ? uploaded : { ...uploaded, folder }];
      });
      return importDocuments(project, files, options, { dryRun, ssoLogin });
    },
    onSuccess: async (made) => {
      onStarted(made);
      await queryClient.invalidateQueries({ queryKey: jobKeys.project(project) });
    },
    meta: { errorTitle: 'loadDocument' },
  });
}

/** Cancels the running job. */
function useCancelJob(job: Job | null) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      if (job !== null) await cancelJob(job);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
    meta: { errorTitle: 'cancelJob' },
  });
}

const serverFieldErrors = (error: unknown) => (error instanceof ApiError ? error.fields : []);

/** State shared by the dialog and the page: files, settings, dry run and import. */
export function useImport(project: string) {
  const { t } = useTranslation('import');
  const { data: info } = useQuery(projectQuery(project));
  const ssoLogin = useSessionStore((state) => state.principal?.ssoLogin === true);
  const groups = useOriginGroups(ssoLogin);
  const uploads = useUploads();
  const [changed, setOptions] = useState<ImportOptions | null>(null);
  const [groupWanted, setGroupWanted] = useState(false);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const [started, setStarted] = useState<Job | null>(null);
  const [checking, setChecking] = useState<Job | null>(null);
  const [kept, keep] = useStoredChoice(`import.${project}`, '');
  const options = changed ?? optionsForNextImport(kept, info?.nature) ?? defaultImportOptions(info?.nature);
  const active = useConversionPlan(project);
  const plan = options.converter === '' && options.usePlan ? active : undefined;
  const extensions = useAcceptedExtensions(project, options.converter !== '' || plan !== undefined);
  const imported = useFollowedJob(project, started);
  const checked = useFollowedJob(project, checking);
  const job = imported ?? checked;
  const empty = useEmptyLabelLists(uploads.entries, info?.nature, options, checked);
  const [help, setHelp] = useState(false);
  const running = job !== null && !hasEnded(job);

  const launch = useStartImport(project, uploads, options, false, (made) => {
    keep(JSON.stringify(options));
    setStarted(made);
  });
  const check = useStartImport(project, uploads, options, true, setChecking);
  const stop = useCancelJob(job);

  const ofOtherTypes = (names: readonly string[]) => names.map((name) => t('refusedFile.type', { name, types: extensions.join(', ') }));
  const add = (files: readonly File[], others: readonly string[]) => {
    const { duplicates, over } = uploads.add(files);
    const said = [
      ...ofOtherTypes(others),
      ...duplicates.map((name) => t('refusedFile.duplicate', { name })),
      ...(over > 0 ? [t('refusedFile.over', { count: over })] : []),
    ];
    setRefused(said);
  };
  const refuseTypes = (names: readonly string[]) => setRefused(ofOtherTypes(names));

  return {
    project,
    nature: info?.nature,
    groups,
    /** The plan that will read the files, if any. */
    plan,
    extensions,
    uploads,
    options,
    setOptions: (next: ImportOptions) => {
      // Errors of the previous request do not apply to changed settings.
      launch.reset();
      check.reset();
      setOptions(next);
    },
    /** Whether some documents have an empty list of labels, and how many. */
    empty,
    /** Sets the answer without discarding the dry run. */
    answerEmpty: (emptyReviewed: boolean) => setOptions({ ...options, emptyReviewed }),
    help,
    toggleHelp: () => setHelp(!help),
    groupWanted,
    setGroupWanted,
    refused,
    add,
    refuseTypes,
    /** The import, or the preceding dry run. */
    job,
    isCheck: imported === null && checked !== null,
    running,
    obstacle: importObstacle(uploads.entries, launch.isPending || check.isPending, groupWanted, options.group),
    /** Server errors of the converters' parameters. */
    fieldErrors: [...serverFieldErrors(launch.error), ...serverFieldErrors(check.error)],
    launch,
    check,
    stop,
    /** Back to the same files and settings, to change and send them again. */
    again: () => {
      setStarted(null);
      setChecking(null);
    },
  };
}

export type ImportState = ReturnType<typeof useImport>;
