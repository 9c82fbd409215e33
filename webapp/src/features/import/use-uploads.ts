import { useCallback, useEffect, useRef, useState } from 'react';
import { uploadFile } from '@/api/chunked-upload';
import { createLimiter } from '@/api/request-limiter';
import { IMPORT_TIMEOUT_MS, fileKey, MAX_FILES, acceptNewFiles, type UploadEntry, type AcceptedFiles } from './import-rules';

/** More parallel uploads would only share the same bandwidth. */
const PARALLEL = 2;
/** Paused files keep their position in the queue. */
const WAITING = 10 * MAX_FILES;

export interface Uploads {
  readonly entries: readonly UploadEntry[];
  add(files: readonly File[]): AcceptedFiles;
  /** Aborts a running upload, and removes the file from the list. */
  remove(key: string): void;
  retry(key: string): void;
  /** Received chunks of a large file stay on the server. */
  pause(key: string): void;
  /** Resumes all paused and failed files. */
  resumeAll(): void;
  pauseAll(): void;
  clear(): void;
}

/** Sends files, a few at a time; reports their state through `patch`. */
function useSendFiles(patch: (key: string, part: Partial<UploadEntry>) => void) {
  const controllers = useRef(new Map<string, AbortController>());
  const limited = useRef(createLimiter(PARALLEL, WAITING));

  const send = useCallback(
    async (file: File) => {
      const key = fileKey(file);
      const controller = new AbortController();
      controllers.current.set(key, controller);
      try {
        const uploaded = await limited.current(async () => {
          if (controller.signal.aborted) throw new DOMException('Upload cancelled', 'AbortError');
          patch(key, { state: 'uploading' });
          return uploadFile(file, {
            signal: controller.signal,
            timeoutMs: IMPORT_TIMEOUT_MS,
            onProgress: (share) => patch(key, { share }),
          });
        });
        patch(key, { state: 'uploaded', share: 1, uploaded });
      } catch (error) {
        if (!controller.signal.aborted) patch(key, { state: 'failed', error });
      }
    },
    [patch],
  );

  const abort = useCallback((key: string) => {
    controllers.current.get(key)?.abort();
    controllers.current.delete(key);
  }, []);
  const stopAll = useCallback(() => {
    for (const controller of controllers.current.values()) controller.abort();
    controllers.current.clear();
  }, []);
  useEffect(() => stopAll, [stopAll]);
  return { send, abort, stopAll };
}

/** Files are uploaded as soon as they are chosen; each has its own progress, error and cancel button. */
export function useUploads(): Uploads {
  const [entries, setEntries] = useState<readonly UploadEntry[]>([]);
  const known = useRef<readonly UploadEntry[]>([]);

  const set = useCallback((change: (now: readonly UploadEntry[]) => readonly UploadEntry[]) => {
    known.current = change(known.current);
    setEntries(known.current);
  }, []);
  const patch = useCallback(
    (key: string, part: Partial<UploadEntry>) => set((now) => now.map((entry) => (entry.key === key ? { ...entry, ...part } : entry))),
    [set],
  );

  const { send, abort, stopAll } = useSendFiles(patch);

  const add = useCallback(
    (files: readonly File[]) => {
      const sorted = acceptNewFiles(files, known.current);
      set((now) => [...now, ...sorted.taken.map((file): UploadEntry => ({ key: fileKey(file), file, state: 'waiting', share: 0 }))]);
      for (const file of sorted.taken) void send(file);
      return sorted;
    },
    [set, send],
  );
  const remove = useCallback(
    (key: string) => {
      abort(key);
      set((now) => now.filter((entry) => entry.key !== key));
    },
    [abort, set],
  );
  const retry = useCallback(
    (key: string) => {
      const entry = known.current.find((item) => item.key === key);
      if (entry === undefined) return;
      patch(key, { state: 'waiting', error: undefined });
      void send(entry.file);
    },
    [patch, send],
  );
  const pause = useCallback(
    (key: string) => {
      abort(key);
      patch(key, { state: 'paused' });
    },
    [abort, patch],
  );
  const pauseAll = useCallback(() => {
    for (const { key, state } of known.current) if (state === 'waiting' || state === 'uploading') pause(key);
  }, [pause]);
  const resumeAll = useCallback(() => {
    for (const { key, state } of known.current) if (state === 'paused' || state === 'failed') retry(key);
  }, [retry]);
  const clear = useCallback(() => {
    stopAll();
    set(() => []);
  }, [set, stopAll]);
  return { entries, add, remove, retry, pause, pauseAll, resumeAll, clear };
}
