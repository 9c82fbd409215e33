import { describe, expect, it } from 'vitest';
import type { Label } from '@/api/resources/labels';
import { LABEL_PALETTE } from '@/theme/palette';
import { contrastsOf } from './label-preview';
import { matching, tagsOf } from './label-rules';

const label = (name: string, words: string, more: Partial<Label> = {}): Label => ({ name, label: words, color: '#017D7E', ...more });

describe('labels of the screen', () => {
  it('are found by words, name, identifier and guideline, without regard to case and accents', () => {
    const all = [
      label('person', 'Personne', { identifier: 'Q5' }),
      label('place', 'Lieu', { guideline: 'Villes, pays, régions' }),
      label('date', 'Date'),
    ];
    expect(matching(all, ' ')).toEqual(all);
    expect(matching(all, 'PERS').map(({ name }) => name)).toEqual(['person']);
    expect(matching(all, 'q5').map(({ name }) => name)).toEqual(['person']);
    expect(matching(all, 'regions').map(({ name }) => name)).toEqual(['place']);
    expect(matching(all, 'nothing')).toEqual([]);
  });

  it('have tags of their own', () => {
    const tags = tagsOf([label('a', 'Person'), label('b', 'Personal pronoun'), label('c', 'Perso')]);
    expect(tags.get('a')).toBe('PER');
    expect(new Set(tags.values()).size).toBe(3);
  });

  it('stay readable in every colour of the palette, and in any other, in both modes', () => {
    for (const colour of [...LABEL_PALETTE, '#FFFF00', '#000000', '#FFFFFF', 'no colour'])
      for (const mode of ['light', 'dark'] as const) {
        const { bar, fill } = contrastsOf(colour, mode);
        expect(bar, `${colour} ${mode}`).toBeGreaterThanOrEqual(4.5);
        expect(fill, `${colour} ${mode}`).toBeGreaterThanOrEqual(4.5);
      }
  });
});
