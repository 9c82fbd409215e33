import i18next from 'i18next';
import { expect, it } from 'vitest';
import { loadServerMessages, startI18n } from './i18n';

it('loads the catalogues of the first page at start, those of server messages when asked', async () => {
  await startI18n();
  const namespaces = [i18next.options.ns ?? []].flat();
  expect(namespaces).toContain('shell');
  expect(namespaces).not.toContain('messages');
  expect(namespaces.filter((name) => !i18next.hasResourceBundle('en', name))).toEqual([]);
  expect(i18next.hasResourceBundle('en', 'messages')).toBe(false);
  await loadServerMessages();
  expect(i18next.hasResourceBundle('en', 'messages')).toBe(true);
});
