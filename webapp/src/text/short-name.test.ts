// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelDisplayName, proposeTag } from './short-name';

describe('labelDisplayName (V-009, C-030: one form, shortened by width only)', () => {
  it.each([
    ['Person', 'Person'],
    ['role_or_title', 'role or title'],
    ['Company_Operation_Performance_Technology', 'Company Operation Performance Technology'],
    [' Company  name ', 'Company name'],
    ['_', '_'],
  ])('%s becomes %s', (label, name) => {
    expect(labelDisplayName(label)).toBe(name);
  });

  it('labels that differ by more than blanks and underscores stay different', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 120 }), fc.string({ maxLength: 120 }), (one, other) => {
        const bare = (label: string) => label.replace(/[\s_]/gu, '');
        fc.pre(bare(one) !== bare(other));
        expect(labelDisplayName(one)).not.toBe(labelDisplayName(other));
      }),
    );
  });
});

describe('proposeTag', () => {
  it.each([
    ['Person', 'PER'],
    ['Organisation', 'ORG'],
    ['Location', 'LOC'],
    ['Date', 'DATE'],
    ['role_or_title', 'ROLE'],
    ['Law or regulation', 'LAW'],
    ['مؤسسة', 'مؤ'],
    ['组织机构', '组织'],
    ['Carbon capture and storage', 'CCS'],
    ['é', 'É'],
    ['C++', 'C++'],
    ['A-', 'A-'],
    ['>5', '>5'],
    ['👩🏽‍🚀', '👩🏽‍🚀'],
    ['🇫🇷', '🇫🇷'],
    ['!', '!'],
  ])('%s gives %s', (label, tag) => {
    expect(proposeTag(label)).toBe(tag);
  });

  it('stays unique and short', () => {
    const taken = new Set<string>();
    for (let n = 0; n < 40; n += 1) {
      const tag = proposeTag('Person', taken);
      expect(taken.has(tag)).toBe(false);
      expect(tag.length).toBeLessThanOrEqual(4);
      taken.add(tag);
    }
  });

  it('still names a label without letters', () => {
    expect(proposeTag('!!!').length).toBeGreaterThan(1);
  });
});
