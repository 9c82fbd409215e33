/** The live connection (B-001, B-002, C-002): token by HTTP, then a WebSocket; events invalidate queries. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { useLiveStore } from '@/state/live-store';
import { BASE, call, client } from './client';

export interface LiveEvent {
  readonly user?: string;
  readonly userGroup?: string;
  readonly project?: string;
  readonly global?: boolean;
  readonly mutation?: string;
  readonly action?: string;
  readonly arg?: unknown;
}

export type LiveHandler = (event: LiveEvent, name: string) => void;

const handlers = new Set<LiveHandler>();

/** Features listen here; returns the function that stops listening. */
export function onLiveEvent(handler: LiveHandler): () => void {
  handlers.add(handler);
  return () => handlers.delete(handler);
}

/** A name mentioning a noun makes the queries of that noun stale. Query keys start with these words. */
const TOPICS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/job/i, ['jobs']],
  [/project|share|visib|config/i, ['projects']],
  [/label/i, ['labels', 'metrics']],
  [/document|segment|annotation|categor|labelling|alt.?text/i, ['documents', 'segments', 'metrics', 'suggestions']],
  [/annotation|categor|labelling/i, ['experiments']],
  [/suggest/i, ['suggestions', 'suggesters', 'metrics']],
  [/experiment|model/i, ['experiments', 'annotators', 'metrics']],
  [/gazetteer|lexicon|term/i, ['gazetteers', 'lexicons', 'terms']],
  [/plan|pipeline/i, ['plans']],
  [/annotator/i, ['annotators']],
  [/campaign|session/i, ['campaigns']],
  [/message/i, ['messages']],
  [/theme/i, ['themes']],
  [/question|answer/i, ['questions']],
];

/** Query-key heads an event touches; empty for unsupported names (E-058). */
export function topicsOf(name: string): readonly string[] {
  return TOPICS.flatMap(([pattern, topics]) => (pattern.test(name) ? topics : []));
}

export function parseLiveEvent(text: unknown): LiveEvent | null {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LiveEvent) : null;
  } catch {
    return null;
  }
}

export function dispatchLiveEvent(event: LiveEvent, queryClient: QueryClient): void {
  const name = event.mutation ?? event.action;
  if (typeof name !== 'string') return;
  for (const topic of topicsOf(name)) void queryClient.invalidateQueries({ queryKey: [topic] satisfies QueryKey });
  for (const handler of handlers) {
    try {
      handler(event, name);
    } catch (error) {
      console.error('Live event failed', name, error);
    }
  }
}

const CHECK_MS = 2000;
const LATE_MS = 10_000;
const SHORT_TTL_MS = 15_000;

/** C-002: when to renew, milliseconds after the token was given; null for short-lived tokens, used until the server closes. */
export function renewAfter(ttl: number): number | null {
  return ttl > SHORT_TTL_MS ? ttl - LATE_MS : null;
}

type OpenSocket = (url: string) => WebSocket;

export class LiveConnection {
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setInterval> | undefined;
  private renewAt: number | null = null;
  private connecting = false;
  private lost = false;

  constructor(
    private readonly queryClient: QueryClient,
    private readonly openSocket: OpenSocket = (url) => new WebSocket(url),
  ) {}

  start(): void {
    if (this.timer !== undefined) return;
    void this.connect();
    this.timer = setInterval(() => this.check(), CHECK_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.close();
    useLiveStore.getState().set('off');
  }

  /** At once, instead of at the next check. */
  retry(): void {
    if (this.timer !== undefined && !this.isOpen()) void this.connect();
  }

  private isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  private check(): void {
    const due = this.renewAt !== null && Date.now() >= this.renewAt;
    const pending = this.socket?.readyState === WebSocket.CONNECTING;
    if (due || (!this.isOpen() && !pending)) void this.connect();
  }

  private close(): void {
    if (this.socket !== null) this.socket.onclose = null;
    this.socket?.close();
    this.socket = null;
  }

  private async connect(): Promise<void> {
    if (this.connecting) return;
    this.connecting = true;
    try {
      const { access_token: token, ttl } = await call(client.GET('/eventbus-login'));
      if (this.timer === undefined) return;
      this.close();
      const after = renewAfter(ttl);
      this.renewAt = after === null ? null : Date.now() + after;
      const origin = location.origin.replace(/^http/, 'ws');
      this.listen(this.openSocket(`${origin}${BASE}/events?token=${encodeURIComponent(token)}`));
    } catch (error) {
      this.goneOffline(error);
    } finally {
      this.connecting = false;
    }
  }

  private listen(socket: WebSocket): void {
    this.socket = socket;
    socket.onopen = () => {
      useLiveStore.getState().set('live');
      // Events missed while away are not replayed: what is on screen is read again.
      if (this.lost) void this.queryClient.invalidateQueries();
      this.lost = false;
    };
    socket.onmessage = ({ data }) => {
      const event = parseLiveEvent(data);
      if (event !== null) dispatchLiveEvent(event, this.queryClient);
    };
    socket.onclose = () => this.goneOffline(null);
  }

  private goneOffline(error: unknown): void {
    this.lost = true;
    if (error !== null) console.info('Live updates are interrupted', error);
    if (this.timer !== undefined) useLiveStore.getState().set('offline');
  }
}
