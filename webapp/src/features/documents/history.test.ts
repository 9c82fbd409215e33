// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '@/api/resources/history';
import { groupByOperation } from './history-panel';
import { quotedQuery } from './use-search-selected-text';

const entry = (identifier: string, act: string): HistoryEntry => ({
  ...{ identifier, act, entity: 'annotation', entityIdentifier: '1', action: 'created', by: 'ana', date: '2026-01-01T00:00:00Z' },
});

describe('history', () => {
  it('groups changes of one operation', () => {
    const acts = groupByOperation([entry('4', 'b'), entry('3', 'b'), entry('2', 'a'), entry('1', 'b')]);
    expect(acts.map((act) => act.map(({ identifier }) => identifier))).toEqual([['4', '3'], ['2'], ['1']]);
  });
});

describe('search of the selection', () => {
  it('searches for exactly these words, without operators of the query language', () => {
    expect(quotedQuery(' New\n York "City" \\ ')).toBe('"New York City"');
    expect(quotedQuery('a'.repeat(500))).toHaveLength(202);
  });
});
