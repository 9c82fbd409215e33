/** T-011: the import of questions, idle -> importing -> over. Files are uploaded when they are chosen. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { uploadFile } from '@/api/chunked-upload';
import { ApiError } from '@/api/errors';
import { hasEnded, jobQuery } from '@/api/resources/document-imports';
import type { Job } from '@/api/resources/jobs';
import { importQuestions, questionKeys } from '@/api/resources/questions';
import type { UploadedFile } from '@/api/upload';
import { acceptFiles, IMPORT_TIMEOUT_MS, isSameFile, mayImportFiles, type ImportFile } from './import-rules';

export interface QuestionFile extends ImportFile {
  /** Share sent so far, 0..1. */
  readonly share: number;
  readonly uploaded?: UploadedFile;
  readonly error?: unknown;
}

export interface QuestionImport {
  readonly files: readonly QuestionFile[];
  /** How many files of the last choice were too many. */
  readonly over: number;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (file: File) => void;
  /** V-034 */
  readonly mayStart: boolean;
  readonly start: () => void;
  readonly importing: boolean;
  /** The job of the import, while it runs. */
  readonly job: Job | undefined;
}

export interface ImportEnd {
  readonly onSuccess: (job: Job) => void;
  readonly onFailure: (error: unknown, files: readonly File[]) => void;
}

const uploading = (file: File): QuestionFile => ({ file, state: 'uploading', share: 0 });

function useUploadedFiles(initial: readonly File[]) {
  // The files of an import that failed are there again.
  const [files, setFiles] = useState<readonly QuestionFile[]>(() => acceptFiles([], initial).taken.map(uploading));
  const [over, setOver] = useState(0);
  const controllers = useRef(new Map<File, AbortController>());
  const patch = (file: File, part: Partial<QuestionFile>) =>
    setFiles((now) => now.map((one) => (isSameFile(one.file, file) ? { ...one, ...part } : one)));
  const send = async (file: File) => {
    const controller = new AbortController();
    controllers.current.set(file, controller);
    const { signal } = controller;
    try {
      const uploaded = await uploadFile(file, { signal, timeoutMs: IMPORT_TIMEOUT_MS, onProgress: (share) => patch(file, { share }) });
      patch(file, { state: 'uploaded', share: 1, uploaded });
    } catch (error) {
      if (!signal.aborted) patch(file, { state: 'failed', error });
    }
  };
  const add = (chosen: readonly File[]) => {
    const accepted = acceptFiles(files, chosen);
    setOver(accepted.over);
    setFiles([...files, ...accepted.taken.map(uploading)]);
    for (const file of accepted.taken) void send(file);
  };
  const remove = (file: File) => {
    controllers.current.get(file)?.abort();
    setFiles((now) => now.filter((one) => one.file !== file));
  };
  useEffect(() => {
    const running = controllers.current;
    void Promise.resolve().then(() => Promise.all(files.map(({ file }) => send(file))));
    return () => {
      for (const controller of running.values()) controller.abort();
    };
    // Once, when the dialog opens.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return { files, over, add, remove };
}

export function useQuestionImport(project: string, initial: readonly File[], { onSuccess, onFailure }: ImportEnd): QuestionImport {
  const client = useQueryClient();
  const { files, over, add, remove } = useUploadedFiles(initial);
  const [jobId, setJobId] = useState('');
  const [starting, setStarting] = useState(false);
  const { data: job } = useQuery({ ...jobQuery(project, jobId), meta: { silent: true } });
  const ended = useRef(false);
  const importing = starting || jobId !== '';
  const start = async () => {
    setStarting(true);
    try {
      const { id } = await importQuestions(
        project,
        files.flatMap(({ uploaded }) => (uploaded === undefined ? [] : [uploaded])),
      );
      setJobId(id);
    } catch (error) {
      onFailure(
        error,
        files.map(({ file }) => file),
      );
    }
  };
  useEffect(() => {
    if (job === undefined || !hasEnded(job) || ended.current) return;
    ended.current = true;
    void client.invalidateQueries({ queryKey: questionKeys.all });
    if (job.status === 'COMPLETED') return onSuccess(job);
    onFailure(
      new ApiError(400, { code: 400, message: job.statusMessage ?? '', cause: job.statusMessage ?? '' } as never),
      files.map(({ file }) => file),
    );
  }, [job, client, files, onSuccess, onFailure]);
  return { files, over, add, remove, mayStart: mayImportFiles(files, importing), start: () => void start(), importing, job };
}
