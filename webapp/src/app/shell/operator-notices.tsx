import { MessageSquareHeart, Sparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Tooltip } from '@/ui/tooltip';
import { useSessionStore } from '@/state/session-store';
import styles from './shell.module.css';

const NOTICES = [
  ['aiUsageWarning', Sparkles],
  ['userFeedbacks', MessageSquareHeart],
] as const;

/** W-023: notices of the operator to all users. */
export function OperatorNotices() {
  const { t } = useTranslation('shell');
  const config = useSessionStore((state) => state.config);
  return (
    <>
      {config.corporation !== undefined && config.corporation !== '' && <span className={styles['counts']}>{config.corporation}</span>}
      {NOTICES.filter(([name]) => config[name] === true).map(([name, Icon]) => (
        <Tooltip key={name} title={t(`notice.${name}Detail`)} delay="slowest">
          <span className={styles['notice']} tabIndex={0}>
            <Icon size={12} aria-hidden />
            {t(`notice.${name}`)}
            <span className="visually-hidden">{t(`notice.${name}Detail`)}</span>
          </span>
        </Tooltip>
      ))}
    </>
  );
}
