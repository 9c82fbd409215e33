/** Catalogues per language and namespace, loaded on demand. English is the source; a test checks that French is complete. */
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { formatScore } from '@/ui/format';
import { readStored, writeStored } from '@/state/storage';
import { whenIdle } from './when-idle';

export const LOCALES = ['en', 'fr'] as const;
export type Locale = (typeof LOCALES)[number];

const files = import.meta.glob<Record<string, unknown>>('../locales/*/*.json', { import: 'default' });

/** The sections of `messages` that the build takes out of the first file (`build/later-messages.ts`). */
const laterMessages = import.meta.glob<Record<string, unknown>>('../locales/*/messages.json', { import: 'default', query: '?later' });

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    const load = files[`../locales/${language}/${namespace}.json`];
    if (load === undefined) return done(new Error(`No catalogue ${language}/${namespace}`), null);
    load().then(
      (catalogue) => done(null, catalogue as never),
      (error: Error) => done(error, null),
    );
  },
};

const NAMESPACES = [...new Set(Object.keys(files).map((path) => path.replace(/^.*\/(.*)\.json$/, '$1')))];

/** What every page needs, signed in or not; one file in the build (`vite.config.ts`). */
export const FIRST_NAMESPACES = ['common', 'shell', 'errors', 'keys', 'signin'] as const;

/** Messages of the server: by far the largest catalogue, needed with the first screen after signing in. */
export const loadServerMessages = (): Promise<void> => i18next.loadNamespaces('messages');

/** The messages of reports and later screens; they wait for the others of their language. */
export async function loadLaterMessages(): Promise<void> {
  const { language } = i18next;
  await loadServerMessages();
  const load = laterMessages[`../locales/${language}/messages.json`];
  if (load === undefined) return;
  await load().then(
    (messages) => i18next.addResourceBundle(language, 'messages', messages, true),
    (error: unknown) => console.info('Messages of reports stay in English', error),
  );
}

/**
 * Reads the other catalogues while nothing else is to do. Words that are missing when a dialog first opens suspend it, and with it the
 * whole screen it stands on.
 */
export function preloadCatalogues(): void {
  // One after the other, so that catalogues needed by the screen come first.
  const read = async () => {
    await loadLaterMessages();
    for (const namespace of NAMESPACES) await i18next.loadNamespaces(namespace);
  };
  whenIdle(() => void read());
}

/** C-058: the browser's language when it is one of ours, else English. */
export function defaultLocale(browser: string | undefined): Locale {
  const prefix = (browser ?? '').slice(0, 2).toLowerCase();
  return LOCALES.find((locale) => locale === prefix) ?? 'en';
}

function applyLanguage(language: string): void {
  document.documentElement.lang = language;
}

/** Resolves when the catalogues of the shell are loaded. */
export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', applyLanguage);
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: LOCALES.find((locale) => locale === readStored('language')) ?? defaultLocale(navigator.language),
      supportedLngs: [...LOCALES],
      // Both languages are complete: English is not loaded beside French.
      fallbackLng: false,
      ns: [...FIRST_NAMESPACES],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
  i18next.services.formatter?.add('score', (value: number, language) => formatScore(value, language ?? 'en'));
}

export async function changeLanguage(locale: Locale): Promise<void> {
  writeStored('language', locale);
  await i18next.changeLanguage(locale);
  if (i18next.hasResourceBundle(locale, 'messages')) await loadLaterMessages();
}
