import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { uploadFile } from '@/api/chunked-upload';
import { termImporterFormQuery, termImportersQuery } from '@/api/resources/components';
import { hasEnded, jobQuery } from '@/api/resources/document-imports';
import { cancelJob, jobKeys, type Job } from '@/api/resources/jobs';
import { createLexicon, loadTerms, type Lexicon } from '@/api/resources/lexicons';
import { UPLOAD_TIMEOUT_MS, type UploadedFile } from '@/api/upload';
import { leastUsedColour } from '@/theme/palette';
import { acceptedExtensions, changedParameters, labelOfFile, proposedImporter } from './import-rules';
import { useRefreshVocabularies } from './use-lexicons';

/** Sends one file as soon as it is chosen; another one stops it. */
function useUpload() {
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState(0);
  const [uploaded, setUploaded] = useState<UploadedFile>();
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (next: File) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setFile(next);
    setShare(0);
    setUploaded(undefined);
    setError(null);
    try {
      const answer = await uploadFile(next, { signal: controller.signal, timeoutMs: UPLOAD_TIMEOUT_MS, onProgress: setShare });
      if (!controller.signal.aborted) setUploaded(answer);
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure);
    }
  };
  const remove = () => {
    running.current?.abort();
    setFile(null);
    setUploaded(undefined);
    setError(null);
  };
  return { file, share, uploaded, error, send, remove };
}

/** The present state of a started job, and what stops it. */
function useJob(project: string) {
  const queryClient = useQueryClient();
  const [started, setStarted] = useState<Job | null>(null);
  const { data } = useQuery(jobQuery(project, started?.id ?? ''));
  const job = started === null ? null : (data ?? started);
  const stop = useMutation({
    mutationFn: async () => (job === null ? undefined : cancelJob(job)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
    meta: { errorTitle: 'cancelJob' },
  });
  return { job, running: job !== null && !hasEnded(job), setStarted, stop };
}

/** The importer of the file and its parameters. */
function useImporter(project: string, fileName: string) {
  const { i18n } = useTranslation();
  const [chosen, choose] = useState<string | null>(null);
  const [changed, setChanged] = useState<Readonly<Record<string, Readonly<Record<string, unknown>>>>>({});
  const { data: importers = [] } = useQuery(termImportersQuery(project, i18n.language));
  const format = chosen ?? proposedImporter(importers, fileName);
  const form = useQuery(termImporterFormQuery(project, format, i18n.language));
  const defaults = form.data?.defaults ?? {};
  const values = { ...defaults, ...changed[format] };
  return {
    importers,
    format,
    choose,
    form,
    values,
    setValues: (next: Readonly<Record<string, unknown>>) => setChanged({ ...changed, [format]: next }),
    choice: { format, parameters: changedParameters(values, defaults) },
  };
}

/** State of the dialog: the file, its importer, the lexicon, the job. `preset`: name of the lexicon, empty for a new one. */
export function useTermImport(project: string, lexicons: readonly Lexicon[], preset: string) {
  const refresh = useRefreshVocabularies();
  const upload = useUpload();
  const fileName = upload.file?.name ?? '';
  const importer = useImporter(project, fileName);
  const [target, setTarget] = useState(preset);
  const [label, setLabel] = useState<string | null>(null);
  const { job, running, setStarted, stop } = useJob(project);
  const name = (label ?? labelOfFile(fileName)).trim();
  const ended = job !== null && !running;
  const launch = useMutation({
    mutationFn: async () => {
      let lexicon = target;
      if (lexicon === '') {
        const color = leastUsedColour(lexicons.map((one) => one.color));
        lexicon = (await createLexicon(project, { label: name, color, manualEditionAllowed: true })).name;
        // A second attempt loads into the lexicon that the first one created.
        setTarget(lexicon);
      }
      return loadTerms(project, lexicon, upload.uploaded === undefined ? [] : [upload.uploaded], importer.choice);
    },
    onSuccess: async (started) => {
      setStarted(started);
      await refresh();
    },
    meta: { errorTitle: 'loadTerms' },
  });
  const known = useRef(refresh);
  useEffect(() => {
    known.current = refresh;
  });
  useEffect(() => {
    if (ended) void known.current();
  }, [ended]);
  return {
    ...{ project, upload, importer, target, setTarget, label: label ?? labelOfFile(fileName), setLabel, job, running, launch, stop },
    /** The new lexicon was created, and is in no list yet. */
    created: target !== '' && target !== preset && !lexicons.some((one) => one.name === target),
    extensions: acceptedExtensions(importer.importers),
    ready: upload.uploaded !== undefined && (target !== '' || name !== ''),
    /** Back to the same file and settings. */
    again: () => setStarted(null),
  };
}

export type TermImportState = ReturnType<typeof useTermImport>;
