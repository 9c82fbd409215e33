import { create } from 'zustand';

/** A syntax error in a query: its offset in code points, and the reason. */
export interface QuerySyntaxError {
  readonly position: number;
  readonly reason: string;
}

/** What the present screen provides for the search box of the app bar; null on screens without search (W-003). */
export interface SearchBoxContent {
  readonly placeholder: string;
  readonly query: string;
  readonly queryError?: QuerySyntaxError | undefined;
  /** Called 850 ms after the last key (`explicit` false) or immediately on Enter (`explicit` true). */
  onSearch(query: string, explicit: boolean): void;
}

interface SearchState {
  readonly slot: SearchBoxContent | null;
  /** Text is typed whose results are not asked for yet: those on the screen are old. */
  readonly typing: boolean;
  setTyping(typing: boolean): void;
  setSlot(slot: SearchBoxContent | null): void;
}

export const useSearchStore = create<SearchState>((set) => ({
  slot: null,
  typing: false,
  setTyping: (typing) => set({ typing }),
  setSlot: (slot) => set({ slot }),
}));
