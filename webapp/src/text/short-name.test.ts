import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SHORT_NAME_LIMIT, proposeTag, shortLabelName } from './short-name';

describe('shortLabelName (V-009, C-030)', () => {
  it.each([
    ['Person', 'Person'],
    ['role_or_title', 'role or title'],
    ['Company_Operation_Performance_Technology', 'Cie Op Perf Tech'],
    ['Company name', 'Company name'],
  ])('%s becomes %s', (label, short) => {
    expect(shortLabelName(label)).toBe(short);
  });

  it('shortens words, then cuts the middle with an ellipsis', () => {
    expect(shortLabelName('International_Administrative Regulations_Enforcement_Authority')).toContain('…');
    expect(shortLabelName('Extraordinary Circumstances Case')).toBe('Extraor. Circums. Case');
  });

  it('is always under 30 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (label) => {
        const length = [...new Intl.Segmenter().segment(shortLabelName(label))].length;
        expect(length).toBeLessThan(SHORT_NAME_LIMIT);
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
