// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Project } from '@/api/resources/projects';
import { countRange, filterProjects, PROJECT_FACETS, projectFacets } from './project-facets';
import { defaultNature, nameError, nameFromArchive } from './project-name';

const project = (label: string, change: Partial<Project> = {}): Project => ({
  name: label,
  label,
  description: '',
  image: '',
  lang: 'en',
  ...change,
});
const list = [
  project('Regional Press', { nature: 'sequence_labelling', documents: 12 }),
  project('Tickets', { nature: 'classification', lang: 'fr', documents: 900, group: { name: 'g', label: 'Support' } }),
  project('Questions', { nature: 'question_answering', lang: 'fr', documents: 0 }),
];
const plus = (facetName: string, facetValue: string, facetSelector: '+' | '-' = '+') => ({ facetName, facetValue, facetSelector });
const names = (found: readonly Project[]) => found.map((item) => item.label);

describe('count ranges (C-070)', () => {
  it.each([
    [0, '0'],
    [1, '~1'],
    [9, '~1'],
    [10, '~10'],
    [99, '~10'],
    [100, '~100'],
    [1000, '~1k'],
    [10_000, '~10k'],
    [100_000, '~100k'],
    [1e6, '~1M'],
    [1e7, '~10M'],
    [1e8, '100M+'],
    [5e9, '100M+'],
  ])('%i -> %s', (count, range) => expect(countRange(count)).toBe(range));
});

describe('project facets (C-069)', () => {
  it('has the fifteen facets in order', () =>
    expect(PROJECT_FACETS).toEqual([
      'nature',
      'language',
      'engines',
      'algorithms',
      'components',
      'group',
      'owner',
      'private',
      'hasSplit',
      'readOnly',
      'documents',
      'segments',
      'annotations',
      'categories',
      'terms',
    ]));
  it('counts values; missing values are not counted', () => {
    const facets = new Map(
      projectFacets(
        list,
        (name) => name,
        (_name, value) => value,
      ).map((facet) => [facet.name, facet.values.map(({ value, count }) => `${value} ${count}`)]),
    );
    expect(facets.get('language')).toEqual(['fr 2', 'en 1']);
    expect(facets.get('documents')).toEqual(['0 1', '~10 1', '~100 1']);
    expect(facets.get('group')).toEqual(['Support 1']);
    expect(facets.get('terms')).toEqual([]);
  });
});

describe('filtering', () => {
  it('V-019 case-insensitive substring of the label', () => expect(names(filterProjects(list, ' pRESS ', []))).toEqual(['Regional Press']));
  it('values of one facet are alternatives, facets narrow each other, exclusion removes', () => {
    expect(names(filterProjects(list, '', [plus('nature', 'classification'), plus('nature', 'sequence_labelling')]))).toEqual([
      'Regional Press',
      'Tickets',
    ]);
    expect(
      names(filterProjects(list, '', [plus('nature', 'classification'), plus('nature', 'sequence_labelling'), plus('language', 'fr')])),
    ).toEqual(['Tickets']);
    expect(names(filterProjects(list, '', [plus('language', 'fr', '-')]))).toEqual(['Regional Press']);
  });
});

describe('names of projects', () => {
  it.each([
    ['regional_press_2026-01-31.spa', 'Regional Press'],
    ['support_tickets-20260131_1530.spa', 'Support Tickets'],
    ['2026-01-31_regional_press.spa', 'Regional Press'],
    ['20260131_1530-support_tickets.spa', 'Support Tickets'],
    ['2026-01-31T15-30-00 support tickets.spa', 'Support Tickets'],
    ['1984_review.spa', '1984 Review'],
    ['Plain.spa', 'Plain'],
    ['été_2026.spa', 'Été 2026'],
  ])('V-011 %s -> %s', (file, name) => expect(nameFromArchive(file)).toBe(name));
  it('V-006, C-043 required and at most 30', () => {
    expect(nameError('  ')).toBe('missing');
    expect(nameError('x'.repeat(30))).toBeNull();
    expect(nameError('x'.repeat(31))).toBe('long');
  });
  it('C-055 default nature', () => {
    const all = ['classification', 'sequence_labelling', 'question_answering'];
    expect(defaultNature(all, ['answers'])).toBe('question_answering');
    // Where questions cannot be answered yet, it is not proposed.
    expect(defaultNature(all, [])).toBe('sequence_labelling');
    expect(defaultNature(['question_answering'])).toBe('question_answering');
    expect(defaultNature(['classification', 'sequence_labelling'])).toBe('sequence_labelling');
    expect(defaultNature(['classification'])).toBe('classification');
  });
});
