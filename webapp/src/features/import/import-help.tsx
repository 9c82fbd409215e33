import { CircleHelp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/button';
import { MAX_FILES } from './import-rules';
import styles from './import.module.css';

export const HELP_PANEL = 'import-help';
const TOPICS = ['files', 'labels', 'empty', 'again', 'cut', 'access', 'check'] as const;

export interface ImportHelpProps {
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** D-004: shows the help inside the dialog. */
export function ImportHelpButton({ open, onToggle }: ImportHelpProps) {
  const { t } = useTranslation('import');
  return (
    <Button kind="quiet" icon={CircleHelp} onClick={onToggle} aria-expanded={open} aria-controls={HELP_PANEL}>
      {t('help.button')}
    </Button>
  );
}

export function ImportHelp({ types }: { readonly types: string }) {
  const { t } = useTranslation('import');
  return (
    <section id={HELP_PANEL} className={styles['help']} aria-label={t('help.title')}>
      <dl>
        {TOPICS.map((topic) => (
          <div key={topic}>
            <dt>{t(`help.${topic}.title`)}</dt>
            <dd>{t(`help.${topic}.text`, { max: MAX_FILES, types })}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
