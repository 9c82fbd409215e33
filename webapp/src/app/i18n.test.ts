import i18next from 'i18next';
import { expect, it } from 'vitest';
import messages from '@/locales/en/messages.json';
import { loadLaterMessages, loadServerMessages, startI18n } from './i18n';

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

it('adds the messages of reports to those that are there', async () => {
  await startI18n();
  await loadServerMessages();
  i18next.removeResourceBundle('en', 'messages');
  i18next.addResourceBundle('en', 'messages', { denied: messages.denied });
  expect(i18next.exists('messages:term.circle')).toBe(false);
  await loadLaterMessages();
  expect(i18next.t('messages:term.circle')).toBe(messages.term.circle);
  expect(i18next.t('messages:denied.createProject')).toBe(messages.denied.createProject);
});
