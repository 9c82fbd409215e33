import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { notifyFailure } from '@/api/errors';
import { narrowerQuery } from '@/api/resources/terms';
import { missingPages, rowsOf, withPage, type LoadedTree, type TreeRow } from './tree-rows';

const NO_TREE: LoadedTree = new Map();

/**
 * The opened part of the hierarchy of a lexicon. `version`: changes with its terms; what is loaded is then read again, and what was opened
 * stays open.
 */
export function useTree(project: string, lexicon: string, version: string) {
  const queryClient = useQueryClient();
  const [tree, setTree] = useState<LoadedTree>(NO_TREE);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [failed, setFailed] = useState<unknown>(null);
  const [read, setRead] = useState(version);
  const requested = useRef(new Set<string>());
  if (read !== version) {
    setRead(version);
    setTree(NO_TREE);
    setFailed(null);
  }
  useEffect(() => {
    requested.current = new Set();
  }, [version]);
  const rows = useMemo(() => rowsOf(tree, opened), [tree, opened]);

  /** Loads those of the rows that are shown. */
  const load = useCallback(
    (shown: readonly TreeRow[]) => {
      const asked = requested.current;
      for (const { parent, from } of missingPages(shown)) {
        const key = `${from} ${parent}`;
        if (asked.has(key)) continue;
        asked.add(key);
        queryClient.fetchQuery({ ...narrowerQuery(project, lexicon, parent, from), retry: false }).then(
          (page) => {
            // An answer for the terms before a change is not shown.
            if (requested.current === asked) setTree((known) => withPage(known, parent, from, page));
          },
          (error: unknown) => {
            setFailed(error);
            notifyFailure(error, 'searchTerms');
          },
        );
      }
    },
    [queryClient, project, lexicon],
  );

  const toggle = (path: string) => {
    const next = new Set(opened);
    if (!next.delete(path)) next.add(path);
    setOpened(next);
  };
  const again = () => {
    requested.current = new Set();
    setFailed(null);
    setTree(new Map(tree));
  };
  return { rows, load, toggle, failed, again };
}
