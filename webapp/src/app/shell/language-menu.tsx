import { useTranslation } from 'react-i18next';
import { Menu } from '@/ui/menu';
import { changeLanguage, LOCALES } from '@/app/i18n';
import styles from './shell.module.css';

export const LANGUAGE_NAMES = { en: 'English', fr: 'Français' } as const;

/** W-002 */
export function LanguageMenu() {
  const { t, i18n } = useTranslation('shell');
  return (
    <Menu
      label={t('language')}
      align="right"
      entries={LOCALES.map((locale) => ({
        key: locale,
        label: LANGUAGE_NAMES[locale],
        checked: i18n.language === locale,
        onSelect: () => void changeLanguage(locale),
      }))}
      trigger={(props) => (
        <button type="button" className={styles['letters']} aria-label={`${i18n.language.toUpperCase()}, ${t('language')}`} {...props}>
          {i18n.language.toUpperCase()}
        </button>
      )}
    />
  );
}
