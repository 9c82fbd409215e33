/** Finding words in the open document. The text is drawn row by row, so the browser's own search would miss most of it. */
import { useDeferredValue, useEffect, useMemo, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { firstVisibleOffset } from '@/annotation/drawing/dom-offset';
import type { SearchHit, TextRange } from '@/annotation/model';
import type { SurfaceHandle } from '@/annotation/surface/surface-types';
import { findInText, foldText, indexFrom, type FindOptions } from '@/text/find-in-text';
import { useCommands } from '@/ui/command-registry';

const LONGEST_SELECTION = 200;
const DRAWN_AFTER_MS = 80;
const NOTHING: readonly TextRange[] = [];

interface FindState extends FindOptions {
  readonly open: boolean;
  readonly words: string;
  /** The match at or after this offset is the current one. */
  readonly from: number;
  /** Grows with each request to type the words. */
  readonly requests: number;
}

const CLOSED: FindState = { open: false, words: '', from: 0, requests: 0, exact: false, wholeWords: false };

export interface Find extends FindState {
  /** From 0; of `total` matches. */
  readonly index: number;
  readonly total: number;
  /** What to mark in the text; undefined: nothing is searched. */
  readonly hits: readonly SearchHit[] | undefined;
  /** The matches are of earlier words. */
  readonly late: boolean;
  readonly type: (words: string) => void;
  readonly change: (options: Partial<FindOptions>) => void;
  readonly move: (step: 1 | -1) => void;
  readonly close: () => void;
}

function useMatches(text: string, { open, words, exact, wholeWords }: FindState): readonly TextRange[] {
  const folded = useMemo(() => (open ? foldText(text, exact) : undefined), [open, text, exact]);
  return useMemo(() => (folded === undefined ? NOTHING : findInText(folded, words, wholeWords)), [folded, words, wholeWords]);
}

/** The words to start with: the selected ones, unless they are too many. */
function wordsOfSelection(text: string, selection: TextRange | undefined): string {
  const selected = selection === undefined ? '' : text.slice(selection.start, selection.end).trim();
  return selected.length > LONGEST_SELECTION || selected.includes('\n') ? '' : selected;
}

/** Scrolls to the row of the match, then, when it is drawn, to the match: a row may be higher than the window. */
function useScrollToMatch(surface: RefObject<SurfaceHandle | null>, start: number | undefined): void {
  useEffect(() => {
    if (start === undefined) return undefined;
    surface.current?.scrollTo(start);
    const timer = setTimeout(() => {
      // Optional: there is nothing to scroll where no layout exists (tests).
      window.document.querySelector('.ann-current-hit')?.scrollIntoView?.({ block: 'nearest' });
    }, DRAWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [surface, start]);
}

/** `Ctrl F` opens the search, `F3` goes on. */
export function useFind(text: string, selection: TextRange | undefined, surface: RefObject<SurfaceHandle | null>): Find {
  const { t } = useTranslation('documents');
  const [state, setState] = useState(CLOSED);
  const deferred = useDeferredValue(state);
  const matches = useMatches(text, deferred);
  const index = indexFrom(matches, state.from);
  const current = matches[index];
  const searching = state.open && deferred.words.trim() !== '';
  const start = searching ? current?.start : undefined;
  const hits = useMemo(
    () => (searching ? matches.map((match): SearchHit => (match.start === start ? { ...match, current: true } : match)) : undefined),
    [searching, matches, start],
  );
  useScrollToMatch(surface, start);

  const change = (part: Partial<FindState>) => setState((before) => ({ ...before, ...part }));
  const open = () => {
    const selected = wordsOfSelection(text, selection);
    const from = selection?.start ?? firstVisibleOffset(window.document) ?? 0;
    setState((before) => ({
      ...before,
      open: true,
      requests: before.requests + 1,
      ...(selected === '' ? {} : { words: selected }),
      ...(before.open && selected === '' ? {} : { from }),
    }));
  };
  const move = (step: 1 | -1) => {
    const next = matches[(index + step + matches.length) % Math.max(1, matches.length)];
    if (next === undefined) return;
    change({ from: next.start });
    // The reader may have scrolled away from the only match.
    surface.current?.scrollTo(next.start);
  };
  const close = () => {
    change({ open: false });
    surface.current?.focus();
  };
  const disabled = !state.open;
  useCommands(() => [
    { id: 'document.find', section: 'text', title: t('find.open'), keys: ['Mod+F'], everywhere: true, run: open },
    { id: 'document.findNext', section: 'text', title: t('find.next'), keys: ['F3'], everywhere: true, disabled, run: () => move(1) },
    {
      id: 'document.findPrevious',
      section: 'text',
      title: t('find.previous'),
      keys: ['Shift+F3'],
      everywhere: true,
      disabled,
      run: () => move(-1),
    },
  ]);
  const type = (words: string) => change({ words });
  return { ...state, index, total: matches.length, hits, late: deferred.words !== state.words, type, change, move, close };
}
