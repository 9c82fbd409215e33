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

/** V-013, V-037: groups to restrict documents to, after a single sign-on the identity provider's; none where the installation has no such control. */
function useOriginGroups(ssoLogin: boolean) {
  const username = useSessionStore((state) => state.principal?.username ?? '');
  const grouped = useSessionStore((state) => state.config.documentLevelAccessControl?.enabled === true);
  const asked = grouped && username !== '';
  const { data: own = [] } = useQuery({ ...userGroupsQuery(username), enabled: asked && !ssoLogin });
  const { data: provided = [] } = useQuery({ ...idpGroupsQuery(username), enabled: asked && ssoLogin });
  if (!grouped) return [];
  return ssoLogin ? provided : own;
}

/** The active conversion plan, which reads the files unless the import says otherwise (T-031). */
function useConversionPlan(project: string) {
  const { data } = useQuery({ ...plansQuery(project), meta: { silent: true } });
  return activePlan(data, 'conversion');
}

/** C-050: what a converter of this server reads, and archives; anything once a converter or a plan reads all files. */
function useAcceptedExtensions(project: string, anything: boolean): readonly string[] {
  const { data: readable } = useQuery(fileExtensionsQuery(project));
  // As long as the server has not said what it reads, no file is refused for its type: it would be refused wrongly.
  if (anything || readable === undefined) return [];
  return [...new Set([...(readable.length > 0 ? readable : BASE_EXTENSIONS), ARCHIVE])];
}

/** A job of ours as it stands now; `null` before it is started. */
function useFollowedJob(project: string, started: Job | null): Job | null {
  const { data: followed } = useQuery(jobQuery(project, started?.id ?? ''));
  return started === null ? null : (followed ?? started);
}

/** Starts the import of what is uploaded, or a check of it. */
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

/** Cancels the job that runs. */
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

/** Everything the dialog and the page share: files, settings, the check and the import once they are started. */
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
    /** What will read the files, when it is a plan. */
    plan,
    extensions,
    uploads,
    options,
    setOptions: (next: ImportOptions) => {
      // What the server said is about what was sent.
      launch.reset();
      check.reset();
      setOptions(next);
    },
    /** Whether some documents bring an empty list of labels, and how many. */
    empty,
    /** After a check, which stays what it was. */
    answerEmpty: (emptyReviewed: boolean) => setOptions({ ...options, emptyReviewed }),
    help,
    toggleHelp: () => setHelp(!help),
    groupWanted,
    setGroupWanted,
    refused,
    add,
    refuseTypes,
    /** The import, or the check before it. */
    job,
    isCheck: imported === null && checked !== null,
    running,
    obstacle: importObstacle(uploads.entries, launch.isPending || check.isPending, groupWanted, options.group),
    /** What the server said of the converters' parameters. */
    fieldErrors: [...serverFieldErrors(launch.error), ...serverFieldErrors(check.error)],
    launch,
    check,
    stop,
    /** The same files and settings, ready to be changed and sent again. */
    again: () => {
      setStarted(null);
      setChecking(null);
    },
  };
}

export type ImportState = ReturnType<typeof useImport>;
