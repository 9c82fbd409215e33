/** Route-level tests: the real router table, guard and shell, on a memory history, against msw. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter } from 'react-router';
import { render } from '@testing-library/react';
import { routeObjects } from '@/app/router';
import { Studio } from '@/app/studio';
import { queryClient } from '@/api/query-client';
import { resetStart } from '@/app/session-lifecycle';
import { useNotificationsStore } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';

const catalogues = import.meta.glob<Record<string, unknown>>('../locales/*/*.json', { import: 'default', eager: true });

/** Loads all catalogues, so that nothing suspends. */
export async function startTestI18n(language = 'en'): Promise<void> {
  const resources: Record<string, Record<string, Record<string, unknown>>> = {};
  for (const [path, words] of Object.entries(catalogues)) {
    const [, lang = '', namespace = ''] = /locales\/(\w+)\/([\w-]+)\.json$/.exec(path) ?? [];
    (resources[lang] ??= {})[namespace] = words;
  }
  await i18next
    .use(initReactI18next)
    .init({ lng: language, fallbackLng: 'en', resources, defaultNS: 'common', interpolation: { escapeValue: false } });
}

export async function renderStudio(path: string, language = 'en') {
  await startTestI18n(language);
  queryClient.clear();
  resetStart();
  useNotificationsStore.setState({ items: [] });
  useSessionStore.setState({ status: 'unknown', principal: null, permissions: new Set(), roles: [], kicked: false });
  const router = createMemoryRouter(routeObjects(), { initialEntries: [path] });
  return { router, ...render(<Studio router={router} />) };
}
