import { useTranslation } from 'react-i18next';
import { SegmentedControl } from '@/ui/choice-inputs';
import { useSessionActions } from '@/state/session-actions';
import styles from './profile.module.css';

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'fr', label: 'Français' },
];

/** Interface language in this browser, the same setting as in the top bar menu. */
export function LanguageCard() {
  const { t, i18n } = useTranslation('profile');
  const { changeLanguage } = useSessionActions();
  return (
    <section className={styles['card']}>
      <h2>{t('language.title')}</h2>
      <p>{t('language.text')}</p>
      <div>
        <SegmentedControl
          label={t('language.title')}
          value={i18n.language}
          options={LANGUAGES}
          onChange={(locale) => void changeLanguage(locale)}
        />
      </div>
    </section>
  );
}
