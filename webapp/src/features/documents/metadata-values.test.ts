// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { isEditableValue, metadataKindOf, parseMetadataValue, valueAsText, type MetadataKind } from './metadata-values';

describe('metadata values', () => {
  it('S-013 keep their type in the form', () => {
    for (const value of ['text', 12, 9.5, 0, true, false, '2026-01-31', ['a', 7, false]])
      expect(parseMetadataValue(metadataKindOf(value), valueAsText(value), value)).toEqual(value);
  });

  it('are refused when they are invalid for the kind', () => {
    const wrong: readonly (readonly [MetadataKind, string])[] = [
      ['number', 'twelve'],
      ['number', ' '],
      ['date', '2026-13-01'],
      ['date', 'today'],
      ['text', '  '],
      ['list', '\n \n'],
    ];
    for (const [kind, text] of wrong) expect(parseMetadataValue(kind, text)).toBeUndefined();
    expect(parseMetadataValue('number', '9,5')).toBe(9.5);
  });

  it('of other shapes are not editable', () => {
    expect([{ a: 1 }, [['a']], 'a', null].map(isEditableValue)).toEqual([false, false, true, true]);
  });
});
