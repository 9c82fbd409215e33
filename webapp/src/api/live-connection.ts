/** The live connection (B-001, B-002, C-002): gets a token by HTTP, then opens a WebSocket; events invalidate queries. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { useLiveStore } from '@/state/live-store';
import { usePresenceStore } from '@/state/presence-store';
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

/** Registers a handler for all events; returns the function that removes it. */
export function onLiveEvent(handler: LiveHandler): () => void {
  handlers.add(handler);
  return () => handlers.delete(handler);
}

/** Returns true when it applied the event to the cache, so that nothing is fetched again. */
type ApplyLabelling = (name: string, project: string | undefined, arg: unknown, client: QueryClient, topics: readonly string[]) => boolean;

let applyLabelling: ApplyLabelling = () => false;

/** Called by `live-labelling`, which is loaded with the first session: nobody labels before. */
export function applyLabellingWith(apply: ApplyLabelling): void {
  applyLabelling = apply;
}

/** An event whose name contains a noun invalidates the queries of that noun. Query keys start with these words. */
const TOPICS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/job/i, ['jobs']],
  [/project|share|visib|config/i, ['projects']],
  [/label/i, ['labels', 'metrics']],
  // New documents may bring labels, and change the counts of a project.
  [/document/i, ['labels', 'projects']],
  [/document|segment|annotation|categor|labelling|alt.?text/i, ['documents', 'segments', 'metrics', 'suggestions']],
  [/annotation|categor|labelling/i, ['experiments']],
  [/comment/i, ['comments']],
  [/relation/i, ['relations', 'documents']],
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

/** First parts of the query keys an event invalidates; empty for unsupported names (E-058). */
export function queryTopicsOfEvent(name: string): readonly string[] {
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
  if (name === 'presence') return usePresenceStore.getState().receive(event.project, event.arg);
  // Several a second; their handler applies them to the cache.
  const topics = name === 'answer' ? [] : queryTopicsOfEvent(name);
  const applied = applyLabelling(name, event.project, event.arg, queryClient, topics);
  for (const topic of applied ? [] : topics) void queryClient.invalidateQueries({ queryKey: [topic] satisfies QueryKey });
  for (const handler of handlers) {
    try {
      handler(event, name);
    } catch (error) {
      console.error('Live event failed', name, error);
    }
  }
}

const CHECK_MS = 2000;
const HEARTBEAT_TIMEOUT_MS = 10_000;
const SHORT_TTL_MS = 15_000;

/** C-002: delay until the renewal, in milliseconds; null for short-lived tokens, used until the server closes. */
export function tokenRenewalDelay(ttl: number): number | null {
  return ttl > SHORT_TTL_MS ? ttl - HEARTBEAT_TIMEOUT_MS : null;
}

type OpenSocket = (url: string) => WebSocket;

/** Shorter than the server's timeout for silent clients. */
const PRESENCE_INTERVAL_MS = 25_000;

export class LiveConnection {
  private socket: WebSocket | null = null;
  /** The next socket, until it is open, so that no event is missed while the token is renewed. */
  private opening: WebSocket | null = null;
  private timer: ReturnType<typeof setInterval> | undefined;
  private renewAt: number | null = null;
  private presenceSentAt = 0;
  private connecting = false;
  private wasDisconnected = false;
  private unsubscribePresence: () => void = () => undefined;

  constructor(
    private readonly queryClient: QueryClient,
    private readonly openSocket: OpenSocket = (url) => new WebSocket(url),
    private readonly onBack: () => void = () => undefined,
  ) {}

  start(): void {
    if (this.timer !== undefined) return;
    void this.connect();
    this.timer = setInterval(() => this.check(), CHECK_MS);
    this.unsubscribePresence = usePresenceStore.subscribe(({ location }, before) => {
      if (location !== before.location) this.sendPresence();
    });
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.unsubscribePresence();
    this.close();
    this.opening = discardSocket(this.opening);
    useLiveStore.getState().set('off');
  }

  /** Connects immediately instead of at the next check. */
  retry(): void {
    if (this.timer !== undefined && !this.isOpen()) void this.connect();
  }

  private isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  private check(): void {
    const due = this.renewAt !== null && Date.now() >= this.renewAt;
    const pending = this.opening?.readyState === WebSocket.CONNECTING;
    if ((due || !this.isOpen()) && !pending) void this.connect();
    if (Date.now() - this.presenceSentAt >= PRESENCE_INTERVAL_MS && usePresenceStore.getState().location !== null) this.sendPresence();
  }

  private close(): void {
    this.socket = discardSocket(this.socket);
  }

  private async connect(): Promise<void> {
    if (this.connecting) return;
    this.connecting = true;
    try {
      const { access_token: token, ttl } = await call(client.GET('/eventbus-login'));
      if (this.timer === undefined) return;
      const after = tokenRenewalDelay(ttl);
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
    discardSocket(this.opening);
    this.opening = socket;
    socket.onopen = () => {
      this.close();
      this.socket = socket;
      this.opening = null;
      useLiveStore.getState().set('live');
      // Events missed while disconnected are not replayed, so the displayed data is fetched again.
      if (this.wasDisconnected) {
        void this.queryClient.invalidateQueries();
        this.onBack();
      }
      this.wasDisconnected = false;
      this.sendPresence();
    };
    socket.onmessage = ({ data }) => {
      const event = parseLiveEvent(data);
      if (event !== null) dispatchLiveEvent(event, this.queryClient);
    };
    socket.onclose = () => {
      if (this.opening === socket) this.opening = null;
      if (this.socket === socket || this.socket === null) this.goneOffline(null);
    };
  }

  /** Reports which document is open, so that its other readers are notified. */
  private sendPresence(): void {
    if (!this.isOpen()) return;
    this.presenceSentAt = Date.now();
    const { location, session } = usePresenceStore.getState();
    this.socket?.send(JSON.stringify({ present: location === null ? null : { ...location, session } }));
  }

  private goneOffline(error: unknown): void {
    this.wasDisconnected = true;
    if (error !== null) console.info('Live updates are interrupted', error);
    if (this.timer !== undefined) useLiveStore.getState().set('offline');
  }
}

function discardSocket(socket: WebSocket | null): null {
  if (socket !== null) {
    socket.onclose = null;
    socket.onmessage = null;
    socket.onopen = null;
    socket.close();
  }
  return null;
}
