// @vitest-environment node
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import french from '@/locales/fr/messages.json';
import { translatedMessageOf } from './server-messages';

beforeAll(async () => {
  await i18next.init({ lng: 'fr', resources: { fr: { messages: french } } });
});

describe('messages of the server', () => {
  const imported = { code: 'outcome.imported', values: { count: 1 }, text: '1 imported' };
  const refused = { code: 'outcome.refused', values: { count: 1200 }, text: '1,200 refused' };
  const parts = { code: 'joined', values: { parts: [imported, refused], separator: ', ' }, text: '' };

  it('are translated, including messages inside messages', () => {
    const job = { statusMessage: 'English', said: { statusMessage: { code: 'import.done', values: { parts, count: 1201 } } } };
    expect(translatedMessageOf(job, 'statusMessage')?.replaceAll(/\s/g, ' ')).toBe('1 importé, 1 200 refusés sur 1 201 reçus');
  });

  it('are shown unchanged without a code or with an unknown one, and not at all when absent', () => {
    expect(translatedMessageOf({ message: 'As it is' }, 'message')).toBe('As it is');
    expect(translatedMessageOf({ message: 'Newer', said: { message: { code: 'of.tomorrow', values: {} } } }, 'message')).toBe('Newer');
    expect(translatedMessageOf({ said: { message: imported } }, 'message')).toBeUndefined();
  });
});
