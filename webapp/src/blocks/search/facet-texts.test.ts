// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { facetsFromAggregations, facetValuesFromBuckets, type FacetTexts } from './facet-texts';

const TEXTS: FacetTexts = { title: (name) => name, value: (_name, value) => value.toUpperCase(), colour: () => undefined };
const bucket = (key: string) => ({ key, doc_count: 1 });

describe('facets of a response', () => {
  it('V-021 drops facets without a bucket and keeps a chosen value visible', () => {
    const facets = facetsFromAggregations(
      [
        { name: 'createdBy', buckets: [bucket('ana')] },
        { name: 'split', buckets: [] },
        { name: 'relation', buckets: [bucket('lives in')] },
        { name: 'label', buckets: [bucket('person')] },
      ],
      [{ facetName: 'label', facetValue: 'place', facetSelector: '-' }],
      TEXTS,
    );
    expect(facets.map(({ name }) => name)).toEqual(['label', 'relation', 'createdBy']);
    expect(facets[0]?.values.map(({ value, count }) => [value, count])).toEqual([
      ['person', 1],
      ['place', 0],
    ]);
  });

  it('W-015 shows the sum of the other values, but not as a selectable value', () => {
    const rest = { key: 'sum_other_doc_count_label', doc_count: 7 };
    const [facet] = facetsFromAggregations([{ name: 'label', buckets: [bucket('person'), rest] }], [], TEXTS);
    expect(facet).toMatchObject({ rest: 7, values: [{ value: 'person' }] });
    expect(facetValuesFromBuckets('label', [rest, bucket('place')], TEXTS).map(({ value }) => value)).toEqual(['place']);
  });
});
