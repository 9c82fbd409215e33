import i18next from 'i18next';
import { expect, it } from 'vitest';
import { startI18n } from './i18n';

it('loads the catalogues of the shell and of the server messages at start', async () => {
  await startI18n();
  const namespaces = [i18next.options.ns ?? []].flat();
  expect(namespaces).toContain('messages');
  expect(namespaces.filter((name) => !i18next.hasResourceBundle('en', name))).toEqual([]);
});
