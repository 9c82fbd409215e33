import { http, HttpResponse } from 'msw';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useNotificationsStore } from '@/state/notifications-store';
import { usePresenceStore } from '@/state/presence-store';
import { useLiveStore } from '@/state/live-store';
import { useSessionStore } from '@/state/session-store';
import { errorResponse, server } from '@/test/server';
import { startTestI18n } from '@/test/render';
import { call, client, setUnauthorizedHandler } from './client';
import { createLimiter, QueueFullError } from './request-limiter';
import { ApiError, describeFailure, notifyFailure, serverMessage, type ErrorBody } from './errors';
import { dispatchLiveEvent, LiveConnection, onLiveEvent, parseLiveEvent, tokenRenewalDelay, queryTopicsOfEvent } from './live-connection';
import { createQueryClient } from './query-client';
import { FileTooLargeError, MAX_UPLOAD_BYTES, uploadFiles } from './upload';

beforeAll(async () => {
  await startTestI18n();
  server.listen({ onUnhandledRequest: 'error' });
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

describe('status table', () => {
  const of = (status: number, body: ErrorBody | string | null = { message: 'm', cause: 'why' }) =>
    describeFailure(new ApiError(status, body));
  it('E-001 a 400 with a message is a warning without fix', () =>
    expect(of(400)).toEqual({ type: 'warning', cause: 'refused', message: 'why', signInFix: false }));
  it('describes an invalid field with a text of the catalogue', () => {
    const said = { message: { code: 'fault.atMost', values: { number: 1200 } } };
    const { fields } = new ApiError(400, {
      details: [
        { field: 'a', message: 'English', said },
        { field: 'b', message: 'Plain' },
      ],
    });
    expect(fields).toEqual([
      { field: 'a', message: 'It must be at most 1,200' },
      { field: 'b', message: 'Plain' },
    ]);
  });
  it('E-006 a 400 without a message is a bug', () =>
    expect(of(400, 'Bad Request')).toMatchObject({ type: 'error', cause: 'bug', fix: 'contactSupport' }));
  it('E-002 401', () => expect(of(401)).toMatchObject({ cause: 'notAuthenticated', fix: 'signIn', signInFix: true }));
  it('E-003 403 is a warning', () => expect(of(403)).toMatchObject({ type: 'warning', cause: 'denied', fix: 'signOutAndIn' }));
  it('E-004 404', () => expect(of(404)).toMatchObject({ cause: 'bug', message: 'why', fix: 'contactSupport' }));
  it.each([503, 429])('E-005 %i', (status) => expect(of(status)).toMatchObject({ cause: 'unavailable', fix: 'retryLater' }));
  it('E-007 no response', () =>
    expect(describeFailure(new ApiError(0, null, 'network'))).toMatchObject({
      cause: 'unavailable',
      message: 'network',
      fix: 'contactSupport',
    }));
  it('E-008 anything else', () => {
    const failure = describeFailure(new TypeError('boom'));
    expect(failure).toMatchObject({ cause: 'bug', message: 'boom' });
    expect(failure.fix).toBeUndefined();
  });
  it('E-009, C-040 server message', () => {
    expect(serverMessage({ cause: 'c', message: 'm' })).toBe('c');
    expect(serverMessage({ message: 'm' })).toBe('m');
    expect(serverMessage('<html>')).toBe('<html>');
    const cut = serverMessage({ code: 'x'.repeat(80) });
    expect([...cut]).toHaveLength(51);
    expect(cut.endsWith('…')).toBe(true);
  });
  it('E-016 title, cause and fix are added to the notifications', () => {
    useNotificationsStore.setState({ items: [] });
    notifyFailure(new ApiError(503, { message: 'gateway timeout' }), 'createAnnotation');
    expect(useNotificationsStore.getState().items[0]).toMatchObject({
      type: 'error',
      message: 'We failed to create the annotation.',
      cause: 'The server is not available (gateway timeout).',
      fix: 'Retry later or contact support.',
    });
  });
});

describe('client', () => {
  it('B-003 marks each request and throws the error of the server', async () => {
    server.use(
      http.get('*/api/jobs', ({ request }) =>
        request.headers.get('x-requested-with') === 'XMLHttpRequest' ? errorResponse(404, 'gone') : HttpResponse.json([]),
      ),
    );
    await expect(call(client.GET('/jobs'))).rejects.toMatchObject({ status: 404, message: 'gone' });
  });
  it('T-005 a 401 ends the session only when a user is signed in (E-002)', async () => {
    const expired = vi.fn();
    setUnauthorizedHandler(expired);
    server.use(http.get('*/api/jobs', () => errorResponse(401, 'who')));
    useSessionStore.setState({ status: 'anonymous' });
    await expect(call(client.GET('/jobs'))).rejects.toBeInstanceOf(ApiError);
    expect(expired).not.toHaveBeenCalled();
    useSessionStore.setState({ status: 'signedIn' });
    await expect(call(client.GET('/jobs'))).rejects.toBeInstanceOf(ApiError);
    expect(expired).toHaveBeenCalledOnce();
  });
  it('no response is status 0', async () => {
    server.use(http.get('*/api/jobs', () => HttpResponse.error()));
    await expect(call(client.GET('/jobs'))).rejects.toMatchObject({ status: 0 });
  });
});

describe('concurrency (C-033)', () => {
  it('runs four, lets 25 wait, refuses more', async () => {
    const limited = createLimiter();
    let running = 0;
    let most = 0;
    const releases: (() => void)[] = [];
    const task = () =>
      new Promise<void>((done) => {
        running += 1;
        most = Math.max(most, running);
        releases.push(() => {
          running -= 1;
          done();
        });
      });
    const all = Array.from({ length: 29 }, () => limited(task));
    await expect(limited(task)).rejects.toBeInstanceOf(QueueFullError);
    for (let i = 0; i < 29; i += 1) {
      await vi.waitFor(() => expect(releases.length).toBeGreaterThan(i));
      releases[i]?.();
    }
    await Promise.all(all);
    expect(most).toBe(4);
  });
});

describe('upload (C-047)', () => {
  it('refuses files over 4096 MB before sending', async () => {
    const file = new File(['x'], 'big.zip');
    Object.defineProperty(file, 'size', { value: MAX_UPLOAD_BYTES + 1 });
    await expect(uploadFiles([file])).rejects.toBeInstanceOf(FileTooLargeError);
  });
  it('sends multipart and reads the response', async () => {
    server.use(
      http.post('*/api/uploads', ({ request }) =>
        request.headers.get('content-type')?.startsWith('multipart/form-data') === true
          ? HttpResponse.json([{ id: 'u1', filename: 'a.spa' }])
          : errorResponse(400, 'no form'),
      ),
    );
    await expect(uploadFiles([new File(['x'], 'a.spa')])).resolves.toEqual([{ id: 'u1', filename: 'a.spa' }]);
  });
  it('fails with the message of the server', async () => {
    server.use(http.post('*/api/uploads', () => errorResponse(413, 'too large')));
    await expect(uploadFiles([new File(['x'], 'a.spa')])).rejects.toMatchObject({ status: 413, message: 'too large' });
  });
});

class FakeSocket {
  static last: FakeSocket | null = null;
  readyState: number = WebSocket.CONNECTING;
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  constructor(readonly url: string) {
    FakeSocket.last = this;
  }
  readonly sent: string[] = [];
  send(text: string) {
    this.sent.push(text);
  }
  open() {
    this.readyState = WebSocket.OPEN;
    this.onopen?.();
  }
  drop() {
    this.readyState = WebSocket.CLOSED;
    this.onclose?.();
  }
  close() {
    this.readyState = WebSocket.CLOSED;
  }
}

describe('live events', () => {
  beforeEach(() => {
    FakeSocket.last = null;
    let count = 0;
    server.use(http.get('*/api/eventbus-login', () => HttpResponse.json({ access_token: `t${++count}`, ttl: 60_000 })));
  });
  it('C-002 renews ten seconds early, only for long-lived tokens', () => {
    expect(tokenRenewalDelay(60_000)).toBe(50_000);
    expect(tokenRenewalDelay(15_000)).toBeNull();
    expect(tokenRenewalDelay(15_001)).toBe(5_001);
  });
  it('E-058 unknown names and unreadable text are ignored', () => {
    expect(queryTopicsOfEvent('somethingElse')).toEqual([]);
    expect(queryTopicsOfEvent('JOB_UPDATED')).toEqual(['jobs']);
    expect(parseLiveEvent('not json')).toBeNull();
    expect(parseLiveEvent('[1]')).toBeNull();
  });
  it('B-002 invalidates and notifies listeners; one failing listener does not affect others', () => {
    const cache = createQueryClient();
    const invalidate = vi.spyOn(cache, 'invalidateQueries');
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const heard = vi.fn();
    const stops = [
      onLiveEvent(() => {
        throw new Error('bad listener');
      }),
      onLiveEvent(heard),
    ];
    dispatchLiveEvent({ mutation: 'updateJob', arg: { status: 'STARTED' } }, cache);
    dispatchLiveEvent({ arg: 1 }, cache);
    stops.forEach((stop) => stop());
    quiet.mockRestore();
    expect(invalidate).toHaveBeenCalledExactlyOnceWith({ queryKey: ['jobs'] });
    expect(heard).toHaveBeenCalledOnce();
  });
  it('B-001 connects with the token, reconnects after a loss and fetches everything again', async () => {
    const cache = createQueryClient();
    const invalidate = vi.spyOn(cache, 'invalidateQueries');
    const connection = new LiveConnection(cache, (url) => new FakeSocket(url) as unknown as WebSocket);
    connection.start();
    await vi.waitFor(() => expect(FakeSocket.last?.url).toBe('ws://studio.test/api/events?token=t1'));
    FakeSocket.last?.open();
    expect(useLiveStore.getState().status).toBe('live');
    expect(invalidate).not.toHaveBeenCalled();
    FakeSocket.last?.drop();
    expect(useLiveStore.getState().status).toBe('offline');
    await vi.waitFor(() => expect(FakeSocket.last?.url).toContain('t2'), { timeout: 4000 });
    usePresenceStore.getState().enter({ project: 'press', document: 'd1' });
    FakeSocket.last?.open();
    const { session } = usePresenceStore.getState();
    expect(FakeSocket.last?.sent.at(-1)).toBe(JSON.stringify({ present: { project: 'press', document: 'd1', session } }));
    usePresenceStore.getState().leave();
    expect(FakeSocket.last?.sent.at(-1)).toBe(JSON.stringify({ present: null }));
    expect(invalidate).toHaveBeenCalledExactlyOnceWith();
    connection.stop();
    expect(useLiveStore.getState().status).toBe('off');
  });
});
