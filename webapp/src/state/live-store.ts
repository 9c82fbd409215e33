import { create } from 'zustand';

export type LiveStatus = 'off' | 'connecting' | 'live' | 'offline';

interface LiveState {
  readonly status: LiveStatus;
  /** Start of the present status, milliseconds since the epoch. */
  readonly since: number;
  /** Since when the server takes requests without answering, milliseconds since the epoch. */
  readonly silentSince: number | null;
  setSilent(silent: boolean): void;
  set(status: LiveStatus): void;
}

export const useLiveStore = create<LiveState>((set, get) => ({
  status: 'off',
  since: Date.now(),
  silentSince: null,
  setSilent: (silent) => set({ silentSince: silent ? Date.now() : null }),
  set: (status) => {
    if (status !== get().status) set({ status, since: Date.now() });
  },
}));
