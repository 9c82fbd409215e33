/** Other users in the open document, as reported by the live connection. */
import { create } from 'zustand';

export interface PresenceLocation {
  readonly project: string;
  readonly document: string;
}

interface Person {
  readonly user: string;
  /** Expiry, milliseconds since the epoch; renewed every 25 s. */
  readonly until: number;
}

interface PresenceState {
  /** Identifies this window to the others. */
  readonly session: string;
  readonly location: PresenceLocation | null;
  /** Window -> user. */
  readonly people: ReadonlyMap<string, Person>;
  enter(place: PresenceLocation): void;
  leave(): void;
  receive(project: string | undefined, arg: unknown): void;
  /** Removes expired windows. */
  prune(now?: number): void;
}

const PRESENT_MS = 75_000;
/** A window that renews its connection comes back within this time. */
const GONE_MS = 3000;

const newWindowSessionId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');

interface PresenceMessage {
  readonly type?: unknown;
  readonly documentIdentifier?: unknown;
  readonly user?: unknown;
  readonly session?: unknown;
}

export const usePresenceStore = create<PresenceState>((set, get) => ({
  session: newWindowSessionId(),
  location: null,
  people: new Map(),
  enter: (place) => set({ location: place, people: new Map() }),
  leave: () => set({ location: null, people: new Map() }),
  receive: (project, arg) => {
    const { type, documentIdentifier, user, session } = (arg ?? {}) as PresenceMessage;
    const { location, people } = get();
    if (typeof user !== 'string' || typeof session !== 'string' || session === get().session) return;
    if (location === null || location.project !== project || location.document !== documentIdentifier) return;
    if (type === 'gone' && !people.has(session)) return;
    const until = Date.now() + (type === 'gone' ? GONE_MS : PRESENT_MS);
    set({ people: new Map(people).set(session, { user, until }) });
  },
  prune: (now = Date.now()) => {
    const { people } = get();
    const there = new Map([...people].filter(([, { until }]) => until > now));
    if (there.size < people.size) set({ people: there });
  },
}));
