import i18next from 'i18next';
import { useCommands } from './command-registry';

/** A single-letter key of a screen, `C` for create unless `title` is set; ignored in fields, with a modifier, or when letters are off. */
export function useKey(key: string, run: () => void, enabled = true, title?: string): void {
  useCommands(() =>
    enabled ? [{ id: `screen.${key}`, section: 'screen', title: title ?? i18next.t('keys:create'), keys: [key.toUpperCase()], run }] : [],
  );
}
