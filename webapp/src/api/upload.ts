/** File uploads by XMLHttpRequest, as fetch has no upload progress. */
import { restartSessionTimer } from '@/state/session-timer';
import { BASE, handleResponseStatus, requestHeaders, type Schemas } from './client';
import { ApiError, noResponseError, type ErrorBody } from './errors';

/** C-047: 4096 MB per file, timeout of a day per upload. */
export const MAX_UPLOAD_BYTES = 4096 * 1024 * 1024;
export const UPLOAD_TIMEOUT_MS = 86_400_000;

export type UploadedFile = Schemas['UploadedFile'];

export interface UploadOptions {
  /** Share sent so far, 0..1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
  /** The id can be used as a project image. */
  readonly image?: boolean;
  readonly timeoutMs?: number;
}

export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError';
  constructor(readonly fileName: string) {
    super(`${fileName} is over 4096 MB`);
  }
}

function parseResponseBody(request: XMLHttpRequest): ErrorBody | string | null {
  try {
    return JSON.parse(request.responseText) as ErrorBody;
  } catch {
    return request.responseText === '' ? null : request.responseText;
  }
}

interface Sending extends UploadOptions {
  readonly contentType?: string;
}

/** Sends a body to any path below `/api` and reports progress. */
export function sendBody<T>(method: 'POST' | 'PATCH', path: string, body: Blob | FormData, options: Sending = {}): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, `${BASE}${path}`);
    request.withCredentials = true;
    request.timeout = options.timeoutMs ?? UPLOAD_TIMEOUT_MS;
    for (const [name, value] of Object.entries(requestHeaders())) request.setRequestHeader(name, value);
    if (options.contentType !== undefined) request.setRequestHeader('Content-Type', options.contentType);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) options.onProgress?.(loaded / total);
    };
    request.onload = () => {
      handleResponseStatus(request.status);
      restartSessionTimer();
      if (request.status >= 200 && request.status < 300) resolve(parseResponseBody(request) as T);
      else reject(new ApiError(request.status, parseResponseBody(request), request.statusText));
    };
    request.onerror = () => reject(noResponseError());
    request.ontimeout = () => reject(noResponseError());
    request.onabort = () => reject(new DOMException('Upload cancelled', 'AbortError'));
    options.signal?.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

/** Multipart POST of `files` as repeated part `file` to any path below `/api`. */
export function postFiles<T>(path: string, files: readonly File[], options: UploadOptions = {}): Promise<T> {
  const heavy = files.find((file) => file.size > MAX_UPLOAD_BYTES);
  if (heavy !== undefined) return Promise.reject(new FileTooLargeError(heavy.name));
  const form = new FormData();
  for (const file of files) form.append('file', file, file.name);
  return sendBody<T>('POST', path, form, options);
}

/** `POST /uploads`: one result per file, in order. */
export function uploadFiles(files: readonly File[], options: UploadOptions = {}): Promise<UploadedFile[]> {
  return postFiles<UploadedFile[]>(options.image === true ? '/uploads?image=true' : '/uploads', files, options);
}
