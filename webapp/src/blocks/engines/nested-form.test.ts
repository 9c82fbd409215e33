// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { nestedLearnerOf, withComponent, withNestedForm } from './nested-form';

const SCHEMA = {
  type: 'object',
  properties: {
    teacher: { type: 'string', title: 'Learner', 'x-widget': 'learner', default: 'crf' },
    settings: { type: 'object', title: 'Learner settings', additionalProperties: true, 'x-parameters-of': 'teacher' },
    least: { type: 'number' },
  },
};
const NESTED = { name: 'teacher', parameters: 'settings' };
const INNER = { type: 'object', title: 'Random field', description: 'Docs', properties: { iterations: { type: 'integer' } } };

describe('the form of a learner in the form of a suggester (S-042)', () => {
  it('is found by the hints of the fields, whatever their names', () => {
    expect(nestedLearnerOf(SCHEMA)).toEqual(NESTED);
    expect(nestedLearnerOf({ properties: { least: {} } })).toBeUndefined();
    expect(nestedLearnerOf({ properties: { settings: { 'x-parameters-of': 'missing' } } })).toBeUndefined();
  });

  it('has the fields of the learner instead of free text, and leaves the choice to its own input', () => {
    const drawn = withNestedForm({ ...SCHEMA, required: ['teacher', 'least'] }, NESTED, INNER);
    expect(drawn).toEqual({
      type: 'object',
      required: ['least'],
      properties: {
        settings: { type: 'object', title: 'Learner settings', properties: INNER.properties },
        least: SCHEMA.properties.least,
      },
    });
  });

  it('has no free fields for a learner without a form', () => {
    const { properties } = withNestedForm(SCHEMA, NESTED, undefined) as typeof SCHEMA;
    expect(properties.settings).toEqual({ type: 'object', title: 'Learner settings', properties: {} });
  });

  it('keeps what was entered for each learner', () => {
    const kept = new Map();
    const first = { teacher: 'crf', settings: { iterations: 9 }, least: 0.2 };
    const second = withComponent(first, 'other', NESTED, kept);
    expect(second).toEqual({ teacher: 'other', settings: {}, least: 0.2 });
    expect(withComponent({ ...second, settings: { depth: 1 } }, 'crf', NESTED, kept).settings).toEqual({ iterations: 9 });
    expect(withComponent(first, 'other', NESTED, kept).settings).toEqual({ depth: 1 });
  });
});
