import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './errors';
import { sendBody } from './upload';
import { fingerprintOf, uploadInChunks } from './chunked-upload';

vi.mock('./upload', async (original) => ({ ...(await original<object>()), sendBody: vi.fn() }));

const TEXT = 'abcdefghij';
const whole = () => new File([TEXT], 'big.zip', { lastModified: 5 });

/** `before` loses the request, `after` only its response, `idle` stores nothing of it. */
type Failure = 'before' | 'after' | 'unavailable' | 'idle' | null;

const textOf = (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsText(blob);
  });

/** A server that stores chunks of three bytes, with the given failures. */
function keeping(failures: Failure[] = []) {
  const kept = { text: '', begun: 0, marks: [] as string[] };
  const state = () => ({
    id: 'p1',
    size: TEXT.length,
    offset: kept.text.length,
    pieceSize: 3,
    ...(kept.text.length === TEXT.length && { uploaded: { id: 'p1', filename: 'big.zip' } }),
  });
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    if (init.method === 'POST') {
      kept.begun += 1;
      kept.marks.push((JSON.parse(init.body as string) as { mark: string }).mark);
    }
    return Promise.resolve(Response.json(state()));
  });
  vi.mocked(sendBody).mockImplementation(async (_method, path, body, options) => {
    const failure = failures.shift() ?? null;
    options?.onProgress?.(0.5);
    if (options?.signal?.aborted === true) throw new DOMException('Upload cancelled', 'AbortError');
    if (failure === 'before') throw new ApiError(0, null, 'network');
    if (failure === 'unavailable') throw new ApiError(503, null);
    if (failure === 'idle') return state() as never;
    if (Number(path.split('offset=')[1]) !== kept.text.length) throw new ApiError(409, null);
    kept.text += await textOf(body as Blob);
    if (failure === 'after') throw new ApiError(0, null, 'network');
    return state() as never;
  });
  return kept;
}

const options = (controller = new AbortController()) => ({
  signal: controller.signal,
  onProgress: () => undefined,
  retryDelaysMs: [1, 1, 1],
});

describe('chunked uploads', () => {
  beforeEach(() => vi.unstubAllGlobals());

  it('sends the file chunk by chunk and reports progress', async () => {
    const kept = keeping();
    const shares: number[] = [];
    const sent = uploadInChunks(whole(), { ...options(), onProgress: (share) => shares.push(share) });
    await expect(sent).resolves.toEqual({ id: 'p1', filename: 'big.zip' });
    expect(kept.text).toBe(TEXT);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  it('continues after lost requests, lost responses and a server restart', async () => {
    const kept = keeping([null, 'before', 'after', 'unavailable', null, 'after']);
    await expect(uploadInChunks(whole(), options())).resolves.toMatchObject({ id: 'p1' });
    expect([kept.text, kept.begun]).toEqual([TEXT, 1]);
  });

  it('gives up after attempts without progress, and continues later where it stopped', async () => {
    const kept = keeping([null, 'unavailable', 'idle', 'before', 'idle']);
    await expect(uploadInChunks(whole(), options())).rejects.toBeInstanceOf(ApiError);
    expect(kept.text).toBe('abc');
    await uploadInChunks(whole(), options());
    expect(kept.text).toBe(TEXT);
    expect(new Set(kept.marks).size).toBe(1);
  });

  it('does not retry a refused upload', async () => {
    const kept = keeping();
    vi.mocked(sendBody).mockRejectedValueOnce(new ApiError(403, null));
    await expect(uploadInChunks(whole(), options())).rejects.toMatchObject({ status: 403 });
    expect(kept.text).toBe('');
  });

  it('pauses immediately', async () => {
    const controller = new AbortController();
    keeping();
    const sent = uploadInChunks(whole(), { ...options(controller), onProgress: () => controller.abort() });
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('identifies a file by its time and content', async () => {
    const other = new File(['abcdefghiX'], 'big.zip', { lastModified: 5 });
    expect(await fingerprintOf(whole())).toBe(await fingerprintOf(whole()));
    expect(await fingerprintOf(other)).not.toBe(await fingerprintOf(whole()));
  });
});
