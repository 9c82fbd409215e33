import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KEY_HEADER } from '@/api/resources/keys';
import { KeyList } from '@/blocks/api-keys/key-list';
import { Button } from '@/ui/button';
import { KeyDialog } from './key-dialog';
import styles from './profile.module.css';

/** Keys of programs that work in the user's name: made, listed, revoked. */
export function KeysCard({ username }: { readonly username: string }) {
  const { t } = useTranslation('profile');
  const [making, setMaking] = useState(false);
  return (
    <section className={styles['card']}>
      <div className={styles['card-head']}>
        <h2>{t('keys.title')}</h2>
        <Button small icon={KeyRound} onClick={() => setMaking(true)}>
          {t('keys.create')}
        </Button>
      </div>
      <p>{t('keys.text', { header: KEY_HEADER })}</p>
      <KeyList username={username} empty={t('keys.empty')} />
      {making && <KeyDialog username={username} onClose={() => setMaking(false)} />}
    </section>
  );
}
