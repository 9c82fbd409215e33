// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { randomCircles } from './random-image';
import { isWebAddress, MAX_IMAGE_BYTES } from './image-link';
import { personOption, optionsNotTaken } from './people-options';

describe('people to share with', () => {
  const names = ['me', 'lea', 'paul'].map((name) => ({ name, label: name.toUpperCase() }));

  it('leaves out the user and those who already have a share (V-020)', () => {
    expect(optionsNotTaken(names, [{ name: 'paul' }], 'me')).toEqual([{ name: 'lea', label: 'LEA' }]);
  });

  it('shows both names of a person, or one where there is no other', () => {
    const people = [
      { username: 'lea', profilename: 'Léa Roth' },
      { username: 'bot', profilename: 'bot' },
    ];
    expect(people.map(personOption)).toEqual([
      { name: 'lea', label: 'Léa Roth (lea)' },
      { name: 'bot', label: 'bot' },
    ]);
  });

  it('returns null when names cannot be listed', () => {
    expect(optionsNotTaken(null, [], 'me')).toBeNull();
  });
});

describe('images of projects', () => {
  it('accepts complete web addresses only (C-048)', () => {
    expect(MAX_IMAGE_BYTES).toBe(4_194_304);
    expect(['https://example.org/a.png', 'http://example.org'].filter(isWebAddress)).toHaveLength(2);
    for (const wrong of ['', 'example.org', 'javascript:alert(1)', 'file:///etc/passwd', 'https://', 'ftp://example.org']) {
      expect(isWebAddress(wrong)).toBe(false);
    }
  });

  it('draws circles inside the image', () => {
    let step = 0;
    const drawn = randomCircles(() => (step++ % 10) / 10, 30);
    expect(drawn).toHaveLength(30);
    expect(drawn.every(({ x, y, colour }) => x <= 640 && y <= 480 && colour.startsWith('#'))).toBe(true);
  });
});
