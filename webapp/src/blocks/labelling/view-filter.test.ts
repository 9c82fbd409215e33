// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { span } from '@/annotation/testing/fixtures';
import { applyViewFilter, DEFAULT_VIEW_FILTER, isDefaultFilter, widenedFilter, withLabelHidden } from './view-filter';

const spans = [
  span('a', 0, 4, 'person', { creator: 'ann' }),
  span('b', 5, 9, 'location', { creator: 'bob' }),
  span('c', 5, 9, 'person', { creator: 'bob', status: 'failed' }),
];
const shown = (filter = DEFAULT_VIEW_FILTER) => applyViewFilter(spans, filter).map(({ id }) => id);

describe('the layout filter (D-015)', () => {
  it('hides the annotations of a label and shows them again; unsaved ones are always drawn', () => {
    const hidden = withLabelHidden(DEFAULT_VIEW_FILTER, 'person', true);
    expect(shown()).toEqual(['a', 'b', 'c']);
    expect(shown(hidden)).toEqual(['b', 'c']);
    expect(withLabelHidden(hidden, 'person', true).hidden).toEqual(['person']);
    expect(isDefaultFilter(hidden)).toBe(false);
    expect(isDefaultFilter(withLabelHidden(hidden, 'person', false))).toBe(true);
  });

  it('combines creators and hidden labels', () => {
    const filter = { ...withLabelHidden(DEFAULT_VIEW_FILTER, 'location', true), createdBy: ['ann'] };
    expect(shown(filter)).toEqual(['a', 'c']);
  });

  it('lets new annotations through, whatever was hidden', () => {
    expect(isDefaultFilter(widenedFilter(DEFAULT_VIEW_FILTER, 'person', 'cleo'))).toBe(true);
    const narrow = {
      ...withLabelHidden(DEFAULT_VIEW_FILTER, 'person', true),
      createdBy: ['bob'],
      statuses: ['KO'],
      creationModes: [],
    } as const;
    const made = [span('d', 10, 14, 'person', { creator: 'cleo' })];
    expect(applyViewFilter(made, narrow)).toEqual([]);
    expect(applyViewFilter(made, widenedFilter(narrow, 'person', 'cleo'))).toEqual(made);
  });
});
