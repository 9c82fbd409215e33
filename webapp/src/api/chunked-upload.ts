/** Large files are uploaded in chunks: a broken connection, a reload or a restarted server costs at most the present chunk. */
import { BASE, handleResponseStatus, requestHeaders } from './client';
import { ApiError, noResponseError, type ErrorBody } from './errors';
import { FileTooLargeError, MAX_UPLOAD_BYTES, sendBody, uploadFiles, type UploadedFile } from './upload';

/** Smaller files are sent in one request. */
export const CHUNKED_FROM_BYTES = 4 * 1024 * 1024;
/** Delays between attempts without progress; after the last one the upload fails and the user decides. */
export const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000] as const;
const SAMPLE_BYTES = 65_536;

export interface PartialFile {
  readonly id: string;
  readonly size: number;
  readonly offset: number;
  readonly pieceSize: number;
  readonly uploaded?: UploadedFile;
}

export interface ChunkedUploadOptions {
  readonly signal: AbortSignal;
  /** Share that the server has received, 0..1. */
  readonly onProgress: (share: number) => void;
  readonly retryDelaysMs?: readonly number[];
}

async function fetchJson<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`${BASE}${path}`, { ...init, credentials: 'same-origin', headers: { ...requestHeaders(), ...init.headers } });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw noResponseError();
  }
  handleResponseStatus(response.status);
  const body: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, body as ErrorBody | null, response.statusText);
  return body as T;
}

const chunkedUploadPath = (id: string) => `/uploads/_pieces/${encodeURIComponent(id)}`;

const bytesOf = (part: Blob) =>
  new Promise<Uint8Array>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(new Uint8Array(reader.result as ArrayBuffer));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read'));
    reader.readAsArrayBuffer(part);
  });

/** Identifies the file on the server: its modification time and a checksum of its beginning and end (FNV-1a). */
export async function fingerprintOf(file: File): Promise<string> {
  const parts = [file.slice(0, SAMPLE_BYTES), file.slice(Math.max(0, file.size - SAMPLE_BYTES))];
  let sum = 0x811c9dc5;
  for (const part of parts) for (const byte of await bytesOf(part)) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  return `${String(file.lastModified)}-${sum.toString(16)}`;
}

async function begin(file: File, signal: AbortSignal): Promise<PartialFile> {
  const body = { filename: file.name, contentType: file.type || undefined, size: file.size, mark: await fingerprintOf(file) };
  return fetchJson('/uploads/_pieces', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
}

/** A busy, restarting or unreachable server, or a chunk whose start is not the end of the received part. */
const isRetryable = (error: unknown) => error instanceof ApiError && [0, 409, 429, 502, 503, 504].includes(error.status);

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('Upload cancelled', 'AbortError'));
    });
  });
}

/** Continues where an earlier call for the same file stopped. Aborting pauses: received chunks stay on the server. */
export async function uploadInChunks(
  file: File,
  { signal, onProgress, retryDelaysMs = RETRY_DELAYS_MS }: ChunkedUploadOptions,
): Promise<UploadedFile> {
  if (file.size > MAX_UPLOAD_BYTES) throw new FileTooLargeError(file.name);
  let state: PartialFile | null = null;
  let fruitless = 0;
  for (;;) {
    try {
      state ??= await begin(file, signal);
      if (state.uploaded !== undefined) return state.uploaded;
      const { id, offset, pieceSize }: PartialFile = state;
      onProgress(offset / file.size);
      const piece = file.slice(offset, offset + pieceSize);
      const next: PartialFile = await sendBody<PartialFile>('PATCH', `${chunkedUploadPath(id)}?offset=${String(offset)}`, piece, {
        contentType: 'application/octet-stream',
        signal,
        onProgress: (share) => onProgress((offset + share * piece.size) / file.size),
      });
      // A response without progress must not repeat the request endlessly.
      if (next.uploaded === undefined && next.offset <= offset) throw new ApiError(503, null, 'nothing arrived');
      state = next;
      fruitless = 0;
    } catch (error) {
      const pause = retryDelaysMs[fruitless];
      if (!isRetryable(error) || pause === undefined) throw error;
      fruitless += 1;
      // The server reports again how much it has; a file that was received completely before the response was lost is
      // found by its id.
      const known: PartialFile | null = state;
      await sleep(pause, signal);
      if (known !== null) state = await fetchJson<PartialFile>(chunkedUploadPath(known.id), { signal }).catch(() => known);
    }
  }
}

/** Uploads the file in one request or in chunks, depending on its size. */
export async function uploadFile(file: File, options: ChunkedUploadOptions & { readonly timeoutMs?: number }): Promise<UploadedFile> {
  if (file.size >= CHUNKED_FROM_BYTES) return uploadInChunks(file, options);
  const [uploaded] = await uploadFiles([file], options);
  if (uploaded === undefined) throw new ApiError(502, null, 'no upload in the answer');
  return uploaded;
}
