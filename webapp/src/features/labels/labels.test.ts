// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { Label } from '@/api/resources/labels';
import { labelTags } from '@/text/short-name';
import { LABEL_PALETTE } from '@/theme/palette';
import { labelContrasts } from './label-preview';
import { filterLabels } from './label-filter';

const label = (name: string, words: string, more: Partial<Label> = {}): Label => ({ name, label: words, color: '#017D7E', ...more });

describe('labels of the screen', () => {
  it('are found by text, name, identifier and guideline, ignoring case and accents', () => {
    const all = [
      label('person', 'Personne', { identifier: 'Q5' }),
      label('place', 'Lieu', { guideline: 'Villes, pays, régions' }),
      label('date', 'Date'),
    ];
    expect(filterLabels(all, ' ')).toEqual(all);
    expect(filterLabels(all, 'PERS').map(({ name }) => name)).toEqual(['person']);
    expect(filterLabels(all, 'q5').map(({ name }) => name)).toEqual(['person']);
    expect(filterLabels(all, 'regions').map(({ name }) => name)).toEqual(['place']);
    expect(filterLabels(all, 'nothing')).toEqual([]);
  });

  it('have distinct tags', () => {
    const tags = labelTags([label('a', 'Person'), label('b', 'Personal pronoun'), label('c', 'Perso')]);
    expect(tags.get('a')).toBe('PER');
    expect(new Set(tags.values()).size).toBe(3);
  });

  it('show the short name that was set; no other label is proposed it', () => {
    const tags = labelTags([
      label('a', 'Person'),
      label('b', 'Perimeter', { shortName: 'per' }),
      label('c', 'Place', { shortName: 'PLC' }),
    ]);
    expect(tags.get('b')).toBe('per');
    expect(tags.get('c')).toBe('PLC');
    expect(tags.get('a')?.toUpperCase()).not.toBe('PER');
    expect(labelTags([label('a', 'Person', { shortName: '' })]).get('a')).toBe('PER');
    expect(filterLabels([label('c', 'Place', { shortName: 'XQ' })], 'xq')).toHaveLength(1);
  });

  it('stay readable in every colour of the palette, and in any other, in both modes', () => {
    for (const colour of [...LABEL_PALETTE, '#FFFF00', '#000000', '#FFFFFF', 'no colour'])
      for (const mode of ['light', 'dark'] as const) {
        const { bar, fill } = labelContrasts(colour, mode);
        expect(bar, `${colour} ${mode}`).toBeGreaterThanOrEqual(4.5);
        expect(fill, `${colour} ${mode}`).toBeGreaterThanOrEqual(4.5);
      }
  });
});
