import { create } from 'zustand';

export type LiveStatus = 'off' | 'connecting' | 'live' | 'offline';

interface LiveState {
  readonly status: LiveStatus;
  /** Start of the present status, milliseconds since the epoch. */
  readonly since: number;
  set(status: LiveStatus): void;
}

export const useLiveStore = create<LiveState>((set, get) => ({
  status: 'off',
  since: Date.now(),
  set: (status) => {
    if (status !== get().status) set({ status, since: Date.now() });
  },
}));
