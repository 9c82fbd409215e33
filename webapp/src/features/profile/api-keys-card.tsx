import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KEY_HEADER } from '@/api/resources/api-keys';
import { ApiKeyList } from '@/blocks/api-keys/key-list';
import { Button } from '@/ui/button';
import { CreateApiKeyDialog } from './create-api-key-dialog';
import styles from './profile.module.css';

/** API keys of the user: create, list, revoke. */
export function ApiKeysCard({ username }: { readonly username: string }) {
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
      <ApiKeyList username={username} empty={t('keys.empty')} />
      {making && <CreateApiKeyDialog username={username} onClose={() => setMaking(false)} />}
    </section>
  );
}
